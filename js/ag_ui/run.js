/** The events around an answer: start and end of a run and of its steps. */

/** @import { AgUiEvent, AgUiOutcome } from "../types/ag_ui.js" */

import { UsageSum } from "../usage_sum.js";
import { usageOf } from "./usage.js";

/** The version of the protocol. */
const PROTOCOL_VERSION = "1.0";

/** @typedef {{ threadId: string, runId: string, parentRunId: string | undefined }} RunIds */

export class Run {
  usage = new UsageSum();
  #ids;
  /** The open step. @type {string | undefined} */
  #step;

  /** @param {RunIds} ids */
  constructor({ threadId, runId, parentRunId }) {
    this.#ids = { threadId, runId, ...(parentRunId !== undefined && { parentRunId }) };
  }

  /** @returns {AgUiEvent} */
  start() {
    return { type: "RUN_STARTED", ...this.#ids, protocolVersion: PROTOCOL_VERSION };
  }

  /**
   * @param {number} step
   * @returns {AgUiEvent[]}
   */
  startStep(step) {
    const ended = this.endStep();
    this.#step = `step-${step}`;
    return [...ended, { type: "STEP_STARTED", stepName: this.#step }];
  }

  /** @returns {AgUiEvent[]} */
  endStep() {
    if (this.#step === undefined) return [];
    const stepName = this.#step;
    this.#step = undefined;
    return [{ type: "STEP_FINISHED", stepName }];
  }

  /**
   * @param {AgUiOutcome} outcome
   * @param {string} [model]
   * @param {object} [metadata] left out if it is empty
   * @returns {AgUiEvent[]}
   */
  finish(outcome, model, metadata = {}) {
    const { threadId, runId } = this.#ids;
    const known = Object.keys(metadata).length > 0 ? { metadata } : {};
    return [...this.endStep(), { type: "RUN_FINISHED", threadId, runId, outcome, ...usageOf(this.usage, model), ...known }];
  }

  /**
   * @param {string} message
   * @param {string} [code]
   * @param {string} [model]
   * @returns {AgUiEvent[]}
   */
  fail(message, code, model) {
    const usage = usageOf(this.usage, model);
    return [...this.endStep(), { type: "RUN_ERROR", message, ...(code !== undefined && { code }), ...usage }];
  }
}
