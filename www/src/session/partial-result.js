// The result after a number of events, as the accumulator sees it then.
import { StreamAccumulator } from "respool";
import { createYield } from "./yielding.js";

/** @import { StreamResult } from "respool" */
/** @import { Recording } from "./recording.js" */

const SLICE = 1 << 17;

export class PartialResult {
  #accumulator = new StreamAccumulator();
  /** The number of bytes read so far. */
  #read = 0;

  /** @param {Recording} recording */
  constructor(recording) {
    this.recording = recording;
  }

  /** The result after so many events. It yields to the page meanwhile. @param {number} position @returns {Promise<StreamResult>} */
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
