// Captures saved as files to share: the bytes and the arrival time of each chunk.
import { base64Of } from "../../../js/base64.js";
import { fromBase64 } from "./base64.js";
import { asNumber, asObject, asString } from "./values.js";

/** @import { Chunk } from "./capture.js" */
/** @import { Exchange } from "./exchange.js" */
/** @import { Recording } from "../session/recording.js" */

const FORMAT = "respool-capture";
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

/**
 * Returns the file for a recording: one chunk per frame, with its time if known.
 *
 * @param {Recording} recording
 * @returns {string} JSON
 */
export function toShare(recording) {
  const reads = recording.frames.map((frame) => ({
    ...(frame.time === undefined ? {} : { time: Math.round(frame.time * 1000) / 1000 }),
    ...toText(recording.bytesOf(frame)),
  }));
  const status = recording.exchange?.response?.status;
  return `${JSON.stringify({ format: FORMAT, version: 1, name: recording.name, ...(status && { status }), reads }, null, 1)}\n`;
}

/**
 * Reads such a file after it is parsed. Returns undefined for anything else.
 *
 * @param {unknown} value
 * @returns {{ name: string | undefined, chunks: Chunk[], exchange?: Exchange } | undefined}
 */
export function readShare(value) {
  const { format, name, status, reads } = asObject(value);
  if (format !== FORMAT || !Array.isArray(reads)) return undefined;
  const chunks = reads.map(asObject).map(({ time, text, base64 }) => {
    const bytes = typeof base64 === "string" ? fromBase64(base64) : encoder.encode(asString(text) ?? "");
    return typeof time === "number" ? { bytes, time } : { bytes };
  });
  const code = asNumber(status);
  return {
    name: asString(name),
    chunks,
    ...(code && { exchange: { response: { status: code, statusText: "", headers: [] } } }),
  };
}

/** @param {Uint8Array} bytes */
function toText(bytes) {
  try {
    return { text: decoder.decode(bytes) };
  } catch {
    return { base64: base64Of(bytes) };
  }
}
