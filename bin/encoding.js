// Text encodings of files: UTF-8, and UTF-16 with a byte order mark, which PowerShell's `>` writes.
import { peek } from "./peek.js";

const ENCODINGS = [
  { name: "utf-8", mark: [0xef, 0xbb, 0xbf] },
  { name: "utf-16le", mark: [0xff, 0xfe] },
  { name: "utf-16be", mark: [0xfe, 0xff] },
];
const LONGEST_MARK = 3;

/** @param {Uint8Array} bytes the beginning of a file */
const encodingOf = (bytes) => ENCODINGS.find(({ mark }) => mark.every((byte, at) => bytes[at] === byte));

/**
 * Decodes the text of a file.
 *
 * @param {Uint8Array} bytes
 */
export const decodeText = (bytes) => new TextDecoder(encodingOf(bytes)?.name).decode(bytes);

/**
 * Converts reads to UTF-8 without a byte order mark. Characters may be split between reads.
 *
 * @param {AsyncIterable<Buffer>} reads
 * @returns {AsyncGenerator<Buffer>}
 */
export async function* toUtf8(reads) {
  const [start, all] = await peek(reads, LONGEST_MARK);
  const encoding = encodingOf(start);
  if (encoding === undefined) yield* all;
  else if (encoding.name === "utf-8") yield* withoutStart(all, encoding.mark.length);
  else yield* decoded(all, new TextDecoder(encoding.name));
}

/**
 * @param {AsyncIterable<Buffer>} reads
 * @param {number} length
 */
export async function* withoutStart(reads, length) {
  let skipped = length;
  for await (const read of reads) {
    if (read.length > skipped) yield read.subarray(skipped);
    skipped = Math.max(0, skipped - read.length);
  }
}

/**
 * @param {AsyncIterable<Buffer>} reads
 * @param {TextDecoder} decoder
 */
async function* decoded(reads, decoder) {
  for await (const read of reads) yield Buffer.from(decoder.decode(read, { stream: true }));
  yield Buffer.from(decoder.decode());
}
