// Writes the items of a JSON array, or consecutive JSON values, one per line, as in a batch result file.

const [TAB, LINE_FEED, SPACE, QUOTE, COMMA, BACKSLASH] = [9, 10, 32, 34, 44, 92];
const BRACE = 123;
const OPENING = [91, BRACE];
const CLOSING = [93, 125];

/** Splits an array or a sequence of objects, wherever the input is split. Other text in a sequence gets its own lines. */
export class ItemLines {
  /** Nesting depth of the items. */
  #top;
  /** Number of items that have begun, without other text. */
  count = 0;
  /** Whether the array has ended. */
  isOver = false;
  #depth = 0;
  /** Number of items and texts that have begun. */
  #begun = 0;
  /** Whether an item or a text has begun and isn't over. */
  #isInItem = false;
  #isInString = false;
  #isEscaped = false;

  /** @param {"array" | "sequence"} form */
  constructor(form) {
    this.#top = form === "array" ? 1 : 0;
  }

  /** Whether a sequence has text that isn't an item. */
  get hasText() {
    return this.#begun > this.count;
  }

  /**
   * Reads the next part of the input, and returns it as lines.
   *
   * @param {Uint8Array} part
   */
  push(part) {
    const lines = new Uint8Array(2 * part.length);
    let length = 0;
    for (const byte of part) {
      const begun = this.#begun;
      const written = this.#isInString ? this.#readString(byte) : this.#read(byte);
      if (this.#top === 0 && begun > 0 && this.#begun > begun) lines[length++] = LINE_FEED;
      if (written !== undefined) lines[length++] = written;
    }
    return lines.subarray(0, length);
  }

  /** @param {number} byte */
  #readString(byte) {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) this.#isInString = false;
    return byte;
  }

  /**
   * @param {number} byte
   * @returns {number | undefined} the byte to write, if any
   */
  #read(byte) {
    if (byte === LINE_FEED || byte === TAB || byte === 13) {
      if (this.#depth === 0 && byte !== TAB) this.#isInItem = false; // a line break ends a text
      return this.#isInItem ? SPACE : undefined;
    }
    const isOpening = OPENING.includes(byte);
    if (this.#depth < this.#top) {
      if (isOpening) this.#depth = 1; // the array's own bracket
      return undefined;
    }
    if (this.#top === 1 && this.#depth === 1 && (byte === COMMA || CLOSING.includes(byte))) {
      this.#isInItem = false;
      if (byte === COMMA) return LINE_FEED;
      this.#depth = 0;
      this.isOver = true;
      return undefined;
    }
    if (!this.#isInItem || (isOpening && this.#depth === 0)) {
      if (byte === SPACE) return undefined;
      this.#isInItem = true;
      this.#begun += 1;
      if (byte === BRACE || this.#top === 1) this.count += 1;
    }
    if (isOpening) this.#depth += 1;
    else if (CLOSING.includes(byte) && this.#depth > this.#top) {
      this.#depth -= 1;
      this.#isInItem = this.#depth > 0;
    }
    this.#isInString = byte === QUOTE && this.#depth > 0;
    return byte;
  }
}
