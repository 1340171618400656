/** @import { Bytes, Delta, StreamAccumulator as PublicAccumulator, StreamAccumulatorOptions, StreamResult } from "./types/api.js" */
/** @import { TextDelta } from "./deltas.js" */
/** @import { Pattern } from "./repeats.js" */

import { Accumulator } from "../pkg/wasm/respool.js";
import { hasCodecs } from "./codecs.js";
import { kindOf, takeDeltas, textDelta, toolCallDelta } from "./deltas.js";
import { messageOf } from "./errors.js";
import { Handle, makeDisposable, makeInspectable } from "./handle.js";
import { isInboxBusy, throughInbox, writeText } from "./inbox.js";
import { readStreamOptions, refuseOthers, setOptions } from "./options.js";
import { refusePendingChunk } from "./pending.js";
import { writePlainJson } from "./plain_json.js";
import { patternOf, textOf } from "./repeats.js";
import { Results } from "./results.js";

/** What the module returns in place of a number of deltas: see src/wasm/accumulator.rs. */
const FINISHED = 0xffffffff;
const AS_EXPECTED = 0xfffffffe;
const UNREAD = 0xfffffffd;

/** What the module says of a chunk that can't be repeated. Of any other, it gives the number above that of the shape. */
const UNREPEATABLE = 0xffffffff;
const NUMBER_SHIFT = 16;
const SHAPE_MASK = 0xffff;

/** The text of repeated chunks is handed to the module once it is this long. */
const MAX_PENDING = 4096;

/** A piece of so many code units may be long enough for the module to compare it with all before it. */
const MIN_AGAIN = 14;

/** After so many chunks in a row that fitted none before, only one of so many is learned. */
const PATIENCE = 32;

/** What the constructor takes over from `restore`. @type {Accumulator | undefined} */
let restored;

/** @typedef {{ pattern: Pattern | undefined, like: TextDelta | undefined }} Repeat a chunk, and a delta that it led to */

/** What most accumulators have, so that thousands of them need no list each. @type {Repeat[]} */
const NONE = [];

export class StreamAccumulator {
  static get name() {
    return "StreamAccumulator";
  }

  #handle;
  /**
   * The chunks that may be repeated, by the number that the module gives them.
   *
   * @type {Repeat[]}
   */
  #repeats = NONE;
  /**
   * The chunk that was repeated last, if nothing else was read since: its delta is certain, so that its text can wait
   * until the module needs it. -1 for none.
   */
  #last = -1;
  #pending = "";
  /**
   * Whether the text of a repeated chunk may wait. Not if only the module can tell at once what a text leads to: partial
   * JSON, or a loop.
   */
  #mayWait;
  /** Matches text with which neither a tool call nor reasoning can begin; undefined if text isn't searched for them. */
  #plain;
  #hasTemplates;
  /** How many chunks in a row fitted none that was learned. */
  #misses = 0;
  /** Made when it is first needed: most accumulators only need one result. @type {Results | undefined} */
  #results;

  /** @param {StreamAccumulatorOptions} [options] */
  constructor(options) {
    const inner = restored ?? new Accumulator(readStreamOptions(options));
    this.#handle = new Handle(inner, "StreamAccumulator");
    const switches = inner.switches();
    this.#hasTemplates = (switches & 1) !== 0;
    this.#mayWait = (switches & 2) !== 0;
    this.#plain = (switches & 4) === 0 ? undefined : plainText(inner.leads());
  }

  /**
   * @param {Bytes} saved
   * @param {StreamAccumulatorOptions} [options]
   * @returns {PublicAccumulator}
   */
  static restore(saved, options) {
    const inner = Accumulator.restore(saved);
    try {
      const set = setOptions(options);
      const other = new Accumulator(readStreamOptions(options));
      try {
        refuseOthers(set, (number) => inner.hasOptionOf(other, number));
      } finally {
        other.free();
      }
    } catch (error) {
      inner.free();
      throw error;
    }
    restored = inner;
    try {
      return /** @type {PublicAccumulator} */ (/** @type {unknown} */ (new StreamAccumulator()));
    } finally {
      restored = undefined;
    }
  }

  /** The object in the module, once it has everything that was pushed. */
  #settle() {
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
   * @param {object} chunk
   * @returns {Delta[]}
   */
  push(chunk) {
    for (let number = 0; number < this.#repeats.length; number++) {
      const { pattern, like } = /** @type {Repeat} */ (this.#repeats[number]);
      const text = pattern && !isInboxBusy() ? textOf(pattern, chunk) : undefined;
      // A getter may have pushed to this accumulator meanwhile, or freed it.
      if (text === undefined || this.#repeats[number]?.pattern !== pattern) continue;
      this.#misses = 0;
      // Arguments that begin like an object may repeat all before them.
      // A long piece of text may be all before it once more.
      const mayWait = like?.type === "tool-call-delta" ? text[0] !== "{" : text.length < MIN_AGAIN;
      if (number === this.#last && mayWait && (this.#plain === undefined || this.#plain.test(text))) {
        this.#pending += text;
        if (this.#pending.length > MAX_PENDING) this.#settle();
        return [withText(/** @type {TextDelta} */ (like), text)];
      }
      const deltas = this.#pushRepeat(this.#settle(), number, like, text);
      if (deltas) return deltas;
    }
    const deltas = takeDeltas(this.#pushAnew(chunk));
    if (this.#hasTemplates) this.#learn(this.#handle.inner, chunk);
    return deltas;
  }

  /**
   * Has the module read a chunk; how many deltas it led to.
   *
   * @param {object} chunk
   */
  #pushAnew(chunk) {
    // A codec gets the chunk itself.
    const length = isInboxBusy() || hasCodecs() ? -1 : writePlainJson(chunk);
    const inner = this.#settle();
    const count = length === -1 ? UNREAD : inner.pushJson(length);
    if (count !== UNREAD) return count;
    refusePendingChunk(chunk);
    return inner.push(chunk);
  }

  /**
   * Remembers a chunk that may come again with another text.
   *
   * @param {Accumulator} inner
   * @param {object} chunk
   */
  #learn(inner, chunk) {
    // Where no chunk fits, learning each costs more than it saves.
    this.#misses = this.#misses < 2 * PATIENCE ? this.#misses + 1 : PATIENCE;
    const isPatient = this.#misses <= PATIENCE;
    if (!isPatient && this.#repeats.length === 0) return;
    const again = inner.repeatable();
    const isRepeatable = again !== UNREPEATABLE;
    const kept = isRepeatable ? again >>> NUMBER_SHIFT : 0;
    if (this.#repeats.length > kept) this.#repeats = this.#repeats.slice(0, kept);
    const pattern = isRepeatable && isPatient ? patternOf(chunk, again & SHAPE_MASK) : undefined;
    if (isRepeatable && this.#repeats.length === kept) this.#repeats = [...this.#repeats, { pattern, like: undefined }];
  }

  /**
   * The deltas of a repeated chunk; undefined if the module no longer knows it.
   *
   * @param {Accumulator} inner
   * @param {number} number
   * @param {TextDelta | undefined} like a delta that such a chunk led to
   * @param {string} text
   * @returns {Delta[] | undefined}
   */
  #pushRepeat(inner, number, like, text) {
    const count = inner.pushRepeat(number, writeText(text), kindOf(like));
    if (count === FINISHED) return undefined;
    if (count === AS_EXPECTED) {
      if (this.#mayWait) this.#last = number;
      return [withText(/** @type {TextDelta} */ (like), text)];
    }
    const deltas = takeDeltas(count);
    const [delta] = /** @type {TextDelta[]} */ (deltas);
    const isPlain = deltas.length === 1 && (delta?.type === "tool-call-delta" ? delta.arguments : delta?.text) === text;
    // A call that was found in the text is another one the next time.
    const isLasting = this.#plain === undefined || delta?.type !== "tool-call-delta";
    const repeat = this.#repeats[number];
    if (isPlain && isLasting && repeat) repeat.like = delta;
    return deltas;
  }

  /**
   * @param {Bytes} bytes
   * @returns {Delta[]}
   */
  pushBytes(bytes) {
    const inner = this.#settle();
    if (this.#repeats !== NONE) this.#repeats = NONE;
    return this.#take(throughInbox(inner, bytes));
  }

  /**
   * @param {number} count
   * @returns {Delta[]}
   */
  #take(count) {
    // Pushing nothing throws the right error.
    return takeDeltas(count === FINISHED ? this.#handle.inner.pushBytes(new Uint8Array()) : count);
  }

  /** @returns {StreamResult} */
  finish() {
    const inner = this.#settle();
    inner.finish();
    return this.#resultOf(inner, true);
  }

  /**
   * @param {unknown} [reason]
   * @returns {StreamResult}
   */
  abort(reason) {
    // A getter of the reason may free this accumulator.
    const message = reason === undefined ? undefined : messageOf(reason);
    const inner = this.#settle();
    inner.abort(message);
    return this.#resultOf(inner, true);
  }

  /** @returns {StreamResult} */
  snapshot() {
    return this.#resultOf(this.#settle(), false);
  }

  /**
   * @param {Accumulator} inner
   * @param {boolean} isLast
   */
  #resultOf(inner, isLast) {
    this.#results ??= new Results();
    return this.#results.take(inner, isLast);
  }

  save() {
    return this.#settle().save();
  }

  /** @returns {Delta[]} */
  catchUp() {
    return takeDeltas(this.#settle().catchUp());
  }

  /** @returns {Delta[]} */
  takeDeltas() {
    return takeDeltas(this.#settle().takeDeltas());
  }

  free() {
    // What is pushed from now on must find that out.
    this.#repeats = NONE;
    this.#last = -1;
    this.#pending = "";
    this.#handle.free();
  }
}

makeDisposable(StreamAccumulator);
makeInspectable(StreamAccumulator, (accumulator) => {
  const { ending, text, toolCalls, warnings, error } = accumulator.snapshot();
  return { ending, textLength: text.length, toolCalls: toolCalls.length, warnings: warnings.length, ...(error && { error }) };
});

/**
 * Matches ASCII text without these characters; letters among them are only excluded at the start of a word.
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
 * A delta like another one, with this text.
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
