/** @typedef {{ from(text: string, encoding: "base64"): Uint8Array<ArrayBuffer> }} BufferClass */

/**
 * Decodes base64, with Buffer if there is one: it is ten times as fast.
 *
 * @param {string} base64
 */
export function bytesOf(base64) {
  const { Buffer } = /** @type {{ Buffer?: BufferClass }} */ (/** @type {unknown} */ (globalThis));
  return Buffer?.from(base64, "base64") ?? Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
