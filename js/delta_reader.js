/** Reads the deltas of a source, however it ends. */

/** @import { Delta, StreamResult } from "./types/api.js" */
/** @import { StreamAccumulator } from "./accumulator.js" */
/** @import { Reading } from "./streams.js" */

import { deferred, onAbort } from "./abort.js";
import { asProviderError, RespoolError } from "./errors.js";
import { failureError, isAbort, isAfterAnswer, transportError } from "./failures.js";
import { ofSdkError } from "./http_error.js";
import { PieceSource } from "./piece_source.js";

/** The phases of reading. */
const UNREAD = 0;
/** Nothing has arrived yet. */
const OPENING = 1;
const READING = 2;
/** The caller has a delta, so no code of the reader runs. */
const PAUSED = 3;
const EXHAUSTED = 4;
/** The source was cancelled, although there may be more deltas. */
const CANCELLED = 5;

export class DeltaReader {
  /** Set when the deltas are exhausted, fail or are left. @type {StreamResult | undefined} */
  result;
  /** Number of deltas read so far. */
  taken = 0;
  /**
   * Its rejection is handled, because the loop throws the error already.
   *
   * @type {ReturnType<typeof deferred<StreamResult>>}
   */
  #finished = deferred();
  /** @type {number} */
  #phase = UNREAD;
  #reading;
  #source;
  #onRead;
  /** Set once the deltas are unwanted. @type {{ reason: unknown } | undefined} */
  #cancellation;
  #stopListening = () => {};

  /**
   * @param {Reading} reading
   * @param {() => void} [onRead] called after each read
   */
  constructor(reading, onRead) {
    this.#reading = reading;
    this.#onRead = onRead;
    const { source, signal } = reading;
    this.#source = new PieceSource(source);
    this.#stopListening = onAbort(signal, () => {
      this.cancel(signal?.reason);
      if (this.#phase === PAUSED) this.#end(signal?.reason);
    });
  }

  /** Whether the deltas were left before they were over. */
  get isCancelled() {
    return this.#cancellation !== undefined;
  }

  get finished() {
    return this.#finished.promise;
  }

  /**
   * Yields the deltas, once.
   *
   * @returns {AsyncGenerator<Delta, void, undefined>}
   */
  async *deltas() {
    const { accumulator, reader, signal, throwsOnError } = this.#reading;
    const source = this.#source;
    signal?.throwIfAborted();
    this.#phase = OPENING;
    try {
      await source.open();
      for (let isFull = false; !isFull; ) {
        if (this.#isUnwanted()) return;
        const { done, value } = await source.next();
        if (this.#isUnwanted()) return;
        this.#onRead?.();
        this.#phase = done ? EXHAUSTED : READING;
        const deltas = done ? reader.end() : reader.read(value);
        if (accumulator.isDone) source.endSoon(deltas.length > 0);
        isFull = done || deltas.some(throwsOnError ? isError : isLimitError);
        for (const delta of deltas) {
          if (!done) this.#phase = PAUSED;
          this.taken++;
          yield delta;
          if (this.#isUnwanted()) return;
          if (!done) this.#phase = READING;
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
      const thrown = signal?.aborted ? signal.reason : error;
      if (signal?.aborted || !isOfSource || (isAbort(error) && !this.isCancelled)) {
        this.#abort(thrown);
        throw thrown;
      }
      if (this.isCancelled) return;
      const held = unlessLost(() => reader.end(true)) ?? [];
      const deltas = [...held, ...pushFailure(accumulator, error, this.#phase !== OPENING)];
      this.result = unlessLost(() => accumulator.finish());
      const failure = transportError(error, this.result, source.iterator !== undefined);
      for (const delta of [...deltas, ...(unlessLost(() => accumulator.takeDeltas()) ?? [])]) {
        this.taken++;
        yield delta;
      }
      if (!isAfterAnswer(failure, this.result)) throw failure;
    } finally {
      await this.#end(this.#cancellation ? this.#cancellation.reason : "The stream was left");
    }
    if (throwsOnError && this.result?.error) throw failureError(this.result.error, this.result, source.requestId);
  }

  /** Whether no more deltas are wanted. Throws the signal's reason if it was aborted. */
  #isUnwanted() {
    if (this.#cancellation === undefined) return false;
    this.#reading.signal?.throwIfAborted();
    return true;
  }

  /**
   * Leaves the deltas when the generator can't notice: it runs no code before the first read, and continues only after
   * a pending read, which may never end.
   *
   * @param {unknown} reason
   */
  cancel(reason) {
    this.#cancellation ??= { reason };
    if (this.#phase === UNREAD) this.#end(reason);
    else if (this.#phase === OPENING || this.#phase === READING) this.#source.close();
  }

  /**
   * Ends the pending read as if the connection were lost; after the end of the answer, that is no failure.
   *
   * @param {Error} error
   */
  stopWith(error) {
    if (this.#phase === EXHAUSTED || this.#phase === CANCELLED) return; // the accumulator may be freed
    this.#source.close(this.#reading.accumulator.isDone ? undefined : error);
  }

  /** @param {unknown} reason */
  #abort(reason) {
    const { accumulator, reader } = this.#reading;
    this.result ??= unlessLost(() => {
      reader.end(true);
      return accumulator.abort(reason);
    });
  }

  /**
   * Ends the reading if it isn't over, and closes the source if it isn't exhausted.
   *
   * @param {unknown} reason
   */
  async #end(reason) {
    const { accumulator, signal } = this.#reading;
    const isOpen = this.#phase !== EXHAUSTED && this.#phase !== CANCELLED;
    this.#phase = CANCELLED;
    this.#stopListening();
    this.#abort(reason);
    accumulator.free();
    if (isOpen) {
      const closing = this.#source.close();
      // An abort doesn't wait: a generator closes only once its own source answers, which may never happen.
      if (this.#source.iterator && !signal?.aborted) await closing;
    }
    if (this.result) this.#finished.resolve(this.result);
    else this.#finished.reject(new RespoolError("internal-error", "The result was lost, as the error of the loop explains"));
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
 * Returns a result of the accumulator; undefined if it throws, in which case the pending error explains why.
 *
 * @template T
 * @param {() => T} take
 */
export function unlessLost(take) {
  try {
    return take();
  } catch {
    return undefined;
  }
}

/**
 * Pushes an error that an SDK has thrown for a stream's error event: the answer has failed and wasn't cut off. Before
 * the first read, an error with a status belongs to the request and isn't pushed.
 *
 * @param {StreamAccumulator} accumulator
 * @param {unknown} thrown
 * @param {boolean} hasRead
 */
function pushFailure(accumulator, thrown, hasRead) {
  const reported = asProviderError(RespoolError.isInstance(thrown) ? undefined : ofSdkError(thrown, {}));
  if (!reported || (reported.status !== undefined && !hasRead)) return [];
  const { message, providerType: type, providerCode: code } = reported;
  return unlessLost(() => accumulator.push({ error: { message, type, code } })) ?? [];
}
