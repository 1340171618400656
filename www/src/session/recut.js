// The same bytes in reads of another size: whatever the size, the result is the same.
import { StreamAccumulator } from "respool";
import { breathe } from "./breathe.js";

/**
 * @param {Uint8Array} bytes
 * @param {number} size bytes of a read
 * @returns {Promise<{ result: string, reads: number, deltas: number }>} the result as JSON
 */
export async function recut(bytes, size, hasEnded) {
  const accumulator = new StreamAccumulator();
  const pause = breathe();
  let reads = 0;
  let deltas = 0;
  try {
    for (let at = 0; at < bytes.length; at += size) {
      deltas += accumulator.pushBytes(bytes.subarray(at, at + size)).length;
      reads += 1;
      await pause();
    }
    const result = hasEnded ? accumulator.finish() : accumulator.snapshot();
    deltas += accumulator.takeDeltas().length;
    return { result: JSON.stringify(result), reads, deltas };
  } finally {
    accumulator.free();
  }
}
