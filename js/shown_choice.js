/** Selects the choice to show where there is room for one: that of the lowest index, as in results. */

/** @import { Delta, RequestDelta } from "./types/api.js" */

/**
 * Types of deltas that belong to a choice. They contain its index only if it isn't 0.
 *
 * @type {Set<string>}
 */
const OF_CHOICE = new Set([
  ...["text", "reasoning", "refusal", "tool-call-start", "tool-call-delta", "tool-call-end", "json"],
  ...["annotation", "server-tool", "image", "audio", "finish"],
]);

/** @typedef {RequestDelta & { choice?: number }} DeltaOfChoice */

export class ShownChoice {
  /** Whether a delta of choice 0 has arrived. */
  #hasBegun = false;
  /**
   * The deltas of other choices, as long as choice 0 may still arrive.
   *
   * @type {DeltaOfChoice[]}
   */
  #heldBack = [];

  /**
   * Returns the deltas to show now.
   *
   * @template {RequestDelta} D
   * @param {D} delta
   * @returns {D[]}
   */
  take(delta) {
    if (!OF_CHOICE.has(delta.type)) return isBetweenAnswers(delta) ? [.../** @type {D[]} */ (this.end()), delta] : [delta];
    if (/** @type {DeltaOfChoice} */ (delta).choice) {
      if (!this.#hasBegun) this.#heldBack.push(delta);
      return [];
    }
    if (!this.#hasBegun) this.#heldBack = [];
    this.#hasBegun = true;
    return [delta];
  }

  /** Returns the deltas to show at the end of an answer: if choice 0 never arrived, those of the lowest index. */
  end() {
    const held = this.#heldBack;
    this.#heldBack = [];
    this.#hasBegun = false;
    const lowest = held.reduce((index, { choice = 0 }) => Math.min(index, choice), Infinity);
    return /** @type {Delta[]} */ (held.filter(({ choice }) => choice === lowest));
  }
}

/**
 * Yields the deltas of one choice.
 *
 * @template {RequestDelta} D
 * @param {AsyncIterable<D>} deltas
 * @returns {AsyncGenerator<D, void, undefined>}
 */
export async function* shownOf(deltas) {
  const shown = new ShownChoice();
  try {
    for await (const delta of deltas) for (const one of shown.take(delta)) yield one;
  } catch (error) {
    for (const one of shown.end()) yield/** @type {D} */ (one);
    throw error;
  }
  for (const one of shown.end()) yield/** @type {D} */ (one);
}

/** Whether a delta marks the end of an answer. @param {RequestDelta} delta */
function isBetweenAnswers(delta) {
  if (delta.type === "warning") return delta.code === "turn-retried";
  return delta.type === "tool-result" || delta.type === "step-start" || delta.type === "step-finish";
}
