// What was dropped, pasted or chosen: one answer or several, each with its reads.
import { entriesOfHar } from "./har.js";
import { entriesOfBatch } from "./batch.js";
import { readsOfShare } from "./share.js";

/**
 * @typedef {object} Entry one answer
 * @property {string} name
 * @property {string} [note] what is known of it at a glance
 * @property {{ bytes: Uint8Array, time?: number }[]} reads
 */

/** A capture that cannot be read; the message is for the user. */
export class CaptureError extends Error {}

/**
 * @param {string} name
 * @param {Uint8Array} bytes
 * @returns {Promise<{ kind: "capture" | "HAR" | "batch", entries: Entry[] }>}
 * @throws {CaptureError}
 */
export async function openCapture(name, bytes) {
  const content = await gunzipped(bytes);
  if (content.every((byte) => byte <= 0x20)) throw new CaptureError(`${name} is empty.`);
  const text = startsLikeJson(content) ? new TextDecoder().decode(content) : "";
  const value = parse(text);
  const shared = readsOfShare(value);
  if (shared) return { kind: "capture", entries: [{ name: shared.name ?? name, reads: shared.reads }] };
  const requests = entriesOfHar(value);
  if (requests) {
    if (requests.length === 0) throw new CaptureError(`${name} is a HAR file, but no answer in it looks like that of a model.`);
    return { kind: "HAR", entries: requests };
  }
  const lines = entriesOfBatch(text, value);
  if (lines) return { kind: "batch", entries: lines };
  return { kind: "capture", entries: [{ name, reads: [{ bytes: content }] }] };
}

function startsLikeJson(bytes) {
  const first = bytes.find((byte) => byte > 0x20 && byte < 0x80);
  return first === 0x7b || first === 0x5b;
}

function parse(text) {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function gunzipped(bytes) {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  const gunzip = new DecompressionStream("gzip");
  const writer = gunzip.writable.getWriter();
  // What fails here fails where it is read, too.
  writer.write(bytes).catch(() => {});
  writer.close().catch(() => {});
  const parts = [];
  try {
    const reader = gunzip.readable.getReader();
    for (let read = await reader.read(); !read.done; read = await reader.read()) parts.push(read.value);
  } catch {
    throw new CaptureError("The compressed data are broken, or end too early.");
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}
