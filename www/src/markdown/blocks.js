// Splits a growing text into blocks, so that only the last one has to be rendered again.
import { lexBlocks } from "./render.js";

/** @import { Links } from "./render.js" */

/** Maximum length of a formatted block: each delta renders the last block again. */
const MOST_CHARACTERS = 8000;
/** Maximum length of text to split as Markdown: for some text, the lexer takes quadratic time. */
const MOST_LEXED = 500_000;
/** Number of blocks at the end that may still change: a line can change the type of the preceding block. */
const OPEN_BLOCKS = 2;

/**
 * A block. It stays the same object as long as its text is unchanged.
 *
 * @typedef {object} Block
 * @property {string} raw
 * @property {number} start offset in the whole text
 * @property {boolean} isPlain
 * @property {Links} links
 */

/** The texts of consecutive blocks. @typedef {{ raws: string[], links: Links, isPlain: boolean }} Pieces */

export class BlockSplitter {
  #text = "";
  /** @type {Block[]} */
  #blocks = [];
  /** @type {Links} */
  #links = {};
  #cut;

  /** @param {boolean} isMarkdown */
  constructor(isMarkdown) {
    this.#cut = isMarkdown ? cutMarkdown : cutPlain;
  }

  /** @param {string} text @returns {Block[]} a new list that shares the unchanged blocks */
  update(text) {
    if (text === this.#text) return this.#blocks;
    const kept = text.startsWith(this.#text) ? this.#blocks.slice(0, -OPEN_BLOCKS) : [];
    const last = kept.at(-1);
    let start = last === undefined ? 0 : last.start + last.raw.length;
    const { raws, links, isPlain } = this.#cut(text.slice(start));
    this.#text = text;
    this.#blocks = [...this.#withLinks(kept, links)];
    for (const raw of raws) {
      this.#blocks.push({ raw, start, isPlain: isPlain || raw.length > MOST_CHARACTERS, links: this.#links });
      start += raw.length;
    }
    return this.#blocks;
  }

  /**
   * Adds link definitions. A new one changes the blocks that may refer to it.
   *
   * @param {Block[]} blocks
   * @param {Links} links
   */
  #withLinks(blocks, links) {
    const isNew = Object.keys(links).some((label) => !(label in this.#links));
    if (!isNew) return blocks;
    this.#links = { ...this.#links, ...links };
    return blocks.map((block) => (block.raw.includes("[") ? { ...block, links: this.#links } : block));
  }
}

/** @param {string} text @returns {Pieces} */
function cutMarkdown(text) {
  const lexed = text.length > MOST_LEXED ? undefined : lexBlocks(text);
  if (lexed === undefined) return cutPlain(text);
  const { raws, links } = lexed;
  return { raws: joinSpaces(text.includes("\r") ? withLineEndings(raws, text) : raws), links, isPlain: false };
}

/** Restores the line breaks, which the lexer reads as LF. @param {string[]} raws @param {string} text */
function withLineEndings(raws, text) {
  let at = 0;
  return raws.map((raw) => {
    const start = at;
    for (let left = raw.length; left > 0; left--) at += text[at] === "\r" && text[at + 1] === "\n" ? 2 : 1;
    return text.slice(start, at);
  });
}

/** Joins white space to the preceding block. @param {string[]} raws */
function joinSpaces(raws) {
  /** @type {string[]} */
  const joined = [];
  for (const raw of raws) {
    if (raw.trim() === "" && joined.length > 0) joined[joined.length - 1] += raw;
    else joined.push(raw);
  }
  return joined;
}

const PIECE = 4000;

/**
 * Splits a text after line breaks, so that the browser lays out only the pieces in view.
 *
 * @param {string} text
 * @returns {Pieces}
 */
function cutPlain(text) {
  const raws = [];
  for (let start = 0; start < text.length; ) {
    const line = text.indexOf("\n", start + PIECE);
    const end = line < 0 || line > start + 8 * PIECE ? Math.min(start + 8 * PIECE, text.length) : line + 1;
    raws.push(text.slice(start, end));
    start = end;
  }
  return { raws, links: {}, isPlain: true };
}
