// Reads an answer up to its end, although some servers leave the connection open.
import { PieceSource } from "../js/piece_source.js";

/**
 * Yields each read, with a function to call once the answer is over: then only what follows soon is read.
 *
 * @param {AsyncIterable<Buffer> | Iterable<Buffer>} reads
 * @param {() => void} [stop] ends the reads, even a pending one
 * @returns {AsyncGenerator<[read: Buffer, endSoon: (hasNews: boolean) => void], void, undefined>}
 */
export async function* untilOver(reads, stop) {
  const source = new PieceSource(reads);
  const endSoon = (/** @type {boolean} */ hasNews) => source.endSoon(hasNews);
  await source.open();
  try {
    for (;;) {
      const { done, value } = await source.next();
      if (done) return;
      yield [/** @type {Buffer} */ (value), endSoon];
    }
  } finally {
    stop?.();
    source.close();
  }
}
