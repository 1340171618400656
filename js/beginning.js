/** What an input is, as far as its beginning tells. */

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

/** Finds the form of an input, however it is cut. */
export class Beginning {
  /** @type {Form | undefined} undefined as long as there is nothing but white space, or an array that has no item yet */
  form;
  /** Where the content begins, after white space. In bytes, or characters of text. */
  start = 0;
  #isFirst = true;
  #isInArray = false;

  /**
   * The next part of the input.
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
