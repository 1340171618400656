// Reads ahead in an input without losing data.

/**
 * Reads ahead, up to `count` bytes or until a read is enough.
 *
 * @param {AsyncIterable<Buffer>} reads
 * @param {number} count
 * @param {(read: Buffer) => boolean} [isEnough]
 * @returns {Promise<[Buffer, AsyncGenerator<Buffer>]>} the bytes read ahead, and all reads from the beginning
 */
export async function peek(reads, count, isEnough = () => false) {
  const iterator = reads[Symbol.asyncIterator]();
  /** @type {Buffer[]} */
  const seen = [];
  let length = 0;
  let isOver = false;
  while (length < count && !isOver) {
    const { done, value } = await iterator.next();
    if (done) isOver = true;
    else {
      seen.push(value);
      length += value.length;
      if (isEnough(value)) break;
    }
  }
  const first = Buffer.concat(seen);
  async function* all() {
    try {
      if (first.length > 0) yield first;
      if (!isOver) yield* { [Symbol.asyncIterator]: () => iterator };
    } finally {
      await iterator.return?.();
    }
  }
  return [first, all()];
}
