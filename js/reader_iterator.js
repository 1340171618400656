/** Reads a `ReadableStream` as an iterator. */

/**
 * Returns an iterator that releases the stream's lock at the end.
 *
 * @template Piece
 * @param {ReadableStreamDefaultReader<Piece>} reader
 * @returns {{ next(): Promise<IteratorResult<Piece, undefined>>, return(): Promise<IteratorReturnResult<undefined>> }}
 */
export function readerIterator(reader) {
  return {
    async next() {
      const { done, value } = await reader.read();
      if (!done) return { done, value };
      reader.releaseLock();
      return { done, value: undefined };
    },
    async return() {
      try {
        await reader.cancel();
      } finally {
        reader.releaseLock();
      }
      return { done: true, value: undefined };
    },
  };
}
