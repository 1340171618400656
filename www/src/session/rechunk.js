// Parses the same bytes again in chunks of another size. The result must not depend on the size.
import { StreamAccumulator } from "respool";
import { createYield } from "./yielding.js";

/**
 * @param {Uint8Array} bytes
 * @param {number} size bytes per chunk
 * @param {boolean} hasEnded whether the response is complete
 * @returns {Promise<{ result: string, chunks: number, deltas: number }>} the result as JSON
 */
export async function rechunk(bytes, size, hasEnded) {
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
    const result = hasEnded ? accumulator.finish() : accumulator.snapshot();
    deltas += accumulator.takeDeltas().length;
    return { result: JSON.stringify(result), chunks, deltas };
  } finally {
    accumulator.free();
  }
}
