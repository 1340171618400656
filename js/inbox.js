/** Passes bytes and text to the WebAssembly module, in memory that it has set aside. */

import { inbox } from "../pkg/wasm/respool.js";
import { textEncoder } from "./encoding.js";
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
  if (length <= size) return;
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

/** Up to this many characters, writing ASCII by hand is faster than the encoder. */
const SHORT = 32;

/**
 * Writes text into the inbox, and returns its length in bytes.
 *
 * @param {string} text
 */
export function writeText(text) {
  reserve(text.length * 3);
  const view = bytes();
  if (text.length <= SHORT) {
    let at = 0;
    for (; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      if (unit > 0x7f) break;
      view[address + at] = unit;
    }
    if (at === text.length) return at;
  }
  return textEncoder().encodeInto(text, view.subarray(address, address + size)).written;
}
