/** Passes bytes and text to the WebAssembly module, in memory that it has set aside. */

import { inbox } from "../pkg/wasm/respool.js";
import { textEncoder, writeAscii } from "./encoding.js";
import { onFailure } from "./guard.js";
import { bytes } from "./memory.js";

/** At least this many bytes are set aside, and in the long run no more. */
const KEPT = 1 << 16;

let address = 0;
let size = 0;

onFailure(() => {
  size = 0;
});

/** @param {number} length */
function reserve(length) {
  if (length <= size && (length > KEPT || size === KEPT)) return;
  size = Math.max(length, KEPT);
  address = inbox(size);
}

/** Frees memory after an unusually large piece. */
export function trim() {
  if (size > KEPT) {
    size = 0;
    reserve(KEPT);
  }
}

/**
 * Writes a piece into the inbox.
 *
 * @param {Uint8Array} piece
 * @param {number} length of the piece
 */
export function writeBytes(piece, length) {
  reserve(length);
  if (length > 0) bytes().set(piece, address);
}

/**
 * Writes text into the inbox, and returns its length in bytes.
 *
 * @param {string} text
 */
export function writeText(text) {
  reserve(text.length * 3);
  const view = bytes();
  if (writeAscii(text, view, address) === text.length) return text.length;
  return textEncoder().encodeInto(text, view.subarray(address, address + size)).written;
}
