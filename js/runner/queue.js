/** What waits to be read, or is waited for. Whoever reads takes it away. */
export class DeltaQueue {
  #items = [];
  #first = 0;
  #waiting = [];
  #isClosed = false;

  push(item) {
    const resolve = this.#waiting.shift();
    if (resolve) resolve({ done: false, value: item });
    else this.#items.push(item);
  }

  /** Nothing will be pushed any more; what is there can still be read. */
  close() {
    this.#isClosed = true;
    for (const resolve of this.#waiting.splice(0)) resolve({ done: true, value: undefined });
  }

  #next() {
    if (this.#first < this.#items.length) {
      const value = this.#items[this.#first++];
      if (this.#first === this.#items.length) [this.#items, this.#first] = [[], 0];
      return Promise.resolve({ done: false, value });
    }
    if (this.#isClosed) return Promise.resolve({ done: true, value: undefined });
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** `leave` is called when a loop is left before the end. */
  iterator(leave) {
    return {
      next: () => this.#next(),
      return: async () => {
        leave();
        return { done: true, value: undefined };
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  }
}
