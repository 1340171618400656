/** Reads the deltas of a source, however that ends. */

/** @import { ProviderError as ReadError } from "./types/errors.js" */
/** @import { Delta, StreamResult } from "./types/api.js" */
/** @import { StreamAccumulator } from "./accumulator.js" */
/** @import { PieceIterator } from "./source.js" */
/** @import { Reading } from "./streams.js" */

import { onAbort, orAbort, Waiting } from "./abort.js";
import { asProviderError, RespoolError } from "./errors.js";
import { checkResponse, failureError, isAbort, transportError } from "./failures.js";
import { ofSdkError } from "./http_error.js";
import { closeSource, openSource, PieceReader } from "./source.js";

/** The phases. */
const UNREAD = 0;
/** Nothing has arrived yet. */
const OPENING = 1;
const READING = 2;
/** The caller has a delta, so nothing here runs. */
const PAUSED = 3;
const EXHAUSTED = 4;
/** The source is closed, although the deltas may not be over. */
const LEFT = 5;

export class DeltaReader {
  /** Set when the deltas are exhausted, fail or are left. @type {StreamResult | undefined} */
  result;
  /** How many deltas were read. */
  taken = 0;
  #settle = () => {};
  /** @type {Promise<StreamResult>} */
  finished = new Promise((resolve, reject) => {
    const lost = () => new RespoolError("internal-error", "the result was lost, as the error of the loop explains");
    this.#settle = () => (this.result ? resolve(this.result) : reject(lost()));
  });
  /** @type {number} */
  #phase = UNREAD;
  #reading;
  #onRead;
  /** @type {PieceIterator | undefined} */
  #iterator;
  #waiting = new Waiting();
  #stopListening = () => {};

  /**
   * @param {Reading} reading
   * @param {() => void} [onRead] called after each read
   */
  constructor(reading, onRead) {
    this.#reading = reading;
    this.#onRead = onRead;
    this.finished.catch(() => {}); // the loop throws already
    const { signal } = reading;
    this.#stopListening = onAbort(signal, () => {
      if (this.#phase === UNREAD || this.#phase === PAUSED) this.leave(signal?.reason);
      else this.#waiting.interrupt(signal?.reason);
    });
  }

  get isStarted() {
    return this.#phase !== UNREAD;
  }

  /**
   * The deltas, once.
   *
   * @returns {AsyncGenerator<Delta, void, undefined>}
   */
  async *deltas() {
    const { source, accumulator, signal, throwsOnError } = this.#reading;
    signal?.throwIfAborted();
    this.#phase = OPENING;
    /** @type {string | undefined} */
    let requestId;
    try {
      const opened = await orAbort(source, signal);
      requestId = await checkResponse(opened, signal);
      const iterator = openSource(opened);
      this.#iterator = iterator;
      const reader = new PieceReader(accumulator);
      for (let isFull = false; !isFull; ) {
        signal?.throwIfAborted();
        const next = iterator.next();
        const { done, value } = await (signal ? this.#waiting.for(next) : next);
        this.#onRead?.();
        this.#phase = done ? EXHAUSTED : READING;
        if (done) break;
        const deltas = reader.read(value);
        isFull = deltas.some(throwsOnError ? isError : isLimitError);
        for (const delta of deltas) {
          this.#phase = PAUSED;
          this.taken++;
          yield delta;
          signal?.throwIfAborted();
          this.#phase = READING;
        }
      }
      this.result = accumulator.finish();
      if (this.#phase !== EXHAUSTED) this.#phase = PAUSED;
      for (const delta of accumulator.takeDeltas()) {
        this.taken++;
        yield delta;
      }
    } catch (error) {
      const isOfSource = this.#phase === OPENING || this.#phase === READING;
      if (signal?.aborted || !isOfSource || isAbort(error)) {
        this.result ??= abort(accumulator, error);
        throw signal?.aborted ? signal.reason : error;
      }
      const deltas = tellFailure(accumulator, error, this.#phase !== OPENING);
      this.result = finish(accumulator);
      const thrown = transportError(error, this.result);
      if (this.result) reportRequest(this.result, thrown);
      for (const delta of [...deltas, ...lastDeltas(accumulator)]) {
        this.taken++;
        yield delta;
      }
      throw thrown;
    } finally {
      await this.leave("the stream was left");
    }
    if (throwsOnError && this.result?.error) throw failureError(this.result.error, this.result, requestId);
  }

  /**
   * Ends the reading, if it isn't over, and closes the source, if it isn't exhausted.
   *
   * @param {unknown} reason
   */
  async leave(reason) {
    const { source, accumulator, signal } = this.#reading;
    const isOpen = this.#phase !== EXHAUSTED && this.#phase !== LEFT;
    this.#phase = LEFT;
    this.#stopListening();
    this.result ??= abort(accumulator, reason);
    accumulator.free();
    if (isOpen) {
      const closing = closeSource(source, this.#iterator);
      // An abort doesn't wait: a generator closes only once its own source answers, which may never happen.
      if (this.#iterator && !signal?.aborted) await closing;
    }
    this.#settle();
  }
}

/** @param {Delta} delta */
const isError = (delta) => delta.type === "error";

/**
 * Whether a limit was exceeded. Nothing is read after that, and the source, which may be endless, is closed.
 *
 * @param {Delta} delta
 */
export const isLimitError = (delta) => delta.type === "error" && delta.error?.code === "limit-exceeded";

/**
 * The result so far. It is undefined if the accumulator was lost: the pending error says why.
 *
 * @param {StreamAccumulator} accumulator
 * @param {unknown} reason
 */
export function abort(accumulator, reason) {
  try {
    return accumulator.abort(reason);
  } catch {
    return undefined;
  }
}

/** @param {StreamAccumulator} accumulator */
export function finish(accumulator) {
  try {
    return accumulator.finish();
  } catch {
    return undefined; // as above
  }
}

/**
 * Some SDKs throw the error event of a stream: the answer has failed, then, and wasn't cut. Before anything was read, a
 * status is that of the request.
 *
 * @param {StreamAccumulator} accumulator
 * @param {unknown} thrown
 * @param {boolean} hasRead
 */
function tellFailure(accumulator, thrown, hasRead) {
  const reported = asProviderError(RespoolError.isInstance(thrown) ? undefined : ofSdkError(thrown, {}));
  if (!reported || (reported.status !== undefined && !hasRead)) return [];
  const { message, providerType: type, providerCode: code } = reported;
  try {
    return accumulator.push({ error: { message, type, code } });
  } catch {
    return []; // as above
  }
}

/**
 * A request without success is no stream that was cut off. It has no deltas, so only the result says so.
 *
 * @param {StreamResult} result
 * @param {RespoolError} error
 */
function reportRequest(result, error) {
  if (error.code !== "http-error" || result.error) return;
  const { message, providerType, providerCode } = /** @type {ReadError} */ (/** @type {unknown} */ (error));
  result.ending = "failed";
  result.error = {
    code: "provider-error",
    message,
    ...(providerType !== undefined && { providerType }),
    ...(providerCode !== undefined && { providerCode }),
  };
}

/** @param {StreamAccumulator} accumulator */
function lastDeltas(accumulator) {
  try {
    return accumulator.takeDeltas();
  } catch {
    return []; // as above
  }
}
