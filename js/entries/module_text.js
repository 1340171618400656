// The module of an entry that carries it as text: see module-text/src/lib.rs. A small module unpacks it.
import { bytesOf } from "../base64.js";

/** `header` is what module-text/src/boundary.rs wants first; `size` is that of all streams, in bytes. */
export function moduleOf({ unpacker, header, size, length, text }) {
  const { memory, unpack } = new WebAssembly.Instance(new WebAssembly.Module(bytesOf(unpacker))).exports;
  const start = memory.buffer.byteLength;
  const head = bytesOf(header);
  const module = start + head.length + size;
  memory.grow(Math.ceil((module + length + text.length - start) / PAGE));
  const bytes = new Uint8Array(memory.buffer);
  bytes.set(head, start);
  // The text is ASCII. Not every environment has a TextEncoder.
  for (let at = 0; at < text.length; at++) bytes[module + length + at] = text.charCodeAt(at);
  unpack(start, size, length, text.length);
  return new WebAssembly.Module(bytes.subarray(module, module + length));
}

const PAGE = 65_536;
