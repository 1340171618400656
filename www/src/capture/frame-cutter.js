// Cuts incoming bytes into frames: server-sent events, JSON lines, binary messages, the elements of an array, or one body.
import { Beginning } from "../../../js/beginning.js";
import { ArrayScanner } from "./array-scanner.js";
import { isPrelude, lengthOf, PRELUDE } from "./aws-messages.js";

const LF = 10;
const CR = 13;

/**
 * The framing of the bytes, as far as their beginning shows it.
 * @typedef {"unknown" | "events" | "lines" | "messages" | "array" | "body"} Framing
 */

/**
 * The bytes from `start` to before `end`.
 * @typedef {{ start: number, end: number }} Range
 */

/** A byte buffer that doubles its capacity instead of copying at each append. */
class GrowingBytes {
  #buffer = new Uint8Array(1 << 12);
  length = 0;

  /** @param {Uint8Array} bytes */
  append(bytes) {
    if (this.length + bytes.length > this.#buffer.length) {
      const larger = new Uint8Array(Math.max(this.#buffer.length * 2, this.length + bytes.length));
      larger.set(this.slice(0, this.length));
      this.#buffer = larger;
    }
    this.#buffer.set(bytes, this.length);
    this.length += bytes.length;
  }

  /** @param {number} index */
  at(index) {
    return this.#buffer[index];
  }

  /** @param {number} start @param {number} end */
  slice(start, end) {
    return this.#buffer.subarray(start, end);
  }

  /** @param {number} byte @param {number} from */
  indexOf(byte, from) {
    const found = this.#buffer.subarray(from, this.length).indexOf(byte);
    return found < 0 ? -1 : from + found;
  }
}

export class FrameCutter {
  /** @type {Framing} */
  framing = "unknown";
  #bytes = new GrowingBytes();
  #beginning = new Beginning();
  /** Start offset of the current, incomplete frame. */
  #start = 0;
  /** Offset before which no frame ends. */
  #scanned = 0;
  #elements = new ArrayScanner();

  get length() {
    return this.#bytes.length;
  }

  /** @param {number} start @param {number} end */
  slice(start, end) {
    return this.#bytes.slice(start, end);
  }

  /** @param {Uint8Array} bytes @returns {Range[]} the frames that these bytes completed */
  push(bytes) {
    this.#bytes.append(bytes);
    this.#beginning.push(bytes);
    if (this.framing === "unknown") this.framing = this.#detectFraming();
    const frames = [];
    for (let frame = this.#next(); frame; frame = this.#next()) {
      if (!this.#isBlank(frame)) frames.push(frame);
    }
    return frames;
  }

  /** @returns {Range[]} the rest of the input, as a last frame unless it is blank */
  finish() {
    const frame = { start: this.#start, end: this.#bytes.length };
    this.#start = frame.end;
    return this.#isBlank(frame) ? [] : [frame];
  }

  #next() {
    const end = this.#endOfFrame();
    if (end === undefined) return undefined;
    const frame = { start: this.#start, end };
    this.#start = this.#scanned = end;
    return frame;
  }

  #endOfFrame() {
    if (this.framing === "events") return this.#endOfEvent();
    if (this.framing === "messages") return this.#endOfMessage();
    if (this.framing === "array") return this.#endOfElement();
    return this.framing === "lines" ? this.#endOfLine() : undefined;
  }

  #endOfElement() {
    const end = this.#elements.next(this.#bytes.slice(this.#scanned, this.#bytes.length));
    const at = this.#scanned;
    this.#scanned = end === undefined ? this.#bytes.length : at + end;
    return end === undefined ? undefined : at + end;
  }

  #endOfMessage() {
    const start = this.#start;
    if (this.#bytes.length - start < PRELUDE) return undefined;
    const length = lengthOf(this.#bytes.slice(start, start + PRELUDE));
    // The rest of a corrupt stream is one frame.
    return length === undefined || start + length > this.#bytes.length ? undefined : start + length;
  }

  #endOfLine() {
    const end = this.#bytes.indexOf(LF, this.#scanned);
    this.#scanned = end < 0 ? this.#bytes.length : end;
    return end < 0 ? undefined : end + 1;
  }

  /** Returns the offset after an empty line. Lines end with LF, CR or CRLF. */
  #endOfEvent() {
    const bytes = this.#bytes;
    for (let at = this.#scanned; at < bytes.length; at++) {
      const byte = bytes.at(at);
      if (byte !== LF && byte !== CR) continue;
      let after = at + 1;
      if (byte === CR && bytes.at(after) === LF) after += 1;
      if (after >= bytes.length) {
        this.#scanned = at;
        return undefined;
      }
      const next = bytes.at(after);
      if (next === LF) return after + 1;
      if (next === CR) {
        if (after + 1 >= bytes.length) {
          this.#scanned = at;
          return undefined;
        }
        return bytes.at(after + 1) === LF ? after + 2 : after + 1;
      }
      at = after - 1;
    }
    this.#scanned = bytes.length;
    return undefined;
  }

  /** @param {Range} range */
  #isBlank({ start, end }) {
    return this.#bytes.slice(start, end).every((byte) => byte <= 0x20);
  }

  /**
   * Detects the framing. If the first line is complete JSON, so are the others.
   *
   * @returns {Framing}
   */
  #detectFraming() {
    const { form, start } = this.#beginning;
    if (form === undefined) return "unknown";
    if (form === "array") return "array";
    if (form === "messages") {
      if (this.#bytes.length < PRELUDE) return "unknown";
      return isPrelude(this.#bytes.slice(0, PRELUDE)) ? "messages" : "events";
    }
    if (form !== "json") return "events";
    const end = this.#bytes.indexOf(LF, start);
    if (end < 0) return "unknown";
    return isJsonText(this.#bytes.slice(start, end)) ? "lines" : "body";
  }
}

/** @param {Uint8Array} bytes */
function isJsonText(bytes) {
  try {
    JSON.parse(new TextDecoder().decode(bytes));
    return true;
  } catch {
    return false;
  }
}
