/**
 * Text to UTF-8 and back. Encoders are created when they are first needed, so that the package can be imported where
 * they are missing; Buffer takes their place, as in Jest with jsdom.
 */

import { RespoolError } from "./errors.js";

const { TextDecoder, TextEncoder, Buffer } = globalThis;

/** Safari's decoder fails after this many bytes in all. */
const MAX_BYTES = 2 ** 31 - 2 ** 20;

let decoder;
let encoder;
let decoded = 0;

/** A byte order mark is text like any other. */
export function decodeText(bytes) {
  decoded += bytes.length;
  if (decoder === undefined || decoded >= MAX_BYTES) {
    decoder = newDecoder();
    decoded = bytes.length;
  }
  return decoder.decode(bytes);
}

/** A `TextEncoder`, or what acts for one. */
export const textEncoder = () => (encoder ??= newEncoder());

function newDecoder() {
  if (TextDecoder) return new TextDecoder("utf-8", { ignoreBOM: true });
  if (Buffer) return { decode: (bytes) => bufferOn(bytes).toString() };
  throw missing("TextDecoder");
}

function newEncoder() {
  if (TextEncoder) return new TextEncoder();
  if (Buffer) return { encode: Buffer.from, encodeInto: (text, target) => ({ written: bufferOn(target).write(text) }) };
  throw missing("TextEncoder");
}

const bufferOn = ({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength);

const missing = (name) => new RespoolError("missing-global", `respool needs the global ${name}, which is not defined here`);
