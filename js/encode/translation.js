/** Reads a source and writes it in another interface, piece by piece. */

/** @import { StreamPiece, StreamResult, Warning } from "../types/api.js" */
/** @import { TranslateOptions } from "../types/encode.js" */

import { deferred, onAbort, settling } from "../abort.js";
import { messageOf, StreamError } from "../errors.js";
import { failureError, isAbort, isAfterAnswer, transportError } from "../failures.js";
import { isDeltaStream } from "../known_deltas.js";
import { isSet, readSignal, readSwitch } from "../read_option.js";
import { PieceSource } from "../piece_source.js";
import { closingIfInvalid, PieceReader } from "../source.js";
import { openTranslation, readTarget } from "./options.js";
import { StreamEncoder } from "./stream_encoder.js";

/** @typedef {Uint8Array<ArrayBuffer>} Written */

/** @type {Written} */
const NOTHING = new Uint8Array();

export class Translation {
  /**
   * Warnings about content that the target can't represent. Filled when the stream ends, because callers get the array
   * before.
   *
   * @type {Warning[]}
   */
  lost = [];

  #source;
  #encoder;
  #reader;
  #stopListening = () => {};
  #throwsOnError;
  #isOver = false;
  /**
   * The result, once the stream is over, however it ended.
   *
   * @type {StreamResult | undefined}
   */
  partial;
  /** The bytes that end the stream after an abort, until they are read. */
  #last = NOTHING;
  /** @type {ReturnType<typeof deferred<StreamResult>>} */
  #result = deferred();

  /**
   * Checks the options. If they are invalid, the source is closed.
   *
   * @param {unknown} source
   * @param {TranslateOptions} allOptions
   */
  constructor(source, allOptions) {
    const pending = settling(source);
    const { signal, throwsOnError, encoder } = closingIfInvalid(pending, () => readSettings(source, allOptions));
    this.#throwsOnError = throwsOnError;
    this.#encoder = encoder;
    this.#reader = new PieceReader(this.#encoder);
    this.#source = new PieceSource(pending);
    this.#stopListening = onAbort(signal, () => this.#abort(signal?.reason));
  }

  get result() {
    return this.#result.promise;
  }

  /**
   * Reads until there are bytes to write, and returns them; undefined at the end.
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
   * Reads once, and returns the resulting bytes.
   *
   * @returns {Promise<Written>}
   */
  async #step() {
    try {
      if (!this.#source.iterator) await this.#source.open();
      const { done, value } = await this.#source.next();
      if (this.#isOver) return NOTHING;
      if (done) return this.#finish();
      const bytes = this.#reader.read(/** @type {StreamPiece} */ (value));
      if (this.#encoder.isDone) this.#source.endSoon(bytes.length > 0);
      if (!this.#encoder.isOver) return bytes;
      // The provider reported an error, or a limit was exceeded: the source may be endless, so its closing isn't
      // awaited.
      this.#source.close();
      return joined(bytes, this.#finish());
    } catch (error) {
      if (this.#isOver) return NOTHING;
      this.#source.close();
      return this.#fail(error);
    }
  }

  /** Ends the stream after the source has ended. */
  #finish() {
    return this.#end(
      () => this.#writeEnd(),
      (result) => {
        const failure = this.#throwsOnError ? result.error : undefined;
        return failure ? Promise.reject(failureError(failure, result, this.#source.requestId)) : result;
      },
    );
  }

  /**
   * The ending of the stream that the deltas come from; undefined if it is unknown, or if the source isn't a stream of
   * deltas.
   */
  get #ending() {
    const source = this.#source.iterator;
    return source !== undefined && isDeltaStream(source) ? source.result?.ending : undefined;
  }

  #writeEnd() {
    const ending = this.#ending;
    if (ending === undefined || this.#encoder.isOver) return this.#encoder.finish();
    // Deltas don't contain the ending: not every provider sends a finish reason, and one may precede a truncation.
    const type = ending === "complete" ? "done" : "cut";
    return joined(this.#encoder.push({ type }), this.#encoder.finish());
  }

  /**
   * Ends the stream after the source has thrown, or can't be read.
   *
   * @param {unknown} error
   */
  #fail(error) {
    if (isAbort(error)) return this.#stopWith(error);
    const isOpen = this.#source.iterator !== undefined;
    const failure = transportError(error, undefined, isOpen);
    // An error of this package explains itself, unless it reports that the stream of the deltas was cut off.
    const isCut = StreamError.isInstance(failure) && (failure !== error || this.#ending !== undefined);
    if (!isCut) {
      return this.#end(
        () => this.#encoder.fail(failure),
        () => Promise.reject(failure),
      );
    }
    return this.#end(
      () => this.#writeEnd(),
      (result) => {
        const lost = transportError(error, result, isOpen);
        return isAfterAnswer(lost, result) ? result : Promise.reject(lost);
      },
    );
  }

  /** @param {unknown} reason */
  #abort(reason) {
    if (this.#isOver) return;
    this.#source.close();
    this.#last = this.#stopWith(reason);
  }

  /** @param {unknown} reason */
  #stopWith(reason) {
    return this.#end(
      () => this.#encoder.abort(messageOf(reason)),
      () => Promise.reject(reason),
    );
  }

  /**
   * Ends the stream when its reader leaves.
   *
   * @param {unknown} reason
   */
  cancel(reason) {
    if (this.#isOver) return;
    this.#source.close();
    this.#end(
      () => this.#encoder.abort(reason ?? "The stream was cancelled"),
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
    this.#stopListening();
    try {
      const bytes = write();
      this.lost.push(...this.#encoder.lost);
      this.partial = /** @type {StreamResult} */ (this.#encoder.result);
      this.#result.resolve(conclude(this.partial));
      return bytes;
    } catch (error) {
      this.#result.reject(error);
      throw error;
    } finally {
      this.#encoder.free();
    }
  }
}

/**
 * @param {unknown} source
 * @param {TranslateOptions} allOptions
 */
function readSettings(source, allOptions) {
  const others = ["to", "signal", "throwOnError", "resume"];
  const { to, signal: signalOption, throwOnError, ...options } = openTranslation(allOptions, others);
  const target = readTarget(to, "options.to");
  const signal = readSignal({ signal: signalOption });
  const throwsOnError = readSwitch(throwOnError, "options.throwOnError", true);
  const readsDeltas = hasDeltas(source) && !isSet(options.resume);
  const encoder = new StreamEncoder(target, readsDeltas ? { ...options, resume: [] } : options);
  return { signal, throwsOnError, encoder };
}

/** Whether a source is a stream of deltas. @param {unknown} source */
function hasDeltas(source) {
  try {
    return typeof source === "object" && source !== null && isDeltaStream(source);
  } catch {
    return false; // a proxy that throws: reading the source reports that
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
