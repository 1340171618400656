/** The output of a request: its deltas, and the text and usage among them. */

/** @import { RequestDelta, RequestOptions, Usage } from "../types/api.js" */

import { orAbort } from "../abort.js";
import { DeltaQueue } from "./queue.js";

/** @typedef {{ text: string, usage: Usage | undefined }} TurnSoFar the output of the current attempt so far */

export class RequestOutput extends DeltaQueue {
  /** @type {TurnSoFar} */
  turn = { text: "", usage: undefined };
  /** The text of all turns. */
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
   * Emits a delta, and waits for the promise of `onDelta` or the end of the request.
   *
   * @param {RequestDelta} delta
   */
  async emitAndWait(delta) {
    await orAbort(this.emit(delta), this.#signal);
  }
}
