/** @import { MachineEvent } from "./run_request.js" */

/** What the turns of a request cost, if a provider says so. Numbers are added here, because the module's are integers. */
export class CostSum {
  /** @type {number | undefined} */
  total;
  /** Whether the total has the cost of the last attempt. */
  #isCounted = false;

  /** Another attempt begins. */
  begin() {
    this.#isCounted = false;
  }

  /**
   * Adds what an attempt cost, once: its usage is also in the events of its tools.
   *
   * @param {MachineEvent} event
   */
  add(event) {
    const cost = "usage" in event && !this.#isCounted ? event.usage?.reportedCost : undefined;
    if (cost !== undefined) this.total = (this.total ?? 0) + cost;
    this.#isCounted ||= "usage" in event;
  }
}
