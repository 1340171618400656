/**
 * Recognises chunk objects that repeat an earlier one except for their text, as most do. For each chunk that the module
 * has read, it returns the path to the text, and the members that may differ. Of a chunk that is otherwise the same,
 * only the text is passed on. This code doesn't interpret chunks, and affects nothing but speed.
 */

/** @import { Delta } from "./types/api.js" */
/** @import { Accumulator } from "../pkg/wasm/respool.js" */
/** @import { TextDelta } from "./deltas.js" */
/** @import { Handle } from "./handle.js" */
/** @import { Pattern } from "./patterns.js" */

import { kindOf, takeDeltas, textDelta, toolCallDelta } from "./deltas.js";
import { isInboxBusy, writeText } from "./inbox.js";
import { patternOf, textOf } from "./patterns.js";

/** Returned by the module instead of a number of deltas: see src/wasm/accumulator.rs. */
export const FINISHED = 0xffffffff;
const AS_EXPECTED = 0xfffffffe;

/**
 * Returned by the module for a chunk that can't be repeated. For others, it returns a number above the number of the
 * shape.
 */
const UNREPEATABLE = 0xffffffff;
const NUMBER_SHIFT = 16;
const SHAPE_MASK = 0xffff;

/** Length in code units from which the text of repeated chunks is passed to the module. */
const MAX_PENDING = 4096;

/** Length in code units from which the module may compare a piece with all text before it. */
const MIN_COMPARED = 14;

/**
 * Whether the module may compare a piece with all arguments before it: as JSON, or as a JSON string.
 *
 * @param {string} text
 */
const mayRepeatArguments = (text) => /^\s*"?\{/.test(text);

/** After this many chunks in a row that matched no earlier one, only one in this many is learned. */
const MAX_MISSES = 32;

/** @typedef {{ pattern: Pattern | undefined, like: TextDelta | undefined }} Repeat a chunk's pattern, and a delta that such a chunk led to */

export class Repeats {
  #handle;
  /**
   * The chunks that may be repeated, by the module's numbers.
   *
   * @type {Repeat[]}
   */
  #known = [];
  /**
   * Number of the last repeated chunk, if nothing else was read since; otherwise -1. The delta of such a chunk is
   * known, so that its text can be held until the module needs it.
   */
  #last = -1;
  #pending = "";
  /**
   * Whether the text of a repeated chunk may be held. It isn't if only the module can tell what the text leads to: with
   * partial JSON or the loop detector.
   */
  #mayWait;
  /** Matches text with which neither a tool call nor reasoning can begin; undefined if text isn't searched. */
  #plain;
  #hasTemplates;
  /** Number of chunks in a row that matched none of the learned ones. */
  #misses = 0;

  /** @param {Handle<Accumulator>} handle */
  constructor(handle) {
    this.#handle = handle;
    const { inner } = handle;
    const switches = inner.switches();
    this.#hasTemplates = (switches & 1) !== 0;
    this.#mayWait = (switches & 2) !== 0;
    this.#plain = (switches & 4) === 0 ? undefined : plainText(inner.leads());
  }

  /** Passes the held text to the module, and returns the object in the module. */
  settle() {
    const { inner } = this.#handle;
    if (this.#last < 0) return inner;
    const number = this.#last;
    const text = this.#pending;
    this.#last = -1;
    this.#pending = "";
    if (text !== "") inner.pushRepeatedText(number, text);
    return inner;
  }

  /**
   * Returns the deltas of a chunk that repeats an earlier one; undefined for any other.
   *
   * @param {object} chunk
   * @returns {Delta[] | undefined}
   */
  push(chunk) {
    for (let number = 0; number < this.#known.length; number++) {
      const { pattern, like } = /** @type {Repeat} */ (this.#known[number]);
      const text = pattern && !isInboxBusy() ? textOf(pattern, chunk) : undefined;
      // A getter may have pushed to this accumulator meanwhile, or freed it.
      if (text === undefined || this.#known[number]?.pattern !== pattern) continue;
      this.#misses = 0;
      const mayWait = like?.type === "tool-call-delta" ? !mayRepeatArguments(text) : text.length < MIN_COMPARED;
      if (number === this.#last && mayWait && (this.#plain === undefined || this.#plain.test(text))) {
        this.#pending += text;
        if (this.#pending.length > MAX_PENDING) this.settle();
        return [withText(/** @type {TextDelta} */ (like), text)];
      }
      const deltas = this.#pushText(number, like, text);
      if (deltas) return deltas;
    }
    return undefined;
  }

  /**
   * Returns the deltas of a repeated chunk; undefined if the module no longer knows it.
   *
   * @param {number} number
   * @param {TextDelta | undefined} like a delta that such a chunk led to
   * @param {string} text
   * @returns {Delta[] | undefined}
   */
  #pushText(number, like, text) {
    const count = this.settle().pushRepeat(number, writeText(text), kindOf(like));
    if (count === FINISHED) return undefined;
    if (count === AS_EXPECTED) {
      if (this.#mayWait) this.#last = number;
      return [withText(/** @type {TextDelta} */ (like), text)];
    }
    const deltas = takeDeltas(count);
    const [delta] = /** @type {TextDelta[]} */ (deltas);
    const isPlain = deltas.length === 1 && (delta?.type === "tool-call-delta" ? delta.arguments : delta?.text) === text;
    // A call that was found in the text has another id the next time.
    const isLasting = this.#plain === undefined || delta?.type !== "tool-call-delta";
    const repeat = this.#known[number];
    if (isPlain && isLasting && repeat) repeat.like = delta;
    return deltas;
  }

  /**
   * Remembers a chunk that the module has just read, and that may be repeated with another text.
   *
   * @param {object} chunk
   */
  learn(chunk) {
    if (!this.#hasTemplates) return;
    const { inner } = this.#handle;
    // If chunks never match, learning each costs more than it saves.
    this.#misses = this.#misses < 2 * MAX_MISSES ? this.#misses + 1 : MAX_MISSES;
    const isPatient = this.#misses <= MAX_MISSES;
    if (!isPatient && this.#known.length === 0) return;
    const again = inner.repeatable();
    const isRepeatable = again !== UNREPEATABLE;
    const kept = isRepeatable ? again >>> NUMBER_SHIFT : 0;
    if (this.#known.length > kept) this.#known = this.#known.slice(0, kept);
    const pattern = isRepeatable && isPatient ? patternOf(chunk, again & SHAPE_MASK) : undefined;
    if (isRepeatable && this.#known.length === kept) this.#known = [...this.#known, { pattern, like: undefined }];
  }

  /** Forgets all chunks. */
  clear() {
    this.#known = [];
    this.#last = -1;
    this.#pending = "";
  }
}

/**
 * Returns an expression for ASCII text without these characters; letters are only excluded at the start of a word.
 *
 * @param {string} leads
 */
function plainText(leads) {
  if (leads === "") return undefined;
  const letters = leads.replace(/\W/g, "");
  const others = leads.replace(/\w/g, "").replace(/[\]\\^-]/g, "\\$&");
  return new RegExp(`^${letters && `(?![^]*\\b[${letters}])`}[^${others}\\u0080-\\uffff]*$`);
}

/**
 * Returns a delta like another one, with this text.
 *
 * @param {TextDelta} like
 * @param {string} text
 * @returns {TextDelta}
 */
function withText(like, text) {
  const choice = like.choice ?? 0;
  if (like.type === "tool-call-delta") return toolCallDelta(like.index, like.id, text, choice);
  return textDelta(like.type, text, choice);
}
