/** @import { RequestDelta } from "../types/api.js" */

/** Buffers deltas until they are read. Each is read once. */
export class DeltaQueue {
  /** @type {RequestDelta[]} */
  #items = [];
  /** The index of the next item. */
  #head = 0;
  /** @type {((result: IteratorResult<RequestDelta, undefined>) => void)[]} */
  #readers = [];
  isClosed = false;

  /** @param {RequestDelta} item */
  push(item) {
    const resolve = this.#readers.shift();
    if (resolve) resolve({ done: false, value: item });
    else this.#items.push(item);
  }

  /** Ends the queue. Buffered items can still be read. */
  close() {
    this.isClosed = true;
    for (const resolve of this.#readers.splice(0)) resolve({ done: true, value: undefined });
  }

  /** @returns {Promise<IteratorResult<RequestDelta, undefined>>} */
  #next() {
    const value = this.#items[this.#head];
    if (value !== undefined) {
      this.#head += 1;
      if (this.#head === this.#items.length) [this.#items, this.#head] = [[], 0];
      return Promise.resolve({ done: false, value });
    }
    if (this.isClosed) return Promise.resolve({ done: true, value: undefined });
    return new Promise((resolve) => this.#readers.push(resolve));
  }

  /**
   * @param {() => void} cancel called when a loop is left
   * @returns {AsyncIterableIterator<RequestDelta>}
   */
  iterator(cancel) {
    return {
      next: () => this.#next(),
      return: async () => {
        cancel();
        return { done: true, value: undefined };
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  }
}
