/** The memory of the WebAssembly module, and the texts in it. */

import { decodeText } from "./encoding.js";

/** @typedef {(this: Uint8Array, start: number, end: number) => string} Slice */

/**
 * Buffer's methods, with which Node and Bun read ASCII, Latin-1 and UTF-16 several times faster than with a decoder.
 *
 * @type {{ latin1Slice?: Slice, ucs2Slice?: Slice }}
 */
const { latin1Slice, ucs2Slice } =
  /** @type {{ Buffer?: { prototype: object } }} */ (/** @type {unknown} */ (globalThis)).Buffer?.prototype ?? {};

/** @type {WebAssembly.Memory} */
let memory;
/** @type {Uint8Array} */
let byteView;
/** @type {Uint32Array} */
let wordView;
/** @type {DataView} */
let dataView;

/** @param {WebAssembly.Memory} moduleMemory */
export function openMemory(moduleMemory) {
  memory = moduleMemory;
  byteView = new Uint8Array(memory.buffer);
  wordView = new Uint32Array(memory.buffer);
  dataView = new DataView(memory.buffer);
}

/** Returns the memory as bytes. When the memory grows, the old view becomes empty. */
export function bytes() {
  if (byteView.length === 0) openMemory(memory);
  return byteView;
}

/** Returns the memory as 32-bit numbers. */
export function words() {
  if (wordView.length === 0) openMemory(memory);
  return wordView;
}

/**
 * Reads the UTF-8 text at an address.
 *
 * @param {number} address
 * @param {number} length in bytes
 */
export function readText(address, length) {
  return decodeText(bytes().subarray(address, address + length));
}

/**
 * Reads the ASCII text at an address.
 *
 * @param {number} address
 * @param {number} length
 */
function readAscii(address, length) {
  return latin1Slice ? latin1Slice.call(bytes(), address, address + length) : readText(address, length);
}

/** Maximum length in bytes for which a cache lookup is faster than creating a text: models repeat short pieces often. */
const SHORT = 8;

/** The cached texts, at the slot that their bytes hash to, and the bytes of each text as two words. */
const SLOTS = 1024;
/** @type {string[]} */
const cached = new Array(SLOTS).fill("");
const keys = new Uint32Array(2 * SLOTS);

/**
 * Reads the ASCII text of at most {@link SHORT} bytes at an address.
 *
 * @param {number} address
 * @param {number} length
 */
function readShort(address, length) {
  const low = (dataView.getUint32(address, true) & (length < 4 ? (1 << (length * 8)) - 1 : -1)) >>> 0;
  const high = length > 4 ? (dataView.getUint32(address + 4, true) & (length < 8 ? (1 << ((length & 3) * 8)) - 1 : -1)) >>> 0 : 0;
  const slot = (Math.imul(low, 0x9e3779b1) + Math.imul(high, 0x85ebca6b)) >>> 22;
  const known = /** @type {string} */ (cached[slot]);
  if (keys[2 * slot] === low && keys[2 * slot + 1] === high && known.length === length) return known;
  let text = "";
  for (let at = address; at < address + length; at++) text += String.fromCharCode(/** @type {number} */ (byteView[at]));
  keys[2 * slot] = low;
  keys[2 * slot + 1] = high;
  cached[slot] = text;
  return text;
}

/**
 * Reads text that the module has written: see src/wasm/units.rs.
 *
 * @param {number} address address of the UTF-8
 * @param {number} length length of the UTF-8 in bytes
 * @param {number} form 0: ASCII. 1: also Latin-1. 2: also UTF-16
 * @param {number} units address of the text in that form
 * @param {number} size length in that form, in bytes
 */
export function readUnits(address, length, form, units, size) {
  // A short text is read as two words, both of which must lie inside the memory.
  if (form === 0)
    return length <= SHORT && address + SHORT <= bytes().length ? readShort(address, length) : readAscii(address, length);
  const slice = form === 1 ? latin1Slice : ucs2Slice;
  return slice && ucs2Slice ? slice.call(bytes(), units, units + size) : readText(address, length);
}
