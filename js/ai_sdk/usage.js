/** The usage of all steps of an answer, under the AI SDK's names. */

/** @import { Usage } from "../types/api.js" */
/** @import { UIUsage } from "../types/ai_sdk.js" */

/** @type {Record<keyof UIUsage, "inputTokens" | "outputTokens" | "totalTokens" | "reasoningTokens" | "cacheReadTokens">} */
const NAMES = {
  inputTokens: "inputTokens",
  outputTokens: "outputTokens",
  totalTokens: "totalTokens",
  reasoningTokens: "reasoningTokens",
  cachedInputTokens: "cacheReadTokens",
};

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
   * Usage that came after the end of the step: the step's own, or already the next one's.
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

  /** If the last step had a usage before its end, the late one belongs to the new step. */
  startStep() {
    const isLateOfNew = this.#step !== undefined;
    this.#finished.push(isLateOfNew ? this.#step : this.#late);
    this.#step = isLateOfNew ? this.#late : undefined;
    this.#late = undefined;
    this.#isStepOver = false;
  }

  /**
   * The sum; undefined if no provider sent a usage.
   *
   * @returns {UIUsage | undefined}
   */
  get total() {
    const usages = [...this.#finished, this.#late ?? this.#step].filter((usage) => usage !== undefined);
    if (usages.length === 0) return undefined;
    const sums = Object.entries(NAMES).map(([name, ours]) => {
      const counts = usages.map((usage) => usage[ours]).filter((count) => count !== undefined);
      return /** @type {const} */ ([name, counts.length > 0 ? counts.reduce((sum, count) => sum + count, 0) : undefined]);
    });
    return Object.fromEntries(sums.filter(([, sum]) => sum !== undefined));
  }
}
