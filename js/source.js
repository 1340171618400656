/** The pieces of a stream, out of whatever a user has. */

import { RespoolError } from "./errors.js";
import { WholeText } from "./whole_text.js";

/** What a source cannot be. */
function refuse(source) {
  const found = source === null ? "null" : isBytes(source) ? "bytes" : `a value of type ${typeof source}`;
  const message = `the source is ${found}; pass a fetch Response, a ReadableStream, an iterable of chunks, strings or bytes (a list of one will do), or a promise of one`;
  return new RespoolError("invalid-source", message);
}

/** Whether a value is read in pieces. */
export function isSource(value) {
  if (typeof value !== "object" || value === null || isBytes(value)) return false;
  return [value.getReader, value[Symbol.asyncIterator], value[Symbol.iterator]].some((make) => typeof make === "function") || isFetched(value);
}

const isFetched = (value) => "body" in value && "status" in value;

/** The iterator over the pieces; its `return` closes the source. */
export function openSource(source) {
  if (typeof source === "object" && source !== null && !isBytes(source)) {
    // Before the stream's own iterator, whose `return` waits for a read that is under way.
    if (typeof source.getReader === "function") return readerIterator(source.getReader());
    if (typeof source[Symbol.asyncIterator] === "function") return source[Symbol.asyncIterator]();
    if (typeof source[Symbol.iterator] === "function") return source[Symbol.iterator]();
    if (isFetched(source)) return source.body ? openSource(source.body) : [][Symbol.iterator]();
  }
  throw refuse(source);
}

function readerIterator(reader) {
  return {
    async next() {
      const result = await reader.read();
      if (result.done) reader.releaseLock();
      return result;
    },
    async return() {
      try {
        await reader.cancel();
      } finally {
        reader.releaseLock();
      }
      return { done: true, value: undefined };
    },
  };
}

export function isBytes(value) {
  try {
    return ArrayBuffer.isView(value) || value instanceof ArrayBuffer;
  } catch {
    return false; // a proxy
  }
}

/** Reads strings as the bytes that they were, also where one ends in the middle of a character. */
export class PieceReader {
  #accumulator;
  #encoder = new TextEncoder();
  #text = new WholeText();

  constructor(accumulator) {
    this.#accumulator = accumulator;
  }

  /** The deltas of one piece of a source. */
  read(piece) {
    if (typeof piece === "string") return this.#accumulator.pushBytes(this.#encoder.encode(this.#text.next(piece)));
    return isBytes(piece) ? this.#accumulator.pushBytes(piece) : this.#accumulator.push(piece);
  }
}
