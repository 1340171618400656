/** Reads the pieces of a stream from any kind of source. */

/** @import { Bytes, StreamPiece } from "./types/api.js" */

import { checked } from "./checked.js";
import { textEncoder } from "./encoding.js";
import { RespoolError } from "./errors.js";
import { isBytes, quote } from "./input.js";
import { readerIterator } from "./reader_iterator.js";
import { WholeText } from "./whole_text.js";

/**
 * An iterator over the pieces of a source. Its `return` closes the source.
 *
 * @typedef {object} PieceIterator
 * @property {() => IteratorResult<StreamPiece, unknown> | Promise<IteratorResult<StreamPiece, unknown>>} next
 * @property {() => unknown} [return]
 */

/**
 * The members that this module reads of sources. Each kind of source has some of them.
 *
 * @typedef {{
 *   getReader?: () => ReadableStreamDefaultReader<StreamPiece>,
 *   [Symbol.asyncIterator]?: () => PieceIterator,
 *   [Symbol.iterator]?: () => PieceIterator,
 *   body?: AnySource | null,
 *   stream?: (() => AnySource) | AnySource,
 *   arrayBuffer?: () => Promise<ArrayBuffer>,
 * }} AnySource
 */

/** @param {unknown} source */
function sourceError(source) {
  const kind = isBytes(source) ? "bytes" : quote(source);
  const message = `The source can't be ${kind}: pass a fetch Response, a ReadableStream, a Blob, an answer of the AWS SDK, an iterable of chunks, strings or bytes (such as [bytes], or [body] for a parsed body, which decode() reads too), or a promise of one`;
  return new RespoolError("invalid-source", message);
}

/**
 * Whether pieces can be read from a value.
 *
 * @param {unknown} value
 * @returns {value is AnySource}
 */
export function isSource(value) {
  if (typeof value !== "object" || value === null || isBytes(value)) return false;
  const source = /** @type {AnySource} */ (value);
  try {
    const isStream = typeof source.getReader === "function" || typeof source[Symbol.asyncIterator] === "function";
    const isIterable = isStream || typeof source[Symbol.iterator] === "function";
    return isIterable || isResponse(source) || isBlob(source) || streamIn(source) !== undefined;
  } catch {
    return false; // a proxy, or a getter that throws
  }
}

/**
 * Whether a value is a fetch `Response`, or a stand-in for one.
 *
 * @param {AnySource} value
 */
export const isResponse = (value) => "status" in value && ("body" in value || typeof value.arrayBuffer === "function");

/** @param {AnySource} value @returns {value is AnySource & { stream: () => AnySource }} */
const isBlob = (value) => typeof value.stream === "function" && typeof value.arrayBuffer === "function";

/**
 * Returns the stream in an answer of the AWS SDK: `stream` of Converse, `body` of InvokeModel.
 *
 * @param {AnySource} value
 */
const streamIn = ({ stream, body }) =>
  [stream, body].find((inner) => typeof (/** @type {AnySource | undefined} */ (inner)?.[Symbol.asyncIterator]) === "function");

/** Opens an iterator over the pieces of a source. Throws for a locked stream, too, which is misuse. */
export const openSource = checked(
  (/** @type {unknown} */ source) => {
    if (!isSource(source)) throw sourceError(source);
    const iterator = iteratorOf(source);
    if (typeof iterator?.next !== "function") throw new TypeError("its iterator has no next()");
    return iterator;
  },
  "The source",
  "invalid-source",
);

/**
 * @param {AnySource} source
 * @returns {PieceIterator}
 */
function iteratorOf(source) {
  // Preferred over the stream's own iterator, whose `return` waits for a pending read.
  if (typeof source.getReader === "function") return readerIterator(source.getReader());
  const iterate = source[Symbol.asyncIterator] ?? source[Symbol.iterator];
  if (typeof iterate === "function") return iterate.call(source);
  const inner = isBlob(source) ? source.stream() : (streamIn(source) ?? source.body);
  return inner ? openSource(inner) : [][Symbol.iterator]();
}

/**
 * Closes an abandoned source, even if it is still pending. A failure to close is ignored.
 *
 * @param {unknown} source
 * @param {PieceIterator} [iterator] the opened iterator, if any
 */
export async function closeSource(source, iterator) {
  try {
    await (iterator ?? openSource(await source)).return?.();
  } catch {
    // The source is gone, or never existed.
  }
}

/**
 * Reads the options of a source. If they are invalid, closes the source: nobody will read or await it.
 *
 * @template Settings
 * @param {unknown} source
 * @param {() => Settings} readSettings
 */
export function closingIfInvalid(source, readSettings) {
  try {
    return readSettings();
  } catch (error) {
    closeSource(source);
    throw error;
  }
}

/**
 * Pushes the pieces of a source to an accumulator or an encoder. Strings are encoded as bytes, even if a string ends in
 * the middle of a character.
 *
 * @template Output
 */
export class PieceReader {
  #accumulator;
  #text = new WholeText();

  /** @param {{ pushBytes(bytes: Bytes): Output, push(chunk: object): Output }} accumulator */
  constructor(accumulator) {
    this.#accumulator = accumulator;
  }

  /**
   * @param {StreamPiece} piece
   * @returns {Output}
   */
  read(piece) {
    if (typeof piece === "string") return this.#accumulator.pushBytes(textEncoder().encode(this.#text.next(piece)));
    return isBytes(piece) ? this.#accumulator.pushBytes(piece) : this.#accumulator.push(piece);
  }
}
