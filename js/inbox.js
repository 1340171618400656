/** Passes bytes and text to the WebAssembly module through the inbox, a reserved area of its memory. */

/** @import { Bytes } from "./types/api.js" */

import { inbox } from "../pkg/wasm/respool.js";
import { textEncoder, writeAscii } from "./encoding.js";
import { onFailure } from "./guard.js";
import { sizeOf } from "./input.js";
import { bytes } from "./memory.js";

/** Minimum size of the inbox in bytes, and its size between two calls. */
const KEPT = 1 << 16;

let address = 0;
let size = 0;

/** Whether the inbox is being read. A user's codec may push to another object meanwhile. */
let isBusy = false;

/** Returns whether an object is reading the inbox. */
export const isInboxBusy = () => isBusy;

onFailure(() => {
  size = 0;
});

/** @param {number} length */
function reserve(length) {
  if (length <= size && (length > KEPT || size === KEPT)) return;
  size = 0; // until the module has reserved it
  const wanted = Math.max(length, KEPT);
  address = inbox(wanted);
  size = wanted;
}

/**
 * Passes bytes to an object of the module, through the inbox if it is free.
 *
 * @template Output
 * @param {{ pushBytes(bytes: Bytes): Output, pushInbox(length: number): Output }} inner
 * @param {Bytes} bytes
 * @returns {Output}
 */
export function throughInbox(inner, bytes) {
  const length = sizeOf(bytes);
  if (length === undefined || isBusy) return inner.pushBytes(bytes);
  isBusy = true;
  try {
    writeBytes(/** @type {Uint8Array} */ (bytes), length);
    return inner.pushInbox(length);
  } finally {
    isBusy = false;
    trim();
  }
}

/** Frees memory after an unusually large piece. */
function trim() {
  if (size > KEPT) {
    size = 0;
    reserve(KEPT);
  }
}

/**
 * Writes a piece into the inbox.
 *
 * @param {Uint8Array} piece
 * @param {number} length length of the piece
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
