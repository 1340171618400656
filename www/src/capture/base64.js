// Base64 in captures.

const CHARACTERS_PER_CALL = 8192;

/** @param {string} text @returns {Uint8Array<ArrayBuffer>} empty if the text isn't valid base64 */
export function fromBase64(text) {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}

/** @param {Uint8Array} bytes */
export function toBase64(bytes) {
  let characters = "";
  // A call takes only so many arguments.
  for (let start = 0; start < bytes.length; start += CHARACTERS_PER_CALL) {
    characters += String.fromCharCode(...bytes.subarray(start, start + CHARACTERS_PER_CALL));
  }
  return btoa(characters);
}
