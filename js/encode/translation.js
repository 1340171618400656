/** A source that is read and written as another interface, piece by piece. */

/** @import { StreamPiece, StreamResult, Warning } from "../types/api.js" */
/** @import { TranslateOptions } from "../types/encode.js" */
/** @import { PieceIterator } from "../source.js" */

import { orAbort, settling } from "../abort.js";
import { messageOf, ProviderError, RespoolError } from "../errors.js";
import { checkResponse, failureError, isAbort, transportError } from "../failures.js";
import { isDeltaStream } from "../known_deltas.js";
import { isSet, readSignal, readSwitch } from "../options.js";
import { closeSource, openSource, PieceReader } from "../source.js";
import { openTranslation, readTarget } from "./options.js";
import { StreamEncoder } from "./stream_encoder.js";

/** @typedef {Uint8Array<ArrayBuffer>} Written */

/** @type {Written} */
const NOTHING = new Uint8Array();

export class Translation {
  /**
   * What could not be written. Filled when the stream ends, so that it can be handed out before.
   *
   * @type {Warning[]}
   */
  lost = [];

  #source;
  #encoder;
  #reader;
  #signal;
  #throwsOnError;
  /** @type {PieceIterator | undefined} */
  #iterator;
  /** @type {string | undefined} */
  #requestId;
  #isOver = false;
  /**
   * What was read, once the stream is over, however it ended.
   *
   * @type {StreamResult | undefined}
   */
  partial;
  /** What ends the stream after an abort, until it is read. */
  #last = NOTHING;
  /** @type {(result: StreamResult | Promise<never>) => void} */
  #resolve = () => {};
  /** @type {(error: unknown) => void} */
  #reject = () => {};
  /** @type {Promise<StreamResult>} */
  result = new Promise((resolve, reject) => {
    this.#resolve = resolve;
    this.#reject = reject;
  });

  /**
   * Checks the options. If they are invalid, the source is closed.
   *
   * @param {unknown} source
   * @param {TranslateOptions} allOptions
   */
  constructor(source, allOptions) {
    this.#source = settling(source);
    try {
      const others = ["to", "signal", "throwOnError", "resume"];
      const { to, signal, throwOnError, ...options } = openTranslation(allOptions, others);
      const target = readTarget(to, "options.to");
      this.#signal = readSignal({ signal });
      this.#throwsOnError = readSwitch(throwOnError, "options.throwOnError", true);
      const readsDeltas = hasDeltas(source) && !isSet(options.resume);
      this.#encoder = new StreamEncoder(target, readsDeltas ? { ...options, resume: [] } : options);
    } catch (error) {
      closeSource(this.#source); // nobody will read it or wait for it
      throw error;
    }
    this.#reader = new PieceReader(this.#encoder);
    this.result.catch(() => {}); // not everybody waits for it
    if (this.#signal?.aborted) this.#abort();
    this.#signal?.addEventListener("abort", this.#abort, { once: true });
  }

  /**
   * The bytes that the next reads decide; undefined at the end. It reads until there are some.
   *
   * @returns {Promise<Written | undefined>}
   */
  async next() {
    while (!this.#isOver) {
      const bytes = await this.#step();
      if (bytes.length > 0) return bytes;
    }
    const last = this.#last;
    this.#last = NOTHING;
    return last.length > 0 ? last : undefined;
  }

  /**
   * One read, and what it decides.
   *
   * @returns {Promise<Written>}
   */
  async #step() {
    try {
      const iterator = this.#iterator ?? (await this.#open());
      const { done, value } = await orAbort(iterator.next(), this.#signal);
      if (this.#isOver) return NOTHING;
      if (done) return this.#finish();
      const bytes = this.#reader.read(/** @type {StreamPiece} */ (value));
      if (!this.#encoder.isOver) return bytes;
      // After an error of the provider, or over a limit: the source may be endless.
      this.#close();
      return joined(bytes, this.#finish());
    } catch (error) {
      if (this.#isOver) return NOTHING;
      this.#close();
      return this.#fail(error);
    }
  }

  async #open() {
    const opened = await orAbort(this.#source, this.#signal);
    this.#requestId = await checkResponse(opened, this.#signal);
    const iterator = openSource(opened);
    if (this.#isOver) closeSource(undefined, iterator);
    this.#iterator = iterator;
    return iterator;
  }

  /** The source has ended. */
  #finish() {
    return this.#end(
      () => this.#writeEnd(),
      (result) => {
        const failure = this.#throwsOnError ? result.error : undefined;
        return failure ? Promise.reject(failureError(failure, result, this.#requestId)) : result;
      },
    );
  }

  #writeEnd() {
    const source = this.#iterator;
    const ending = source !== undefined && isDeltaStream(source) ? source.result?.ending : undefined;
    if (ending === undefined || this.#encoder.isOver) return this.#encoder.finish();
    // Deltas don't say it: not every provider gives a reason, and one may come before the stream is cut off.
    const type = ending === "complete" ? "done" : "cut";
    return joined(this.#encoder.push({ type }), this.#encoder.finish());
  }

  /**
   * The source has thrown, or can't be read.
   *
   * @param {unknown} error
   */
  #fail(error) {
    if (isAbort(error) || (RespoolError.isInstance(error) && !ProviderError.isInstance(error))) return this.#breakOff(error);
    const failure = transportError(error);
    if (ProviderError.isInstance(failure)) {
      return this.#end(
        () => this.#encoder.fail(failure),
        () => Promise.reject(failure),
      );
    }
    return this.#end(
      () => this.#encoder.finish(),
      (result) => Promise.reject(transportError(error, result)),
    );
  }

  #abort = () => {
    if (this.#isOver) return;
    this.#close();
    this.#last = this.#breakOff(this.#signal?.reason);
  };

  /** @param {unknown} reason */
  #breakOff(reason) {
    return this.#end(
      () => this.#encoder.abort(messageOf(reason)),
      () => Promise.reject(reason),
    );
  }

  /**
   * Whoever reads the stream has left.
   *
   * @param {unknown} reason
   */
  leave(reason) {
    if (this.#isOver) return;
    this.#close();
    this.#end(
      () => this.#encoder.abort(reason ?? "the stream was cancelled"),
      (result) => result,
    );
  }

  /**
   * Writes the end and settles the result.
   *
   * @param {() => Written} write
   * @param {(result: StreamResult) => StreamResult | Promise<never>} conclude
   * @returns {Written}
   */
  #end(write, conclude) {
    this.#isOver = true;
    this.#signal?.removeEventListener("abort", this.#abort);
    try {
      const bytes = write();
      this.lost.push(...this.#encoder.lost);
      this.partial = /** @type {StreamResult} */ (this.#encoder.result);
      this.#resolve(conclude(this.partial));
      return bytes;
    } catch (error) {
      this.#reject(error);
      throw error;
    } finally {
      this.#encoder.free();
    }
  }

  /** Closes the source, without waiting for it: it may be in a read that never ends. */
  #close() {
    closeSource(this.#source, this.#iterator);
  }
}

/** Whether a source is a stream that has been read already, so that it has deltas. @param {unknown} source */
function hasDeltas(source) {
  try {
    return typeof source === "object" && source !== null && isDeltaStream(source);
  } catch {
    return false; // a proxy that throws: reading it reports that
  }
}

/** @type {(one: Written, other: Written) => Written} */
function joined(one, other) {
  if (other.length === 0) return one;
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}
