// AWS's binary event stream, `application/vnd.amazon.eventstream`: finds the ends of messages, and parses them. The
// core verifies the checksums of whole messages.
import { bytesIfValid } from "../../../js/base64.js";
import { asObject, asString, parseJson } from "./values.js";

/** @import { FrameEvent } from "./event.js" */

export const PRELUDE = 12;
const CHECKSUM = 4;
const LONGEST = 1 << 25;
const STRING = 7;
/** Number of bytes of a header's value, by type; undefined if it varies. */
const SIZES = [0, 0, 1, 2, 4, 8, undefined, undefined, 8, 16];

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
  return rest;
});

/** @param {Uint8Array} bytes */
function crc32(bytes) {
  let rest = 0xffffffff;
  for (const byte of bytes) rest = TABLE[(rest ^ byte) & 0xff] ^ (rest >>> 8);
  return (rest ^ 0xffffffff) >>> 0;
}

/** @param {Uint8Array} bytes */
const view = (bytes) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Whether a message begins with these bytes, at least {@link PRELUDE} of them. @param {Uint8Array} bytes */
export const isPrelude = (bytes) => lengthOf(bytes) !== undefined && view(bytes).getUint32(8) === crc32(bytes.subarray(0, 8));

/**
 * Returns the length of the message, or undefined if the bytes can't begin one.
 *
 * @param {Uint8Array} bytes at least a prelude
 */
export function lengthOf(bytes) {
  const data = view(bytes);
  const [total, headers] = [data.getUint32(0), data.getUint32(4)];
  return total <= LONGEST && total >= PRELUDE + headers + CHECKSUM ? total : undefined;
}

/** Returns the name and the payload of a message. @param {Uint8Array} bytes @returns {FrameEvent | undefined} */
export function parseMessage(bytes) {
  if (bytes.length < PRELUDE || bytes[0] !== 0 || !isPrelude(bytes)) return undefined;
  const length = view(bytes).getUint32(4);
  const headers = headersOf(bytes.subarray(PRELUDE, PRELUDE + length));
  const end = Math.max(PRELUDE + length, Math.min(bytes.length, view(bytes).getUint32(0)) - CHECKSUM);
  const data = new TextDecoder().decode(bytes.subarray(PRELUDE + length, end));
  const name = headers[":event-type"] ?? headers[":exception-type"] ?? headers[":error-code"] ?? "";
  const value = parseJson(data);
  return { name, data, value: withChunk(value), isJson: value !== undefined, headers };
}

/** Decodes the payload of `InvokeModelWithResponseStream`, which is an event in base64. @param {unknown} value */
function withChunk(value) {
  const encoded = asString(asObject(value).bytes);
  if (encoded === undefined) return value;
  const chunk = parseJson(new TextDecoder().decode(bytesIfValid(encoded)));
  return chunk === undefined ? value : { ...asObject(value), bytes: chunk };
}

/** Returns the headers that are strings. @param {Uint8Array} bytes */
function headersOf(bytes) {
  const data = view(bytes);
  const decoder = new TextDecoder();
  /** @type {Record<string, string>} */
  const headers = {};
  let at = 0;
  while (at + 2 <= bytes.length) {
    const nameEnd = at + 1 + bytes[at];
    const name = decoder.decode(bytes.subarray(at + 1, nameEnd));
    const type = bytes[nameEnd];
    const fixed = SIZES[type];
    if (fixed === undefined && nameEnd + 3 > bytes.length) break;
    const start = nameEnd + (fixed === undefined ? 3 : 1);
    const end = start + (fixed ?? data.getUint16(nameEnd + 1));
    if (type === STRING) headers[name] = decoder.decode(bytes.subarray(start, end));
    at = end;
  }
  return headers;
}
