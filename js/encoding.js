/**
 * Encodes and decodes UTF-8. Encoders are created on first use, so that the package can be imported where they are
 * missing; Buffer replaces them, as in Jest with jsdom.
 */

import { RespoolError } from "./errors.js";

/**
 * @typedef {object} BufferClass
 * @property {{
 *   (text: string): Uint8Array<ArrayBuffer>,
 *   (buffer: ArrayBufferLike, byteOffset: number, length: number): Uint8Array & { write(text: string): number },
 * }} from
 */

/** @typedef {Pick<TextEncoder, "encode"> & { encodeInto(text: string, target: Uint8Array): { read?: number, written: number } }} Encoder */

const { TextDecoder, TextEncoder, Buffer } =
  /** @type {Partial<Pick<typeof globalThis, "TextDecoder" | "TextEncoder">> & { Buffer?: BufferClass }} */ (
    /** @type {unknown} */ (globalThis)
  );

/** Safari's decoder fails after this many bytes in total. */
const MAX_BYTES = 2 ** 31 - 2 ** 20;

/** @type {{ decode(bytes: Uint8Array): string } | undefined} */
let decoder;
/** @type {Encoder | undefined} */
let encoder;
let decoded = 0;

/**
 * Decodes UTF-8. A byte order mark is kept as text.
 *
 * @param {Uint8Array} bytes
 */
export function decodeText(bytes) {
  decoded += bytes.length;
  if (decoder === undefined || decoded >= MAX_BYTES) {
    decoder = newDecoder();
    decoded = bytes.length;
  }
  return decoder.decode(bytes);
}

/**
 * Decodes UTF-8 without its byte order mark.
 *
 * @param {Uint8Array} bytes
 */
export const decodeDocument = (bytes) => decodeText(bytes).replace(/^\uFEFF/, "");

/** Returns a `TextEncoder`, or a replacement for it. */
export function textEncoder() {
  encoder ??= newEncoder();
  return encoder;
}

/** Maximum length in characters for which writing ASCII by hand is faster than the encoder. */
const SHORT = 32;

/**
 * Writes the leading ASCII characters of a text, and returns their number. Of a long text, writes either all or none.
 *
 * @param {string} text
 * @param {Uint8Array} bytes
 * @param {number} at offset to write at
 */
export function writeAscii(text, bytes, at) {
  const { length } = text;
  if (length > SHORT) {
    const { read, written } = textEncoder().encodeInto(text, bytes.subarray(at, at + length));
    return read === length && written === length ? length : 0;
  }
  let nth = 0;
  for (; nth < length; nth++) {
    const unit = text.charCodeAt(nth);
    if (unit > 0x7f) break;
    bytes[at + nth] = unit;
  }
  return nth;
}

/** @returns {{ decode(bytes: Uint8Array): string }} */
function newDecoder() {
  if (TextDecoder) return new TextDecoder("utf-8", { ignoreBOM: true });
  if (Buffer) return { decode: (bytes) => bufferOn(bytes, Buffer).toString() };
  throw missing("TextDecoder");
}

/** @returns {Encoder} */
function newEncoder() {
  if (TextEncoder) return new TextEncoder();
  if (Buffer) {
    return {
      encode: (text = "") => Buffer.from(text),
      encodeInto: (text, target) => ({ written: bufferOn(target, Buffer).write(text) }),
    };
  }
  throw missing("TextEncoder");
}

/** @type {(bytes: Uint8Array, Class: BufferClass) => Uint8Array & { write(text: string): number }} */
const bufferOn = ({ buffer, byteOffset, byteLength }, Class) => Class.from(buffer, byteOffset, byteLength);

/** @type {(name: string) => RespoolError} */
const missing = (name) => new RespoolError("missing-global", `respool needs the global ${name}, which is not defined here`);
