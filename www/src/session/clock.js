// Computes the time at which each event is due in a replay.

/** @import { Frame } from "./recording.js" */

/** Milliseconds for which a frame without a time is shown at speed 1. */
const STEP_MS = 30;
/** Maximum gap in a replay, in milliseconds. Longer gaps are shortened. */
const LONGEST_GAP_MS = 2000;

export class ReplayClock {
  #due;

  /** @param {Frame[]} frames */
  constructor(frames) {
    this.#due = new Float64Array(frames.length);
    let due = 0;
    for (const [index, { time }] of frames.entries()) {
      const before = frames[index - 1]?.time ?? 0;
      due += time === undefined ? STEP_MS : Math.min(Math.max(time - before, 0), LONGEST_GAP_MS);
      this.#due[index] = due;
    }
  }

  /** Returns the milliseconds at which `position` frames have arrived. @param {number} position */
  timeAt(position) {
    return position === 0 ? 0 : this.#due[position - 1];
  }

  /**
   * Returns the number of frames that have arrived by this time.
   *
   * @param {number} time
   * @param {number} from at least this number
   */
  positionAt(time, from) {
    let position = from;
    while (position < this.#due.length && this.#due[position] <= time) position += 1;
    return position;
  }
}
