/** Sums the usage of all steps of an answer. */

/** @import { Usage } from "./types/api.js" */

import { totalTokensOf } from "./total_tokens.js";

/** @typedef {"inputTokens" | "outputTokens" | "totalTokens" | "reasoningTokens" | "cacheReadTokens" | "cacheWriteTokens"} CountName */

/** The names of the counts that the AI SDK and AG-UI have in common. */
export const COMMON_COUNTS = /** @type {const} */ ({
  inputTokens: "inputTokens",
  outputTokens: "outputTokens",
  totalTokens: "totalTokens",
  reasoningTokens: "reasoningTokens",
  cachedInputTokens: "cacheReadTokens",
});

export class UsageSum {
  /**
   * The usage of each finished step.
   *
   * @type {(Usage | undefined)[]}
   */
  #finished = [];
  /** @type {Usage | undefined} */
  #step;
  /**
   * Usage reported after the end of the step: the step's own, or the next step's.
   *
   * @type {Usage | undefined}
   */
  #late;
  #isStepOver = false;

  /** @param {Usage} usage */
  add(usage) {
    if (this.#isStepOver) this.#late = usage;
    else this.#step = usage;
  }

  endStep() {
    this.#isStepOver = true;
  }

  /** Starts a step. If the last step had usage before its end, the late usage belongs to the new step. */
  startStep() {
    const isLateOfNew = this.#step !== undefined;
    this.#finished.push(isLateOfNew ? this.#step : this.#late);
    this.#step = isLateOfNew ? this.#late : undefined;
    this.#late = undefined;
    this.#isStepOver = false;
  }

  /**
   * Returns the sums under another interface's names. A count is missing unless every usage has it, since a partial sum
   * would be misleading. Steps without usage, such as failed requests, don't count. Returns undefined if there is no
   * usage.
   *
   * @template {string} Name
   * @param {Record<Name, CountName>} names
   * @returns {Partial<Record<Name, number>> | undefined}
   */
  totals(names) {
    const usages = [...this.#finished, this.#late ?? this.#step]
      .filter((usage) => usage !== undefined)
      .map((usage) => ({ ...usage, totalTokens: totalTokensOf(usage) }));
    if (usages.length === 0) return undefined;
    const sums = /** @type {[Name, CountName][]} */ (Object.entries(names)).flatMap(([name, ours]) => {
      const counts = usages.map((usage) => usage[ours]).filter((count) => count !== undefined);
      return counts.length < usages.length ? [] : [[name, counts.reduce((sum, count) => sum + count, 0)]];
    });
    return /** @type {Partial<Record<Name, number>>} */ (Object.fromEntries(sums));
  }
}
