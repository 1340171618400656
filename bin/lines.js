// Splits the input into blocks of whole lines, which workers take over without a copy.

import { MAX_BODY_BYTES } from "../js/limits.js";

/** Size of a block in bytes, large enough that the work outweighs the message to a worker. */
const BLOCK_BYTES = 1 << 20;
const LINE_FEED = 10;

/**
 * @param {AsyncIterable<Uint8Array>} reads
 * @param {object} [options]
 * @param {number} [options.blockBytes]
 * @param {number} [options.longestLine]
 * @param {(size: number) => Uint8Array<ArrayBuffer>} [options.makeRoom] memory for a block, possibly reused
 * @returns {AsyncGenerator<Uint8Array<ArrayBuffer> | "too long">} blocks that end at a line end, except for the last
 *   one; `"too long"` in place of a line that is too long
 */
export async function* lineBlocks(
  reads,
  { blockBytes = BLOCK_BYTES, longestLine = MAX_BODY_BYTES, makeRoom = (size) => new Uint8Array(size) } = {},
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
          /** @type {Uint8Array<ArrayBuffer>} */
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

/**
 * Counts the line feeds in a block.
 *
 * @param {Uint8Array} block
 */
export function countLines(block) {
  let count = 0;
  for (let at = block.indexOf(LINE_FEED); at >= 0; at = block.indexOf(LINE_FEED, at + 1)) count += 1;
  return count;
}
