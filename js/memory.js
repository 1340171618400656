/** The memory of the WebAssembly module, and the text in it. */

import { decodeText } from "./encoding.js";

/** Node and Bun take text out of memory in a fraction of the time of a decoder, where it has not to be decoded. */
const { latin1Slice, ucs2Slice } = globalThis.Buffer?.prototype ?? {};

let memory;
let byteView;
let wordView;
let view;

export function openMemory(ofModule) {
  memory = ofModule;
  byteView = new Uint8Array(memory.buffer);
  wordView = new Uint32Array(memory.buffer);
  view = new DataView(memory.buffer);
}

/** The bytes of the memory. When it grows the view of before has no bytes any more. */
export function bytes() {
  if (byteView.length === 0) openMemory(memory);
  return byteView;
}

/** The same, in numbers of 32 bits. */
export function words() {
  if (wordView.length === 0) openMemory(memory);
  return wordView;
}

/** The UTF-8 text at an address. */
export function readText(address, length) {
  return decodeText(bytes().subarray(address, address + length));
}

/** The ASCII text at an address. */
function readAscii(address, length) {
  return latin1Slice ? latin1Slice.call(bytes(), address, address + length) : readText(address, length);
}

/**
 * Up to so many bytes, looking a text up is faster than making it. The pieces in which models write come again and
 * again.
 */
const SHORT = 8;

/** The texts that were made last, by the bytes of them as two numbers, at the place that follows from these. */
const PLACES = 1024;
const made = new Array(PLACES).fill("");
const keys = new Uint32Array(2 * PLACES);

/** The ASCII text of so many bytes at an address. */
function readShort(address, length) {
  const low = (view.getUint32(address, true) & (length < 4 ? (1 << (length * 8)) - 1 : -1)) >>> 0;
  const high = length > 4 ? (view.getUint32(address + 4, true) & (length < 8 ? (1 << ((length & 3) * 8)) - 1 : -1)) >>> 0 : 0;
  const place = (Math.imul(low, 0x9e3779b1) + Math.imul(high, 0x85ebca6b)) >>> 22;
  const known = made[place];
  if (keys[2 * place] === low && keys[2 * place + 1] === high && known.length === length) return known;
  let text = "";
  for (let at = address; at < address + length; at++) text += String.fromCharCode(byteView[at]);
  keys[2 * place] = low;
  keys[2 * place + 1] = high;
  return (made[place] = text);
}

/** Text that the module has laid out: see src/wasm/units.rs. */
export function readUnits(address, length, form, units, size) {
  // All of the words that are looked at have to be in the memory.
  if (form === 0)
    return length <= SHORT && address + SHORT <= bytes().length ? readShort(address, length) : readAscii(address, length);
  if (!ucs2Slice) return readText(address, length);
  return (form === 1 ? latin1Slice : ucs2Slice).call(bytes(), units, units + size);
}
