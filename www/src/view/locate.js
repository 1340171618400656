// Maps characters of the response to places in the page, and back.
import { Alignment } from "../markdown/align.js";
import { blockOf } from "./text-blocks.jsx";

/** @import { Span } from "../session/provenance.js" */

/** @typedef {{ node: Text, offset: number }} Point */

/** @type {WeakMap<Element, { raw: string, alignment: Alignment }>} */
const alignments = new WeakMap();

/** @param {Element} element element of a Markdown block @param {string} raw */
function alignmentOf(element, raw) {
  const known = alignments.get(element);
  if (known?.raw === raw) return known.alignment;
  const alignment = new Alignment(raw, element.textContent ?? "");
  alignments.set(element, { raw, alignment });
  return alignment;
}

/** @param {Element} container @returns {IterableIterator<Text>} */
function* textNodes(container) {
  const walker = document.createTreeWalker(container, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) yield/** @type {Text} */ (node);
}

/**
 * Returns the point at a number of characters from the start of an element.
 *
 * @param {Element} container
 * @param {number} offset
 * @returns {Point | undefined}
 */
function pointAt(container, offset) {
  let before = 0;
  let last;
  for (const node of textNodes(container)) {
    if (offset <= before + node.length) return { node, offset: Math.max(offset - before, 0) };
    before += node.length;
    last = node;
  }
  return last && { node: last, offset: last.length };
}

/** Returns the number of characters before a point. @param {Element} container @param {Node} node @param {number} offset */
function offsetOf(container, node, offset) {
  let before = 0;
  for (const known of textNodes(container)) {
    if (known === node) return before + offset;
    before += known.length;
  }
  return before;
}

/** Returns the ranges in the page that show a span. @param {Element} root @param {Span} span @returns {Range[]} */
export function rangesOf(root, { key, start, end }) {
  const container = root.querySelector(`[data-stream="${key}"]`);
  if (container === null) return [];
  if (!container.querySelector(".block")) return compact([rangeIn(container, start, end)]);
  return compact(
    [...container.children].map((element) => {
      const block = blockOf(element);
      if (block === undefined || block.start >= end || block.start + block.raw.length <= start) return undefined;
      const [from, to] = [Math.max(start - block.start, 0), Math.min(end - block.start, block.raw.length)];
      if (block.isPlain) return rangeIn(element, from, to);
      const alignment = alignmentOf(element, block.raw);
      return rangeIn(element, alignment.toRendered(from), alignment.toRendered(to));
    }),
  );
}

/** @param {Element} container @param {number} start @param {number} end */
function rangeIn(container, start, end) {
  const [from, to] = [pointAt(container, start), pointAt(container, end)];
  if (!from || !to) return undefined;
  const range = document.createRange();
  range.setStart(from.node, from.offset);
  range.setEnd(to.node, to.offset);
  return range.collapsed ? undefined : range;
}

/** @param {(Range | undefined)[]} ranges */
const compact = (ranges) => ranges.filter((range) => range !== undefined);

/** Returns the stream and the offset of the character at a position on the screen. @param {number} x @param {number} y */
export function characterAt(x, y) {
  const point = caretAt(x, y);
  const element = point?.node.parentElement;
  const container = element?.closest("[data-stream]");
  const key = container?.getAttribute("data-stream");
  if (!point || !element || !container || !key) return undefined;
  const blockElement = element.closest(".block");
  const block = blockElement === null ? undefined : blockOf(blockElement);
  if (!block || !blockElement) return { key, offset: offsetOf(container, point.node, point.offset) };
  const rendered = offsetOf(blockElement, point.node, point.offset);
  const offset = block.isPlain ? rendered : alignmentOf(blockElement, block.raw).toSource(rendered);
  return { key, offset: block.start + offset };
}

/** @param {number} x @param {number} y @returns {{ node: Node, offset: number } | undefined} */
function caretAt(x, y) {
  if (document.caretPositionFromPoint) {
    const position = document.caretPositionFromPoint(x, y);
    return position ? { node: position.offsetNode, offset: position.offset } : undefined;
  }
  const range = document.caretRangeFromPoint?.(x, y);
  return range ? { node: range.startContainer, offset: range.startOffset } : undefined;
}
