// Unpacks the module that the default entry contains as text, with a small module of its own: see module-text/src/lib.rs.
import { bytesOf } from "../base64.js";

/**
 * A module as text, as written by scripts/build/module_text.mjs.
 *
 * @typedef {object} PackedModule
 * @property {string} unpacker the module that unpacks the text, in base64
 * @property {string} header the header for module-text/src/boundary.rs, in base64
 * @property {number} size the size of all streams, in bytes
 * @property {number} length the length of the module, in bytes
 * @property {string} text
 */

/** @typedef {{ memory: WebAssembly.Memory, unpack(start: number, size: number, length: number, textLength: number): void }} Unpacker */

/** @param {PackedModule} packed */
export function moduleOf({ unpacker, header, size, length, text }) {
  const instance = new WebAssembly.Instance(new WebAssembly.Module(bytesOf(unpacker)));
  const { memory, unpack } = /** @type {Unpacker} */ (/** @type {unknown} */ (instance.exports));
  const start = memory.buffer.byteLength;
  const head = bytesOf(header);
  const module = start + head.length + size;
  memory.grow(Math.ceil((module + length + text.length - start) / PAGE));
  const bytes = new Uint8Array(memory.buffer);
  bytes.set(head, start);
  // The text is ASCII, and some environments have no TextEncoder.
  for (let at = 0; at < text.length; at++) bytes[module + length + at] = text.charCodeAt(at);
  unpack(start, size, length, text.length);
  return new WebAssembly.Module(bytes.subarray(module, module + length));
}

const PAGE = 65_536;
