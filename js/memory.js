/** The memory of the WebAssembly module, and the text in it. */

/** A byte order mark is text like any other. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Up to so many bytes, taking ASCII apart by hand is faster than a call of anything. */
const SHORT = 8;

/** Node and Bun take text out of memory in a fraction of the time of a decoder, where it has not to be decoded. */
const { latin1Slice, ucs2Slice } = globalThis.Buffer?.prototype ?? {};

let memory;
let byteView;
let wordView;

export function openMemory(ofModule) {
  memory = ofModule;
  byteView = new Uint8Array(memory.buffer);
  wordView = new Uint32Array(memory.buffer);
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
  return decoder.decode(bytes().subarray(address, address + length));
}

/** The ASCII text at an address. */
export function readAscii(address, length) {
  const view = bytes();
  if (length > SHORT) {
    return latin1Slice ? latin1Slice.call(view, address, address + length) : readText(address, length);
  }
  let text = "";
  // One at a time: with more of them at once fromCharCode is slower.
  for (let at = address; at < address + length; at++) text += String.fromCharCode(view[at]);
  return text;
}

/** Text that the module has laid out: see src/wasm/units.rs. */
export function readUnits(address, length, form, units, size) {
  if (form === 0) return readAscii(address, length);
  if (!ucs2Slice) return readText(address, length);
  return (form === 1 ? latin1Slice : ucs2Slice).call(bytes(), units, units + size);
}
