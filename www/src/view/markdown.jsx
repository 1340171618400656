// Markdown that a model wrote, as elements that can do nothing: no scripts, styles, forms, or loads.
import DOMPurify from "dompurify";
import { marked } from "marked";
import { useLayoutEffect, useRef } from "preact/hooks";

/** A longer text is shown as it is: it would be read anew with each piece that comes. */
const LONGEST = 200_000;

const CLEAN = {
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

const escaped = (text) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

const renderer = {
  /** HTML in it is shown, not obeyed. */
  html: ({ text }) => (/^<br\s*\/?>$/i.test(text.trim()) ? "<br>" : escaped(text)),
  /** Images are named in place of being loaded. */
  image: ({ href, text }) => `<a href="${escaped(href)}">${escaped(text || href)}</a>`,
};
marked.use({ gfm: true, breaks: false, renderer });

export function Markdown({ text }) {
  const place = useRef();
  useLayoutEffect(() => {
    if (text.length > LONGEST) return;
    place.current.replaceChildren(DOMPurify.sanitize(marked.parse(text), CLEAN));
    // Wide ones scroll by themselves.
    for (const wide of place.current.querySelectorAll("pre, table")) wide.tabIndex = 0;
  }, [text]);
  return text.length > LONGEST ? <div class="plain">{text}</div> : <div ref={place} class="markdown" />;
}
