/** The state machine of a request, which decides what to do next: see src/runner/. */

/** @import { RequestResult } from "../types/api.js" */
/** @import { TurnSoFar } from "./output.js" */
/** @import { PlannedCall } from "./tools.js" */
/** @import { TurnEvent } from "./turn.js" */

import { RequestMachine } from "../../pkg/wasm/respool.js";

/**
 * The next command of the state machine: see src/runner/command.rs.
 *
 * @typedef {object} Command
 * @property {"ask" | "wait" | "run-tools" | "finish-step" | "stop" | "ignore"} command
 * @property {number} attempt
 * @property {PlannedCall[]} calls
 */

/**
 * An event for the state machine: see src/runner/event.rs.
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
  /** The cost of all turns, if a provider reports it: the module counts only integers. @type {number | undefined} */
  #cost;
  /** Whether the cost includes that of the current attempt, whose usage is also in the events of its tools. */
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
