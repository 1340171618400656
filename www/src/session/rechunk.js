// Parses the same bytes again in chunks of another size. The result must not depend on the size.
import { StreamAccumulator } from "respool";
import { createYield } from "./yielding.js";

/** @import { Recording } from "./recording.js" */

/**
 * @param {Recording} recording the recording whose bytes so far are parsed
 * @param {number} size bytes per chunk
 * @returns {Promise<{ isSame: boolean, chunks: number, deltas: number }>}
 */
export async function rechunk(recording, size) {
  const { bytes, isFinished, result } = recording;
  const accumulator = new StreamAccumulator();
  const pause = createYield();
  let chunks = 0;
  let deltas = 0;
  try {
    for (let start = 0; start < bytes.length; start += size) {
      deltas += accumulator.pushBytes(bytes.subarray(start, start + size)).length;
      chunks += 1;
      await pause();
    }
    const again = isFinished ? endAs(result, accumulator) : accumulator.snapshot();
    deltas += accumulator.takeDeltas().length;
    return { isSame: JSON.stringify(again) === JSON.stringify(result), chunks, deltas };
  } finally {
    accumulator.free();
  }
}

/** @param {import("respool").StreamResult} result @param {StreamAccumulator} accumulator */
const endAs = ({ ending, error }, accumulator) =>
  ending === "aborted" ? accumulator.abort(error?.message) : accumulator.finish();
