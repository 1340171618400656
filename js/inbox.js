/** What is handed to the WebAssembly module: bytes and text, written into memory that it has set aside. */

import { inbox } from "../pkg/wasm/respool.js";
import { textEncoder } from "./encoding.js";
import { onFailure } from "./guard.js";
import { bytes } from "./memory.js";

/** At the least so many bytes are set aside, and for a longer time no more. */
const KEPT = 1 << 16;

let address = 0;
let size = 0;

onFailure(() => (size = 0));

function reserve(length) {
  if (length <= size) return;
  size = Math.max(length, KEPT);
  address = inbox(size);
}

/** Gives memory back after an uncommonly large piece. */
export function trim() {
  if (size > KEPT) {
    size = 0;
    reserve(KEPT);
  }
}

/** Writes so many bytes, which are all of a piece, into the inbox. */
export function writeBytes(piece, length) {
  reserve(length);
  if (length > 0) bytes().set(piece, address);
}

/** Up to so many characters, writing ASCII by hand is faster than a call of the encoder. */
const SHORT = 32;

/** Writes text into the inbox; how many bytes it has. */
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
