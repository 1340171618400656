/** A source that is opened, read and closed, each of them also in the middle of another. */

/** @import { PieceIterator } from "./source.js" */

import { isThenable, orAbort } from "./abort.js";
import { checkResponse } from "./failures.js";
import { closeSource, openSource } from "./source.js";

/** @type {IteratorReturnResult<undefined>} */
const OVER = { done: true, value: undefined };

export class PieceSource {
  /** Of the response, for errors that the stream reports. @type {string | undefined} */
  requestId;
  /** Once the source is open. @type {PieceIterator | undefined} */
  iterator;
  #source;
  #isClosed = false;
  /** Stops opening the source, or ends the pending read. @type {(failure?: Error) => void} */
  #interrupt = () => {};

  /** @param {unknown} source a promise of it, if it is one */
  constructor(source) {
    this.#source = source;
  }

  async open() {
    const opening = new AbortController();
    this.#interrupt = (failure) => opening.abort(failure);
    const opened = isThenable(this.#source) ? await orAbort(this.#source, opening.signal) : this.#source;
    this.requestId = await checkResponse(opened, opening.signal);
    opening.signal.throwIfAborted(); // close() opens it then
    this.iterator = openSource(opened);
  }

  /**
   * The next read, which is the last one if the source is closed meanwhile.
   *
   * @returns {ReturnType<PieceIterator["next"]>}
   */
  next() {
    const next = /** @type {PieceIterator} */ (this.iterator).next();
    if (!("then" in next)) return next;
    return new Promise((resolve, reject) => {
      this.#interrupt = (failure) => (failure ? reject(failure) : resolve(OVER));
      next.then(resolve, reject);
      if (this.#isClosed) resolve(OVER); // by the source itself
    });
  }

  /**
   * Closes the source, even one that is still pending.
   *
   * @param {Error} [failure] what the pending read throws; otherwise it is the last one
   */
  close(failure) {
    if (this.#isClosed) return undefined;
    this.#isClosed = true;
    this.#interrupt(failure);
    return closeSource(this.#source, this.iterator);
  }
}
