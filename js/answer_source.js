/** Whether a source is an answer that came whole, or a stream of its pieces. */

import { detectApi } from "../pkg/wasm/respool.js";
import { arrived, orAbort } from "./abort.js";
import { checked } from "./checked.js";
import { bytesOf } from "./input.js";
import { closeSource, isBytes, isSource, openSource } from "./source.js";
import { transportError } from "./streams.js";

const isText = (value) => typeof value === "string" || isBytes(value);

/** What a body may have, in bytes: what is read beyond it is refused with what came before. */
const MAX_BODY = 2 ** 27;

/** Lines of JSON begin as a body does. */
const STREAM_TYPES = /event-stream|ndjson|jsonl|json-seq/i;

/** Events begin with the name of a field, or a comment; no JSON does. */
const EVENTS = /^(?:ï»¿)?\s*[deir:]/;
const BLANK = /^(?:ï»¿)?\s*$/;

/**
 * Resolves with the `body`, and, if that is text, the same as a stream to `retry` with; or with a `stream`. It closes
 * the source unless that is a stream.
 */
export async function openAnswer(source, signal) {
  let iterator;
  try {
    signal?.throwIfAborted();
    const opened = await arrived(source, signal);
    if (!isText(opened) && !isSource(opened)) return { body: opened };
    const response = readResponse(opened);
    const whole = response.arrayBuffer ? await orAbort(response.arrayBuffer().catch(failAsStream), signal) : opened;
    iterator = openSource(isText(whole) ? [whole] : whole);
    return await look(iterator, response, signal);
  } catch (error) {
    const closing = closeSource(source, iterator);
    // Who aborts does not wait: the source may answer never.
    if (!signal?.aborted) await closing;
    throw error;
  }
}

async function failAsStream(error) {
  throw transportError(error);
}

/** What a fetch `Response` says of itself; `arrayBuffer` only where there is no `body`, as in a mock. */
const readResponse = checked(
  (opened) => {
    const { ok, status, body, headers } = opened;
    const isMock = !body && typeof opened.arrayBuffer === "function";
    return {
      ok,
      status,
      type: String(headers?.get?.("content-type") ?? ""),
      arrayBuffer: isMock ? async () => opened.arrayBuffer() : undefined,
    };
  },
  "the source",
  "invalid-source",
);

/** Reads until it is known what the pieces are; all of them if they are a body, but no more than one may have. */
async function look(iterator, response, signal) {
  const pieces = [];
  let size = 0;
  let kind = STREAM_TYPES.test(response.type) ? "stream" : "blank";
  while (kind !== "stream") {
    signal?.throwIfAborted();
    let read;
    try {
      const { done, value } = await orAbort(iterator.next(), signal);
      read = { done, value };
    } catch (error) {
      if (signal?.aborted) throw error;
      // Told by the stream, with what had come.
      return { stream: resumed(pieces, { next: () => Promise.reject(error) }, response) };
    }
    if (read.done) return { body: join(pieces), retry: resumed(pieces, undefined, response) };
    pieces.push(read.value);
    if (kind === "blank") kind = kindOf(read.value);
    size += (typeof read.value === "string" ? read.value : bytesIn(read.value)).length;
    if (kind === "object" || (kind !== "stream" && size > MAX_BODY)) {
      await closeSource(undefined, iterator);
      return { body: kind === "object" ? read.value : join(pieces) };
    }
  }
  return { stream: resumed(pieces, iterator, response) };
}

/** What a piece says of all: "blank", "stream", "text" of a body, or a body that is an "object". */
function kindOf(piece) {
  if (!isText(piece)) return /embeddings|images/.test(detectApi(piece)) ? "object" : "stream";
  const start = typeof piece === "string" ? piece : String.fromCharCode(...bytesIn(piece).subarray(0, 64));
  if (BLANK.test(start)) return "blank";
  return EVENTS.test(start) ? "stream" : "text";
}

/** The bytes of a piece; none of what was detached, or of a class that keeps them to itself. */
const bytesIn = (piece) => bytesOf(piece, true) ?? new Uint8Array();

/** One text, or the bytes, of pieces. */
function join(pieces) {
  if (pieces.length === 1) return pieces[0];
  if (pieces.every((piece) => typeof piece === "string")) return pieces.join("");
  const parts = pieces.map(bytesIn);
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** A source that begins with pieces that were read already; what a fetch `Response` says of itself stays. */
function resumed(pieces, iterator, { ok, status }) {
  let at = 0;
  const next = () =>
    at < pieces.length ? { done: false, value: pieces[at++] } : (iterator?.next() ?? { done: true, value: undefined });
  return { ok, status, [Symbol.asyncIterator]: () => ({ next: async () => next(), return: () => iterator?.return?.() }) };
}
