/** The pieces of a stream, out of whatever a user has. */

import { checked } from "./checked.js";
import { textEncoder } from "./encoding.js";
import { RespoolError } from "./errors.js";
import { describe } from "./input.js";
import { WholeText } from "./whole_text.js";

/** What a source cannot be. */
function refuse(source) {
  const message = `the source is ${isBytes(source) ? "bytes" : describe(source)}; pass a fetch Response, a ReadableStream, an iterable of chunks, strings or bytes (a list of one will do), or a promise of one`;
  return new RespoolError("invalid-source", message);
}

/** Whether pieces can be read from a value. */
export function isSource(value) {
  if (typeof value !== "object" || value === null || isBytes(value)) return false;
  try {
    const isStream = typeof value.getReader === "function" || typeof value[Symbol.asyncIterator] === "function";
    return isStream || typeof value[Symbol.iterator] === "function" || isFetched(value);
  } catch {
    return false; // a proxy, or a getter that throws
  }
}

/** Whether a value is a fetch `Response`, or acts for one. */
const isFetched = (value) => "status" in value && ("body" in value || typeof value.arrayBuffer === "function");

/** The iterator over the pieces; its `return` closes the source. A stream that is locked is misuse, too. */
export const openSource = checked(
  (source) => {
    if (!isSource(source)) throw refuse(source);
    const iterator = iteratorOf(source);
    if (typeof iterator?.next !== "function") throw new TypeError("its iterator has no next()");
    return iterator;
  },
  "the source",
  "invalid-source",
);

function iteratorOf(source) {
  // Before the stream's own iterator, whose `return` waits for a read that is under way.
  if (typeof source.getReader === "function") return readerIterator(source.getReader());
  if (typeof source[Symbol.asyncIterator] === "function") return source[Symbol.asyncIterator]();
  if (typeof source[Symbol.iterator] === "function") return source[Symbol.iterator]();
  return source.body ? openSource(source.body) : [][Symbol.iterator]();
}

/** Closes a source that was left, also one that is still on its way; that it fails then changes nothing. */
export async function closeSource(source, iterator) {
  try {
    await (iterator ?? openSource(await source)).return?.();
  } catch {
    // The source is gone anyway, or never was one.
  }
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
  #text = new WholeText();

  constructor(accumulator) {
    this.#accumulator = accumulator;
  }

  /** The deltas of one piece of a source. */
  read(piece) {
    if (typeof piece === "string") return this.#accumulator.pushBytes(textEncoder().encode(this.#text.next(piece)));
    return isBytes(piece) ? this.#accumulator.pushBytes(piece) : this.#accumulator.push(piece);
  }
}
