/** @typedef {{ from(text: string, encoding: "base64"): Uint8Array<ArrayBuffer> }} BufferClass */

/**
 * Decodes base64, with Buffer if available, which is ten times as fast.
 *
 * @param {string} base64
 */
export function bytesOf(base64) {
  const { Buffer } = /** @type {{ Buffer?: BufferClass }} */ (/** @type {unknown} */ (globalThis));
  return Buffer?.from(base64, "base64") ?? Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

/**
 * Decodes base64 of a recording. Returns no bytes if it isn't valid.
 *
 * @param {string} base64
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function bytesIfValid(base64) {
  try {
    return bytesOf(base64);
  } catch {
    return new Uint8Array();
  }
}

/** Maximum number of arguments per function call. */
const MAX_ARGUMENTS = 2 ** 13;

/**
 * Encodes bytes in base64.
 *
 * @param {Uint8Array} bytes
 */
export function base64Of(bytes) {
  let characters = "";
  for (let at = 0; at < bytes.length; at += MAX_ARGUMENTS) {
    characters += String.fromCharCode(...bytes.subarray(at, at + MAX_ARGUMENTS));
  }
  return btoa(characters);
}
