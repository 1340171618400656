// Cuts what is read into blocks of whole lines, which can be handed to a worker without being copied.

import { LONGEST } from "./input.js";

/** Enough that a message to a worker costs nothing beside the work. */
const BLOCK_BYTES = 1 << 20;
const LINE_FEED = 10;

/**
 * @param {AsyncIterable<Uint8Array>} reads
 * @param {object} [options]
 * @param {(size: number) => Uint8Array} [options.makeRoom] memory for a block, maybe that of one that was read
 * @returns {AsyncGenerator<Uint8Array | "too long">} blocks that end with a line end, but for the last one; in place of
 *   a line that is too long, which is not kept, `"too long"`
 */
export async function* lineBlocks(
  reads,
  { blockBytes = BLOCK_BYTES, longestLine = LONGEST, makeRoom = (size) => new Uint8Array(size) } = {},
) {
  let block = makeRoom(blockBytes);
  let length = 0;
  let isSkipping = false;
  for await (let read of reads) {
    while (read.length > 0) {
      if (isSkipping) {
        const end = read.indexOf(LINE_FEED);
        if (end < 0) break;
        read = read.subarray(end + 1);
        isSkipping = false;
        continue;
      }
      if (length === block.length) {
        const end = block.lastIndexOf(LINE_FEED) + 1;
        if (end > 0) {
          const rest = block.slice(end);
          yield block.subarray(0, end);
          block = makeRoom(Math.max(blockBytes, rest.length * 2));
          block.set(rest);
          length = rest.length;
        } else if (length >= longestLine) {
          yield "too long";
          length = 0;
          isSkipping = true;
          continue;
        } else {
          const larger = new Uint8Array(Math.min(length * 2, longestLine));
          larger.set(block);
          block = larger;
        }
      }
      const part = read.subarray(0, block.length - length);
      block.set(part, length);
      length += part.length;
      read = read.subarray(part.length);
    }
  }
  if (length > 0) yield block.subarray(0, length);
}
