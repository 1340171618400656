/** A source that can be closed at any time, even while it is being opened or read. */

/** @import { PieceIterator } from "./source.js" */

import { isThenable, orAbort } from "./abort.js";
import { checkResponse } from "./failures.js";
import { closeSource, openSource } from "./source.js";

/** Time for what may follow the end of an answer, such as usage that a gateway adds, in milliseconds. */
export const GRACE_MS = 1000;

/** @type {IteratorReturnResult<undefined>} */
const OVER = { done: true, value: undefined };

export class PieceSource {
  /** The request id of the response, for errors that the stream reports. @type {string | undefined} */
  requestId;
  /** Set once the source is open. @type {PieceIterator | undefined} */
  iterator;
  #source;
  #isClosed = false;
  /** Stops opening the source, or ends the pending read. @type {(failure?: Error) => void} */
  #interrupt = () => {};
  /** How long reads may still wait, in milliseconds; undefined while the answer goes on. @type {number | undefined} */
  #patience;

  /** @param {unknown} source the source, or a promise of it */
  constructor(source) {
    this.#source = source;
  }

  async open() {
    const opening = new AbortController();
    this.#interrupt = (failure) => opening.abort(failure);
    const opened = isThenable(this.#source) ? await orAbort(this.#source, opening.signal) : this.#source;
    this.requestId = await checkResponse(opened, opening.signal);
    opening.signal.throwIfAborted(); // otherwise close() opens and closes the source
    this.iterator = openSource(opened);
  }

  /**
   * Reads the next piece. If the source is closed meanwhile, this is the last read.
   *
   * @returns {ReturnType<PieceIterator["next"]>}
   */
  next() {
    const next = /** @type {PieceIterator} */ (this.iterator).next();
    if (!("then" in next)) return next;
    const reading = new Promise((resolve, reject) => {
      this.#interrupt = (failure) => (failure ? reject(failure) : resolve(OVER));
      next.then(resolve, reject);
      if (this.#isClosed) resolve(OVER); // the source itself closed it
    });
    return this.#patience === undefined ? reading : this.#waitFor(reading, this.#patience);
  }

  /**
   * Closes the source if a read takes longer.
   *
   * @template T
   * @param {Promise<T>} reading
   * @param {number} patience
   */
  async #waitFor(reading, patience) {
    const start = performance.now();
    const timer = setTimeout(() => this.close(), patience);
    try {
      return await reading;
    } finally {
      clearTimeout(timer);
      this.#patience = patience - (performance.now() - start);
    }
  }

  /**
   * Stops reading soon, because the answer is over: some servers leave the connection open. Only the time of waiting
   * counts, because whoever takes the deltas may be slow.
   *
   * @param {boolean} hasNews whether the last read had content, so that the answer goes on after all
   */
  endSoon(hasNews) {
    if (hasNews || this.#patience === undefined) this.#patience = GRACE_MS;
  }

  /**
   * Closes the source, even if it is still pending.
   *
   * @param {Error} [failure] the error of the pending read, which otherwise ends the source
   */
  close(failure) {
    if (this.#isClosed) return undefined;
    this.#isClosed = true;
    this.#interrupt(failure);
    return closeSource(this.#source, this.iterator);
  }
}
