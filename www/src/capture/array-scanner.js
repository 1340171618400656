// Finds the ends of the elements of a JSON array, wherever its bytes are split.

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

export class ArrayScanner {
  #depth = 0;
  #isInString = false;
  #isEscaped = false;

  /** Returns the end of the next element in the following bytes, or undefined. @param {Uint8Array} bytes */
  next(bytes) {
    for (let at = 0; at < bytes.length; at++) if (this.#read(bytes[at])) return at + 1;
    return undefined;
  }

  /** Whether the byte ends an element. @param {number} byte */
  #read(byte) {
    if (this.#isInString) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === BACKSLASH) this.#isEscaped = true;
      else if (byte === QUOTE) this.#isInString = false;
      return false;
    }
    if (byte === QUOTE) this.#isInString = true;
    // Brackets and braces differ in one bit.
    else if ((byte | 0x20) === 0x7b) this.#depth += 1;
    else if ((byte | 0x20) === 0x7d) {
      this.#depth -= 1;
      return this.#depth === 1;
    }
    return false;
  }
}
