/** Records the turns of a request. */

/** @import { RequestStep, RequestToolResult, StreamResult } from "../types/api.js" */

export class StepLog {
  /** @type {RequestStep[]} */
  #finished = [];
  /**
   * Returns the answer of the current turn, as far as it has arrived.
   *
   * @type {(() => StreamResult) | undefined}
   */
  #read;
  /**
   * The results of the current turn, in the order of the calls.
   *
   * @type {RequestToolResult[]}
   */
  #results = [];

  /** Index of the current turn. */
  get index() {
    return this.#finished.length;
  }

  /**
   * Starts an attempt of a turn, which replaces the previous attempt.
   *
   * @param {() => StreamResult} read
   */
  start(read) {
    this.#read = read;
  }

  /**
   * @param {number} index index of the call
   * @param {RequestToolResult} result
   */
  addResult(index, result) {
    this.#results[index] = result;
  }

  finish() {
    const step = this.#current();
    if (step) this.#finished.push(step);
    this.#read = undefined;
    this.#results = [];
    return step;
  }

  /** All turns, including one that was interrupted. */
  get steps() {
    const current = this.#current();
    return current ? [...this.#finished, current] : this.#finished;
  }

  /** @returns {RequestStep | undefined} */
  #current() {
    try {
      const result = this.#read?.();
      if (result === undefined) return undefined;
      const { text, reasoning, toolCalls, finishReason, usage, response } = result;
      const rest = { ...(finishReason !== undefined && { finishReason }), ...(usage !== undefined && { usage }), response };
      return { text, reasoning, toolCalls, toolResults: this.#results.filter(() => true), ...rest };
    } catch {
      return undefined; // the accumulator was lost, or is in use
    }
  }
}
