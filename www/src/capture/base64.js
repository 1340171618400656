// Base64 in captures.
import { bytesOf } from "../../../js/base64.js";

/** @param {string} text @returns {Uint8Array<ArrayBuffer>} empty if the text isn't valid base64 */
export function fromBase64(text) {
  try {
    return bytesOf(text);
  } catch {
    return new Uint8Array();
  }
}
