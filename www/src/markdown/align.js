// Maps the words of a rendered block to its Markdown source, and back.

const WORD = /[\p{L}\p{N}\p{M}_]+|[^\s]/gu;
/** Maximum distance of a matching punctuation character in the source. */
const NEAR = 48;

/** The words that occur in both texts: their offsets and lengths. */
export class Alignment {
  /** @type {number[]} */
  #rendered = [];
  /** @type {number[]} */
  #source = [];
  /** @type {number[]} */
  #lengths = [];

  /** @param {string} source @param {string} rendered */
  constructor(source, rendered) {
    let from = 0;
    for (const match of rendered.matchAll(WORD)) {
      const [word] = match;
      const at = source.indexOf(word, from);
      if (at < 0 || (word.length === 1 && at - from > NEAR)) continue;
      this.#rendered.push(match.index);
      this.#source.push(at);
      this.#lengths.push(word.length);
      from = at + word.length;
    }
  }

  /** @param {number} offset offset in the rendered text */
  toSource(offset) {
    return translate(offset, this.#rendered, this.#source, this.#lengths);
  }

  /** @param {number} offset offset in the source */
  toRendered(offset) {
    return translate(offset, this.#source, this.#rendered, this.#lengths);
  }
}

/** @param {number} offset @param {number[]} from @param {number[]} to @param {number[]} lengths */
function translate(offset, from, to, lengths) {
  let low = 0;
  let high = from.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (from[middle] > offset) high = middle;
    else low = middle + 1;
  }
  const index = low - 1;
  if (index < 0) return to[0] === undefined ? 0 : Math.max(to[0] - (from[0] - offset), 0);
  // An offset between two words maps to one after the first word.
  return to[index] + Math.min(offset - from[index], lengths[index]);
}
