/** A source that is opened, read and closed, each of them also while the signal is aborted. */

/** @import { PieceIterator } from "./source.js" */

import { orAbort } from "./abort.js";
import { checkResponse } from "./failures.js";
import { closeSource, openSource } from "./source.js";

export class PieceSource {
  /** Of the response, for errors that the stream reports. @type {string | undefined} */
  requestId;
  /** Once the source is open. @type {PieceIterator | undefined} */
  iterator;
  #source;
  #signal;
  #isClosed = false;
  /**
   * @param {unknown} source a promise of it, if it is one
   * @param {AbortSignal | undefined} signal
   */
  constructor(source, signal) {
    this.#source = source;
    this.#signal = signal;
  }

  async open() {
    const opened = await orAbort(this.#source, this.#signal);
    this.requestId = await checkResponse(opened, this.#signal);
    this.iterator = openSource(opened);
    if (this.#isClosed) this.close();
  }

  /**
   * The next read, until it is interrupted. That takes a third of the time of a listener for each read.
   *
   * @returns {ReturnType<PieceIterator["next"]>}
   */
  next() {
    const signal = this.#signal;
    const next = /** @type {PieceIterator} */ (this.iterator).next();
    if (!signal) return next;
    return new Promise((resolve, reject) => {
      if (signal.aborted) reject(signal.reason); // by the source itself
      this.interrupt = reject;
      Promise.resolve(next).then(resolve, reject);
    });
  }

  /** Rejects the pending read. @type {(reason: unknown) => void} */
  interrupt = () => {};

  /** Closes the source, even one that is still pending. */
  close() {
    this.#isClosed = true;
    return closeSource(this.#source, this.iterator);
  }
}
