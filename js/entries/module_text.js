// The module of an entry that has it inside, from its text: see module-text/src/lib.rs. What makes it of the text is a
// small module itself.
import { bytesOf } from "./base64.js";

/** `header` is what module-text/src/boundary.rs wants first; `size` is that of all streams, in bytes. */
export function moduleOf({ unpacker, header, size, length, text }) {
  const { memory, unpack } = new WebAssembly.Instance(new WebAssembly.Module(bytesOf(unpacker))).exports;
  const start = memory.buffer.byteLength;
  const head = bytesOf(header);
  const module = start + head.length + size;
  memory.grow(Math.ceil((module + length + text.length - start) / PAGE));
  const bytes = new Uint8Array(memory.buffer);
  bytes.set(head, start);
  new TextEncoder().encodeInto(text, bytes.subarray(module + length));
  unpack(start, size, length, text.length);
  return new WebAssembly.Module(bytes.subarray(module, module + length));
}

const PAGE = 65_536;
