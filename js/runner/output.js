/** What a request emits: its deltas, and the text and the usage among them. */

/** @import { RequestDelta, RequestOptions, Usage } from "../types/api.js" */

import { orAbort } from "../abort.js";
import { DeltaQueue } from "./queue.js";

/** @typedef {{ text: string, usage: Usage | undefined }} TurnSoFar what the attempt that is running has emitted */

export class RequestOutput extends DeltaQueue {
  /** @type {TurnSoFar} */
  turn = { text: "", usage: undefined };
  /** Of all turns. */
  text = "";
  #onDelta;
  #signal;

  /**
   * @param {RequestOptions["onDelta"]} onDelta
   * @param {AbortSignal} signal
   */
  constructor(onDelta, signal) {
    super();
    this.#onDelta = onDelta;
    this.#signal = signal;
  }

  beginTurn() {
    this.turn = { text: "", usage: undefined };
  }

  /** @param {string} text */
  addText(text) {
    this.turn.text += text;
    this.text += text;
  }

  /** @param {RequestDelta} delta */
  emit(delta) {
    if (this.isClosed) return undefined;
    if (delta.type === "text" && !delta.choice) this.addText(delta.text);
    if (delta.type === "usage") this.turn.usage = delta.usage;
    this.push(delta);
    return this.#onDelta?.(delta);
  }

  /**
   * Emits a delta, and waits until the caller has taken it or the request has ended.
   *
   * @param {RequestDelta} delta
   */
  async emitAndWait(delta) {
    await orAbort(this.emit(delta), this.#signal);
  }
}
