/** Distinguishes a complete answer from a stream. */

/** @import { Bytes, StreamPiece } from "./types/api.js" */
/** @import { ResponseLike } from "./http_error.js" */
/** @import { PieceIterator } from "./source.js" */

import { detectApi } from "../pkg/wasm/respool.js";
import { awaitInput, orAbort } from "./abort.js";
import { StreamAccumulator } from "./accumulator.js";
import { Beginning } from "./beginning.js";
import { checked } from "./checked.js";
import { checkResponse, isAbort, transportError } from "./failures.js";
import { bytesOf, isBytes } from "./input.js";
import { hasMessage } from "./interfaces.js";
import { MAX_BODY_BYTES } from "./limits.js";
import { closeSource, isSource, openSource } from "./source.js";

/** @typedef {string | Bytes} TextPiece */

/**
 * A complete `body`, and if it is text, `retry`: the same bytes as a stream. Or a `stream`. `isBlank`: whether the source
 * was empty. `broken` is the error if the source failed before it was recognised as a stream; the pieces until then are
 * also the `body`.
 *
 * @typedef {{ body?: unknown, retry?: object, isBlank?: boolean, stream?: object, broken?: { error: unknown } }} OpenedAnswer
 */

/**
 * @param {unknown} value
 * @returns {value is TextPiece}
 */
const isText = (value) => typeof value === "string" || isBytes(value);

/** Content types of streams. JSON lines and a JSON body begin alike, so the text alone doesn't distinguish them. */
const STREAM_TYPES = /event-?stream|ndjson|jsonl|json-seq/i;

/**
 * Opens a source. It is closed unless it turns out to be a stream.
 *
 * @param {unknown} source
 * @param {AbortSignal} [signal]
 * @param {number} [maxBodyBytes] at which the reading of a body stops
 * @returns {Promise<OpenedAnswer>}
 */
export async function openAnswer(source, signal, maxBodyBytes = MAX_BODY_BYTES) {
  /** @type {PieceIterator | undefined} */
  let iterator;
  try {
    signal?.throwIfAborted();
    const opened = await transferred(awaitInput(source, signal), signal);
    if (!isText(opened) && !isSource(opened)) return { body: opened };
    await checkResponse(opened, signal);
    const { type, arrayBuffer } = readResponse(/** @type {ResponseLike} */ (opened));
    const whole = arrayBuffer ? await transferred(orAbort(arrayBuffer(), signal), signal) : opened;
    iterator = openSource(isText(whole) ? [whole] : whole);
    return await classify(iterator, type, signal, maxBodyBytes);
  } catch (error) {
    const closing = closeSource(source, iterator);
    // An abort doesn't wait: the source may never answer.
    if (!signal?.aborted) await closing;
    throw error;
  }
}

/**
 * Awaits a request. A failure is thrown as a failure of the connection.
 *
 * @template T
 * @param {T | Promise<T>} value
 * @param {AbortSignal} [signal]
 */
export async function transferred(value, signal) {
  try {
    return await value;
  } catch (error) {
    if (signal?.aborted || isAbort(error)) throw error;
    throw transportError(error, emptyResult(), false);
  }
}

function emptyResult() {
  const accumulator = new StreamAccumulator();
  const result = accumulator.finish();
  accumulator.free();
  return result;
}

/** The metadata of a fetch `Response`. `arrayBuffer` is set only if there is no `body`, as in a mock. */
const readResponse = checked(
  (/** @type {ResponseLike} */ opened) => {
    const { body, headers } = opened;
    const isMock = !body && typeof opened.arrayBuffer === "function";
    return {
      type: String(headers?.get?.("content-type") ?? ""),
      arrayBuffer: isMock ? async () => opened.arrayBuffer?.() : undefined,
    };
  },
  "The source",
  "invalid-source",
);

/**
 * Reads until the pieces are recognised: to the end if they are a body.
 *
 * @param {PieceIterator} iterator
 * @param {string} type the content type
 * @param {AbortSignal | undefined} signal
 * @param {number} maxBodyBytes
 * @returns {Promise<OpenedAnswer>}
 */
async function classify(iterator, type, signal, maxBodyBytes) {
  /** @type {StreamPiece[]} */
  const pieces = [];
  let size = 0;
  const beginning = new Beginning();
  /** @type {InputKind} */
  let kind = STREAM_TYPES.test(type) ? "stream" : "unknown";
  while (kind !== "stream") {
    signal?.throwIfAborted();
    let read;
    try {
      const { done, value } = await orAbort(iterator.next(), signal);
      read = { done, value };
    } catch (error) {
      if (signal?.aborted) throw error;
      // The stream reports it, together with the pieces so far.
      return { stream: resume(pieces, { next: () => Promise.reject(error) }), broken: { error }, body: join(pieces) };
    }
    if (read.done) return { body: join(pieces), retry: resume(pieces, undefined), isBlank: kind === "unknown" };
    const piece = /** @type {StreamPiece} */ (read.value);
    pieces.push(piece);
    if (kind === "unknown") kind = kindOf(piece, beginning);
    size += (typeof piece === "string" ? piece : readableBytes(piece)).length;
    if (kind === "object" || (kind !== "stream" && size > maxBodyBytes)) {
      await closeSource(undefined, iterator);
      return { body: kind === "object" ? piece : join(pieces) };
    }
  }
  return { stream: resume(pieces, iterator) };
}

/** @typedef {"unknown" | "stream" | "text" | "object"} InputKind `text` is a body, or lines of JSON; `object` is a body */

/**
 * Returns the kind of the whole input, as far as the next piece shows it.
 *
 * @param {StreamPiece} piece
 * @param {Beginning} beginning
 * @returns {InputKind}
 */
function kindOf(piece, beginning) {
  if (!isText(piece)) return hasMessage(detectApi(piece)) ? "stream" : "object";
  const form = beginning.push(typeof piece === "string" ? piece : readableBytes(piece));
  if (form === undefined) return "unknown";
  return form === "json" || form === "text" ? "text" : "stream";
}

/**
 * Returns the bytes of a piece; none if they can't be read.
 *
 * @param {unknown} piece
 */
const readableBytes = (piece) => bytesOf(piece, true) ?? new Uint8Array();

/**
 * Joins pieces into one text or byte array.
 *
 * @param {StreamPiece[]} pieces
 * @returns {unknown}
 */
function join(pieces) {
  if (pieces.length === 1) return pieces[0];
  if (pieces.every((piece) => typeof piece === "string")) return pieces.join("");
  const parts = pieces.map(readableBytes);
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}

/**
 * Returns a source that starts with the pieces already read.
 *
 * @param {StreamPiece[]} pieces
 * @param {PieceIterator | undefined} iterator
 */
function resume(pieces, iterator) {
  let index = 0;
  const next = () =>
    index < pieces.length ? { done: false, value: pieces[index++] } : (iterator?.next() ?? { done: true, value: undefined });
  return { [Symbol.asyncIterator]: () => ({ next: async () => next(), return: () => iterator?.return?.() }) };
}
