/** The state machine of a request, which decides what to do next: see src/runner/. */

/** @import { RequestResult } from "../types/api.js" */
/** @import { TurnSoFar } from "./output.js" */
/** @import { PlannedCall } from "./tools.js" */
/** @import { TurnEvent } from "./turn.js" */

import { RequestMachine } from "../../pkg/wasm/respool.js";

/**
 * What the state machine wants done next: see src/runner/command.rs.
 *
 * @typedef {object} Command
 * @property {"ask" | "wait" | "run-tools" | "finish-step" | "stop" | "ignore"} command
 * @property {number} attempt
 * @property {PlannedCall[]} calls
 */

/**
 * What happened, for the state machine: see src/runner/event.rs.
 *
 * @typedef {TurnEvent
 *   | { type: "retry-due" | "tools-done" | "step-finished" }
 *   | ({ type: "tool-failed" | "arguments-rejected" | "broke", message: string } & TurnSoFar)
 *   | ({ type: "canceled" } & TurnSoFar)} MachineEvent
 */

/**
 * The part of the result that the state machine knows.
 *
 * @typedef {Omit<RequestResult, "messages" | "newMessages" | "finalText" | "steps">} MachineResult
 */

export class Machine {
  #inner;
  /** What the turns cost, if a provider says so: the module's numbers are integers. @type {number | undefined} */
  #cost;
  /** Whether that has the cost of the last attempt, whose usage is also in the events of its tools. */
  #isCounted = false;

  /** @param {ConstructorParameters<typeof RequestMachine>[0]} options */
  constructor(options) {
    this.#inner = new RequestMachine(options);
  }

  beginAttempt() {
    this.#isCounted = false;
  }

  /**
   * @param {MachineEvent} event
   * @returns {Command}
   */
  handle(event) {
    if ("usage" in event && !this.#isCounted) {
      const cost = event.usage?.reportedCost;
      if (cost !== undefined) this.#cost = (this.#cost ?? 0) + cost;
      this.#isCounted = true;
    }
    return this.#inner.handle(event);
  }

  /** @returns {MachineResult} */
  result() {
    const result = this.#inner.result();
    if (result.usage && this.#cost !== undefined) result.usage.reportedCost = this.#cost;
    return result;
  }

  free() {
    this.#inner.free();
  }
}
