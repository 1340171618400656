// Computes the result after a number of events, as the accumulator returns it at that point.
import { StreamAccumulator } from "respool";
import { createYield } from "./yielding.js";

/** @import { StreamResult } from "respool" */
/** @import { Recording } from "./recording.js" */

const SLICE = 1 << 17;

export class PartialResult {
  #accumulator = new StreamAccumulator();
  /** Number of bytes read so far. */
  #read = 0;

  /** @param {Recording} recording */
  constructor(recording) {
    this.recording = recording;
  }

  /**
   * Returns the result after `position` events. Yields to the page meanwhile.
   *
   * @param {number} position
   * @returns {Promise<StreamResult>}
   */
  async at(position) {
    const { recording } = this;
    const end = position === 0 ? 0 : recording.frames[position - 1].end;
    if (end < this.#read) {
      this.free();
      this.#accumulator = new StreamAccumulator();
      this.#read = 0;
    }
    const pause = createYield();
    while (this.#read < end) {
      const next = Math.min(this.#read + SLICE, end);
      this.#accumulator.pushBytes(recording.bytesOf({ start: this.#read, end: next }));
      this.#read = next;
      await pause();
    }
    return this.#accumulator.snapshot();
  }

  free() {
    this.#accumulator.free();
  }
}
