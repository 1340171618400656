/** The usage of all steps of an answer, in the words of the AI SDK. */

const NAMES = {
  inputTokens: "promptTokens",
  outputTokens: "completionTokens",
  totalTokens: "totalTokens",
  reasoningTokens: "reasoningTokens",
  cachedInputTokens: "cacheReadTokens",
};

export class UsageSum {
  /** Of the steps before. */
  #before = [];
  #step;
  /** What came after the end of the step: its own, or already that of the next. */
  #late;
  #isStepOver = false;

  add(usage) {
    if (this.#isStepOver) this.#late = usage;
    else this.#step = usage;
  }

  endStep() {
    this.#isStepOver = true;
  }

  /** A step that had told its usage before its end has not told it again after. */
  startStep() {
    const isNext = this.#step !== undefined;
    this.#before.push(isNext ? this.#step : this.#late);
    this.#step = isNext ? this.#late : undefined;
    this.#late = undefined;
    this.#isStepOver = false;
  }

  /** Undefined where no provider told any. */
  get total() {
    const told = [...this.#before, this.#late ?? this.#step].filter((usage) => usage !== undefined);
    if (told.length === 0) return undefined;
    const sums = Object.entries(NAMES).map(([name, ours]) => {
      const counts = told.map((usage) => usage[ours]).filter((count) => count !== undefined);
      return [name, counts.length > 0 ? counts.reduce((sum, count) => sum + count, 0) : undefined];
    });
    return Object.fromEntries(sums.filter(([, sum]) => sum !== undefined));
  }
}
