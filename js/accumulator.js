/** @import { Bytes, Delta, StreamAccumulator as PublicAccumulator, StreamAccumulatorOptions, StreamResult } from "./types/api.js" */

import { Accumulator } from "../pkg/wasm/respool.js";
import { hasCodecs } from "./codecs.js";
import { takeDeltas } from "./deltas.js";
import { messageOf } from "./errors.js";
import { Handle, makeDisposable, makeInspectable } from "./handle.js";
import { isInboxBusy, throughInbox } from "./inbox.js";
import { readStreamOptions, refuseOthers, setOptions } from "./options.js";
import { refusePendingChunk } from "./pending.js";
import { writePlainJson } from "./plain_json.js";
import { FINISHED, Repeats } from "./repeats.js";
import { Results } from "./results.js";

/** Returned by the module instead of a number of deltas if it read nothing: see src/wasm/accumulator.rs. */
const UNREAD = 0xfffffffd;

export class StreamAccumulator {
  static get name() {
    return "StreamAccumulator";
  }

  #handle;
  /** Created for the first chunk object. @type {Repeats | undefined} */
  #repeats;
  /** Created on first use: most accumulators only need one result. @type {Results | undefined} */
  #results;

  /** @param {StreamAccumulatorOptions} [options] */
  constructor(options) {
    this.#handle = new Handle(new Accumulator(readStreamOptions(options)), "StreamAccumulator");
  }

  /**
   * @param {Bytes} saved
   * @param {StreamAccumulatorOptions} [options]
   * @returns {PublicAccumulator}
   */
  static restore(saved, options) {
    const inner = Accumulator.restore(saved);
    /** @type {StreamAccumulator | undefined} */
    let restored;
    try {
      restored = new StreamAccumulator(options);
      const set = setOptions(options);
      const { inner: other } = restored.#handle;
      refuseOthers(set, (number) => inner.hasOptionOf(other, number));
    } catch (error) {
      inner.free();
      restored?.free();
      throw error;
    }
    restored.#handle.replace(inner);
    return /** @type {PublicAccumulator} */ (/** @type {unknown} */ (restored));
  }

  /** Returns the object in the module, after sending it everything that was pushed. */
  #settle() {
    return this.#repeats ? this.#repeats.settle() : this.#handle.inner;
  }

  /**
   * @param {object} chunk
   * @returns {Delta[]}
   */
  push(chunk) {
    this.#repeats ??= new Repeats(this.#handle);
    const repeated = this.#repeats.push(chunk);
    if (repeated) return repeated;
    const deltas = takeDeltas(this.#pushNew(chunk));
    this.#repeats.learn(chunk);
    return deltas;
  }

  /**
   * Passes a chunk to the module. Returns the number of deltas it led to.
   *
   * @param {object} chunk
   */
  #pushNew(chunk) {
    // A codec gets the chunk itself, not its JSON.
    const length = isInboxBusy() || hasCodecs() ? -1 : writePlainJson(chunk);
    const count = length === -1 ? UNREAD : this.#settle().pushJson(length);
    if (count !== UNREAD) return count;
    refusePendingChunk(chunk);
    // A getter of the chunk may have freed this accumulator.
    return this.#settle().push(chunk);
  }

  /**
   * @param {Bytes} bytes
   * @returns {Delta[]}
   */
  pushBytes(bytes) {
    const inner = this.#settle();
    this.#repeats?.clear();
    const count = throughInbox(inner, bytes);
    // Pushing no bytes throws the right error.
    return takeDeltas(count === FINISHED ? this.#handle.inner.pushBytes(new Uint8Array()) : count);
  }

  get isDone() {
    // Repeated chunks that the module hasn't received yet are no ends.
    return this.#handle.inner.isDone();
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
    this.#repeats?.clear(); // the next push must notice that the accumulator is freed
    this.#results = undefined;
    this.#handle.free();
  }
}

makeDisposable(StreamAccumulator);
makeInspectable(StreamAccumulator, (accumulator) => {
  const { ending, text, toolCalls, warnings, error } = accumulator.snapshot();
  return { ending, textLength: text.length, toolCalls: toolCalls.length, warnings: warnings.length, ...(error && { error }) };
});
