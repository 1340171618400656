/** Captures that the inspector saves as files to share: the bytes and the arrival time of each read. */

import { base64Of, bytesIfValid } from "./base64.js";

/** The value of `format`, the first member of such a file. */
export const FORMAT = "respool-capture";

/**
 * A response as it arrived.
 *
 * @typedef {object} SharedCapture
 * @property {string | undefined} name
 * @property {number | undefined} status the HTTP status, if known
 * @property {{ bytes: Uint8Array<ArrayBuffer>, time?: number }[]} chunks times are in milliseconds since the first chunk
 */

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

/**
 * Writes a capture as JSON.
 *
 * @param {SharedCapture} capture
 */
export function writeSharedCapture({ name, status, chunks }) {
  const reads = chunks.map(({ bytes, time }) => ({
    ...(time !== undefined && { time: Math.round(time * 1000) / 1000 }),
    ...textOf(bytes),
  }));
  return `${JSON.stringify({ format: FORMAT, version: 1, name, ...(status && { status }), reads }, null, 1)}\n`;
}

/**
 * Reads a capture.
 *
 * @param {unknown} value the parsed file
 * @returns {SharedCapture | undefined} undefined if it isn't a capture
 */
export function readSharedCapture(value) {
  const { format, name, status, reads } = /** @type {Record<string, unknown> | null} */ (value) ?? {};
  if (format !== FORMAT || !Array.isArray(reads)) return undefined;
  return {
    name: typeof name === "string" ? name : undefined,
    status: typeof status === "number" ? status : undefined,
    chunks: reads.map((read) => {
      const bytes = typeof read?.base64 === "string" ? bytesIfValid(read.base64) : encoder.encode(String(read?.text ?? ""));
      return typeof read?.time === "number" ? { bytes, time: read.time } : { bytes };
    }),
  };
}

/** @param {Uint8Array} bytes */
function textOf(bytes) {
  try {
    return { text: decoder.decode(bytes) };
  } catch {
    return { base64: base64Of(bytes) };
  }
}
