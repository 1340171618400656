/** Recognises the form of an input by its first bytes or characters. */

/**
 * - `messages`: an AWS event stream, which begins with a zero byte
 * - `events`: server-sent events, which begin with the name of a field or a comment
 * - `array`: a stream that is one array of objects
 * - `json`: a body, or lines of JSON, which begin alike
 * - `text`: anything else
 *
 * @typedef {"messages" | "events" | "array" | "json" | "text"} Form
 */

const BRACKET = 0x5b;
const BRACE = 0x7b;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf, 0xfeff];

/** The first letters of `data`, `event`, `id` and `retry`, and the colon of a comment. */
const FIELDS = Array.from("deir:", (letter) => letter.charCodeAt(0));

/** Recognises the form of an input, wherever it is split. */
export class Beginning {
  /** @type {Form | undefined} undefined until there is more than white space, or than the start of an array */
  form;
  /** Offset of the content after leading white space, in bytes, or in code units for text. */
  start = 0;
  #isFirst = true;
  #isInArray = false;

  /**
   * Reads the next part of the input, and returns the form if it is known.
   *
   * @param {string | Uint8Array} part
   */
  push(part) {
    for (let at = 0; at < part.length && this.form === undefined; at++) {
      this.#read(/** @type {number} */ (typeof part === "string" ? part.charCodeAt(at) : part[at]));
    }
    return this.form;
  }

  /** @param {number} unit a byte, or a code unit */
  #read(unit) {
    const isBlank = unit <= 0x20 || BYTE_ORDER_MARK.includes(unit);
    if (unit === 0 && this.#isFirst) this.form = "messages";
    else if (isBlank) this.start += this.#isInArray ? 0 : 1;
    else if (this.#isInArray) this.form = unit === BRACE ? "array" : "json";
    else if (unit === BRACKET) this.#isInArray = true;
    else if (unit === BRACE) this.form = "json";
    else this.form = FIELDS.includes(unit) ? "events" : "text";
    this.#isFirst = false;
  }
}
