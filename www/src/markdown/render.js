// Renders Markdown from a model as harmless elements: no scripts, styles, forms or remote content.
import DOMPurify from "dompurify";
import { Marked } from "marked";

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

/** Matches a line with fifty markers of quotes and lists, or with a list item at that depth, which take the lexer long. */
const NESTED = /^(?:(?:[ \t]*(?:>|(?:[*+-]|\d{1,9}[.)])[ \t])){50}|[ \t]{200,}(?:[*+-]|\d{1,9}[.)])[ \t])/m;

/** @param {string} text */
const escapeHtml = (text) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

const marked = new Marked({
  gfm: true,
  breaks: false,
  renderer: {
    /** Shows HTML as text. */
    html: ({ text }) => (/^<br\s*\/?>$/i.test(text.trim()) ? "<br>" : escapeHtml(text)),
    /** Renders images as links, so that nothing is loaded. */
    image: ({ href, text }) => `<a href="${escapeHtml(href)}">${escapeHtml(text || href)}</a>`,
  },
});

/** The destinations of reference links, by label. @typedef {import("marked").Links} Links */

/**
 * Returns the top-level blocks of a text, without the inline elements; undefined if it is nested too deeply.
 *
 * @param {string} text
 */
export function lexBlocks(text) {
  if (NESTED.test(text)) return undefined;
  const lexer = new marked.Lexer(marked.defaults);
  return unlessTooDeep(() => {
    lexer.blockTokens(text.replace(/\r\n|\r/g, "\n"), lexer.tokens);
    return { raws: lexer.tokens.map(({ raw }) => raw), links: lexer.tokens.links };
  });
}

/** @param {string} text of one block @param {Links} links @returns {DocumentFragment | undefined} undefined if nested too deeply */
export function renderBlock(text, links) {
  if (NESTED.test(text)) return undefined;
  const lexer = new marked.Lexer(marked.defaults);
  Object.assign(lexer.tokens.links, links);
  const html = unlessTooDeep(() => marked.Parser.parse(lexer.lex(text), marked.defaults));
  if (html === undefined) return undefined;
  const fragment = DOMPurify.sanitize(html, SANITIZE);
  // Wide blocks scroll separately, by keyboard, too.
  for (const wide of fragment.querySelectorAll(/** @type {"pre"} */ ("pre, table"))) wide.tabIndex = 0;
  return fragment;
}

/**
 * Runs the lexer; returns undefined if the stack overflows. The lexer and its regular expressions are recursive, and
 * the size of the stack depends on the engine.
 *
 * @template Result
 * @param {() => Result} run
 * @returns {Result | undefined}
 */
function unlessTooDeep(run) {
  try {
    return run();
  } catch (error) {
    if (!isStackOverflow(error)) throw error;
    return undefined;
  }
}

/** Whether an error is a stack overflow. Firefox has its own error class for it. @param {unknown} error */
const isStackOverflow = (error) => error instanceof RangeError || /too much recursion/.test(String(error));
