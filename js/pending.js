/** Rejects values that must be awaited or read first, where the value itself is expected. */

import { settling } from "./abort.js";
import { DecodeError, RespoolError } from "./errors.js";

/**
 * Describes a pending value and what to do with it; undefined for an ordinary value.
 *
 * @param {unknown} value
 * @param {string} reader the functions that read a source
 */
function adviceFor(value, reader) {
  if (typeof value !== "object" || value === null) return undefined;
  try {
    const { then, getReader, arrayBuffer } = /** @type {Record<string, unknown>} */ (value);
    if (typeof then === "function") {
      settling(value);
      return "a promise: await it first";
    }
    if (typeof getReader === "function") return `a ReadableStream: pass it to ${reader}`;
    if (typeof arrayBuffer === "function") return `a ${"status" in value ? "Response" : "Blob"}: pass it to ${reader}`;
    if (Symbol.asyncIterator in value) return `an async iterable: pass it to ${reader}`;
  } catch {
    // A proxy, or a getter that throws: reading the value reports it.
  }
  return undefined;
}

/**
 * Throws for a body that is still pending.
 *
 * @param {unknown} response
 */
export function refusePendingBody(response) {
  const advice = adviceFor(response, "processAsync() or collect()");
  if (advice !== undefined) throw new DecodeError("unknown-response", `The response is ${advice}`);
}

/**
 * Throws for a source of chunks passed as a chunk.
 *
 * @param {unknown} chunk
 */
export function refusePendingChunk(chunk) {
  const advice = adviceFor(chunk, "streamDeltas() or collect()");
  if (advice !== undefined)
    throw new RespoolError("invalid-chunk", `A chunk must be one parsed event of a stream, not ${advice}`);
}
