// Time that passes when the test says so.

export class FakeClock {
  #now = 1_763_680_412_000;
  #timers = new Map();
  #count = 0;

  /** How long was waited for what has run, in milliseconds, one after the other. */
  waited = [];

  now = () => this.#now;

  setTimeout = (run, ms) => {
    this.#timers.set(++this.#count, { run, ms, due: this.#now + ms });
    return this.#count;
  };

  clearTimeout = (timer) => this.#timers.delete(timer);

  /** How many timers wait. */
  get pending() {
    return this.#timers.size;
  }

  /** Lets the time pass until the next timer is due. */
  fireNext() {
    const [[timer, { run, ms, due }]] = [...this.#timers].sort(([, a], [, b]) => a.due - b.due);
    this.#timers.delete(timer);
    this.#now = Math.max(this.#now, due);
    this.waited.push(ms);
    run();
  }

  /** Fires timers whenever everything else waits for them, until a promise is settled. */
  async runUntil(promise) {
    let isSettled = false;
    const settle = () => (isSettled = true);
    promise.then(settle, settle);
    for (let idle = 0; !isSettled; idle++) {
      await new Promise((resolve) => setImmediate(resolve));
      // Sockets take a few turns of the event loop: time passes only when nothing else has happened for long.
      if (idle % 50 === 49 && this.pending > 0) this.fireNext();
    }
    return promise;
  }
}
