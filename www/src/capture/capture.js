// Opens a capture that the user dropped, pasted or chose: one response or several, each as the chunks in which it
// arrived.
import { entriesOfBatch } from "./batch.js";
import { splitHead } from "./exchange.js";
import { entriesOfHar } from "./har.js";
import { messageOf, parseJson } from "./values.js";
import { entryOfShare } from "./share.js";
import { fromUtf16 } from "./utf16.js";

/** @import { Exchange } from "./exchange.js" */

/**
 * Bytes that arrived together.
 * @typedef {object} Chunk
 * @property {Uint8Array<ArrayBuffer>} bytes
 * @property {number} [time] milliseconds since the start of the response, if known
 */

/**
 * One response in a capture.
 * @typedef {object} Entry
 * @property {string} name
 * @property {string} [note] shown beside the name
 * @property {Chunk[]} chunks
 * @property {Exchange | undefined} [exchange] the request, the status and the headers, if the capture contains them
 * @property {boolean} [wasUtf16] whether the file was UTF-16, and the chunks are converted
 */

/**
 * @typedef {object} Capture
 * @property {"capture" | "HAR" | "batch"} kind
 * @property {Entry[]} entries at least one
 * @property {string} [notice] a notice to the user about the file
 */

/** The error for a capture that can't be read. The message is shown to the user. */
export class CaptureError extends Error {}

/**
 * @param {string} name
 * @param {Blob} file
 * @throws {CaptureError}
 */
export async function readFile(name, file) {
  try {
    return new Uint8Array(await file.arrayBuffer());
  } catch (error) {
    throw new CaptureError(`${name} can't be read. Is it a folder, too large, or changed since? ${messageOf(error)}`);
  }
}

/**
 * @param {string} name
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @returns {Promise<Capture>}
 * @throws {CaptureError}
 */
export async function openCapture(name, bytes) {
  const file = await gunzip(bytes);
  const converted = fromUtf16(file.plain);
  const { response, body } = splitHead(converted ?? file.plain);
  // The body in the output of `curl -i` is compressed as the server sent it.
  const { plain, isDamaged } = response === undefined ? { plain: body, isDamaged: false } : await gunzip(body);
  const capture = captureIn(name, plain, response, converted !== undefined);
  return { ...capture, ...((isDamaged || file.isDamaged) && { notice: DAMAGED }) };
}

const DAMAGED = "The gzip data is corrupt or truncated, or several files in one. What could be read is shown.";

/**
 * @param {string} name
 * @param {Uint8Array<ArrayBuffer>} body
 * @param {import("./exchange.js").ExchangeResponse | undefined} response the response with this body, if known
 * @param {boolean} wasUtf16
 * @returns {Capture}
 * @throws {CaptureError}
 */
function captureIn(name, body, response, wasUtf16) {
  const text = startsLikeJson(body) ? new TextDecoder().decode(body) : "";
  const value = parseJson(text);
  const shared = entryOfShare(value, name);
  if (shared) return { kind: "capture", entries: [shared] };
  const responses = entriesOfHar(value);
  if (responses) {
    if (responses.length === 0) throw new CaptureError(NO_RESPONSES(name));
    return { kind: "HAR", entries: responses };
  }
  const lines = response === undefined ? entriesOfBatch(text, value) : undefined;
  if (lines) return { kind: "batch", entries: lines };
  const chunks = body.length === 0 ? [] : [{ bytes: body }];
  return {
    kind: "capture",
    entries: [{ name, chunks, ...(response && { exchange: { response } }), ...(wasUtf16 && { wasUtf16 }) }],
  };
}

/** @param {string} name */
const NO_RESPONSES = (name) =>
  `${name} is a HAR file, but none of its requests went to a language model. Start recording before you send the prompt, and save with content.`;

/** @param {Uint8Array} bytes */
function startsLikeJson(bytes) {
  const first = bytes.find((byte) => byte > 0x20 && byte < 0x80);
  return first === 0x7b || first === 0x5b;
}

/** @param {Uint8Array<ArrayBuffer>} bytes */
async function gunzip(bytes) {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return { plain: bytes, isDamaged: false };
  const { readable, writable } = new DecompressionStream("gzip");
  const writer = writable.getWriter();
  // The reader throws the same error.
  writer.write(bytes).catch(() => {});
  writer.close().catch(() => {});
  const parts = [];
  let isDamaged = false;
  try {
    const reader = readable.getReader();
    for (let read = await reader.read(); !read.done; read = await reader.read()) parts.push(read.value);
  } catch {
    // Like any truncated capture, it is shown as far as it can be read.
    if (parts.length === 0) throw new CaptureError("The gzip data is corrupt or truncated.");
    isDamaged = true;
  }
  return { plain: new Uint8Array(await new Blob(parts).arrayBuffer()), isDamaged };
}
