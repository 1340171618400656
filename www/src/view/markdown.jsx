// Markdown from a model, rendered as harmless elements: no scripts, styles, forms or remote content.
import DOMPurify from "dompurify";
import { marked } from "marked";
import { useLayoutEffect, useRef } from "preact/hooks";

/** Longer texts stay plain, because each delta renders the whole text again. */
const MOST_CHARACTERS = 200_000;

/** @satisfies {import("dompurify").Config} */
const SANITIZE = {
  RETURN_DOM_FRAGMENT: true,
  USE_PROFILES: { html: true },
  FORBID_TAGS: ["style", "form", "input", "button", "select", "textarea", "img", "picture", "audio", "video", "source"],
  FORBID_ATTR: ["style", "id", "class", "name", "srcset", "background"],
};

DOMPurify.addHook("afterSanitizeAttributes", (node) => {
  if (node.tagName === "A") {
    node.setAttribute("rel", "noopener noreferrer nofollow");
    node.setAttribute("target", "_blank");
  }
  if (node.tagName === "TH" || node.tagName === "TD") node.removeAttribute("align");
});

/** @param {string} text */
const escapeHtml = (text) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

marked.use({
  gfm: true,
  breaks: false,
  renderer: {
    /** HTML is shown as text. */
    html: ({ text }) => (/^<br\s*\/?>$/i.test(text.trim()) ? "<br>" : escapeHtml(text)),
    /** Images become links, so that nothing is loaded. */
    image: ({ href, text }) => `<a href="${escapeHtml(href)}">${escapeHtml(text || href)}</a>`,
  },
});

/** @param {{ text: string }} props */
export function Markdown({ text }) {
  const container = useRef(/** @type {HTMLDivElement | null} */ (null));
  const isPlain = text.length > MOST_CHARACTERS;
  useLayoutEffect(() => {
    if (container.current === null || isPlain) return;
    container.current.replaceChildren(DOMPurify.sanitize(marked.parse(text, { async: false }), SANITIZE));
    // Wide blocks scroll on their own, also with the keyboard.
    for (const wide of container.current.querySelectorAll(/** @type {"pre"} */ ("pre, table"))) wide.tabIndex = 0;
  }, [text, isPlain]);
  return isPlain ? <div class="plain">{text}</div> : <div ref={container} class="markdown" />;
}
