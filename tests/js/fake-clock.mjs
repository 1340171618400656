// A clock that tests control.

export class FakeClock {
  #now = 1_763_680_412_000;
  #timers = new Map();
  #count = 0;

  /** The delays of the timers that have fired, in milliseconds, in order. */
  waited = [];

  now = () => this.#now;

  setTimeout = (run, ms) => {
    this.#timers.set(++this.#count, { run, ms, due: this.#now + ms });
    return this.#count;
  };

  clearTimeout = (timer) => this.#timers.delete(timer);

  /** The number of pending timers. */
  get pending() {
    return this.#timers.size;
  }

  /** Advances the time to the next timer, and fires it. */
  fireNext() {
    const [[timer, { run, ms, due }]] = [...this.#timers].sort(([, a], [, b]) => a.due - b.due);
    this.#timers.delete(timer);
    this.#now = Math.max(this.#now, due);
    this.waited.push(ms);
    run();
  }

  /** Fires timers whenever nothing else happens, until a promise settles. */
  async runUntil(promise) {
    let isSettled = false;
    const settle = () => (isSettled = true);
    promise.then(settle, settle);
    for (let idle = 0; !isSettled; idle++) {
      await new Promise((resolve) => setImmediate(resolve));
      // Sockets need a few turns of the event loop, so time passes only after many turns without an event.
      if (idle % 50 === 49 && this.pending > 0) this.fireNext();
    }
    return promise;
  }
}
