/** Collects bytes that arrive in parts, which may split characters. */

import { decodeDocument } from "./encoding.js";

export class ByteParts {
  /** @type {Uint8Array[]} */
  #parts = [];
  length = 0;

  /** @param {Uint8Array} part */
  push(part) {
    this.#parts.push(part);
    this.length += part.length;
  }

  /**
   * Decodes the bytes before an offset as UTF-8, without their byte order mark.
   *
   * @param {number} [end] the length, unless given
   */
  text(end) {
    const bytes = new Uint8Array(this.length);
    let offset = 0;
    for (const part of this.#parts) {
      bytes.set(part, offset);
      offset += part.length;
    }
    return decodeDocument(bytes.subarray(0, end));
  }
}
