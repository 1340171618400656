/** Reads a response while it passes to its reader. */

/** @import { StreamResult, StreamSourceOptions, TappedResponse } from "./types/api.js" */
/** @import { Reading } from "./streams.js" */

import { deferred, onAbort, settling } from "./abort.js";
import { ByteParts } from "./byte_parts.js";
import { checked } from "./checked.js";
import { RespoolError } from "./errors.js";
import { failureError, isAbort, isAfterAnswer, transportError } from "./failures.js";
import { hasFailed, MAX_READ, pageError, requestIdOf } from "./http_error.js";
import { isBytes, quote } from "./input.js";
import { GRACE_MS } from "./piece_source.js";
import { openReading } from "./streams.js";
import { openStreamSpan } from "./tracing/stream.js";

const readResponse = checked(
  (/** @type {Response} */ response) => {
    const { status, body } = response ?? {};
    settling(response); // a promise throws below, and its rejection is handled
    if (typeof status !== "number" || (body !== null && typeof body?.getReader !== "function")) {
      throw new RespoolError("invalid-source", `tap() expects a fetch Response, not ${quote(response)}: await it first`);
    }
    if (response.bodyUsed || body?.locked) {
      throw new RespoolError(
        "invalid-source",
        "The body of this Response is already being read: tap() has to be the only reader",
      );
    }
    return response;
  },
  "The response",
  "invalid-source",
);

/**
 * @param {Response} source
 * @param {StreamSourceOptions} [options]
 * @returns {TappedResponse}
 */
export function tap(source, options) {
  const response = readResponse(source);
  const reading = openReading([], options);
  const reader = new TapReader(response, reading, openStreamSpan("respool.tap", { options }));
  return { response: passing(response, reader), result: reader.result };
}

const passing = checked(
  (/** @type {Response} */ response, /** @type {TapReader} */ reader) => {
    const { body, status, statusText, headers } = response;
    if (body !== null) return new Response(reader.pass(body), { status, statusText, headers: headersOf(headers) });
    reader.end();
    return response;
  },
  "The response",
  "invalid-source",
);

/**
 * Returns the headers for the bytes that pass, which fetch has decompressed.
 *
 * @param {Headers} original
 */
function headersOf(original) {
  const headers = new Headers(original);
  if (!headers.has("content-encoding")) return headers;
  headers.delete("content-encoding");
  headers.delete("content-length");
  return headers;
}

/** Reads the bytes that pass. Its errors never affect them. */
class TapReader {
  #response;
  #reading;
  #span;
  /** The body of a failed response. */
  #page = new ByteParts();
  #stopListening = () => {};
  #isOver = false;
  /** Set once the answer is over. @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** @type {ReturnType<typeof deferred<StreamResult>>} */
  #result = deferred();

  /**
   * @param {Response} response
   * @param {Reading} reading
   * @param {ReturnType<typeof openStreamSpan>} span
   */
  constructor(response, reading, span) {
    this.#response = response;
    this.#reading = reading;
    this.#span = span;
  }

  get result() {
    return this.#result.promise;
  }

  /**
   * Returns a stream of the same bytes, which is read as fast as its reader reads.
   *
   * @param {ReadableStream<Uint8Array>} body
   */
  pass(body) {
    const reader = body.getReader();
    const { signal } = this.#reading;
    return new ReadableStream(
      {
        // The reader of the response may pause, so the signal must work outside of reads, too.
        start: (controller) => {
          this.#stopListening = onAbort(signal, () => {
            reader.cancel(signal?.reason).catch(() => {});
            this.#stopWith(signal?.reason);
            controller.error(signal?.reason);
          });
        },
        pull: async (controller) => {
          try {
            const { done, value } = await reader.read();
            if (signal?.aborted) return;
            if (!done) {
              this.#read(value);
              controller.enqueue(value);
              return;
            }
            reader.releaseLock();
            this.end();
            controller.close();
          } catch (error) {
            if (signal?.aborted) return;
            reader.releaseLock();
            this.#stopWith(error);
            controller.error(error);
          }
        },
        cancel: async (reason) => {
          this.#cancel(reason);
          await reader.cancel(reason).finally(() => reader.releaseLock());
        },
      },
      { highWaterMark: 0 },
    );
  }

  /** @param {Uint8Array} bytes */
  #read(bytes) {
    if (this.#isOver) return;
    try {
      if (hasFailed(this.#response)) {
        if (this.#page.length < MAX_READ) this.#page.push(bytes);
        return;
      }
      const { accumulator, reader } = this.#reading;
      // Pushing anything but bytes throws the right error.
      const deltas = isBytes(bytes) ? reader.read(bytes) : accumulator.pushBytes(bytes);
      for (const delta of deltas) this.#span?.add(delta);
      // The body may be left open: the bytes go on passing, and the result doesn't wait for them.
      if (accumulator.isDone) this.#settleSoon(deltas.length > 0);
    } catch (error) {
      // The body may never be read further, so the error is reported now.
      this.#settle(() => {
        throw error;
      });
    }
  }

  /** @param {boolean} hasNews whether the answer goes on after all */
  #settleSoon(hasNews) {
    if (hasNews) clearTimeout(this.#timer);
    else if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => this.#settle(this.#complete), GRACE_MS);
  }

  /** Ends the reading after the end of the body. */
  end() {
    this.#conclude(this.#complete);
  }

  /** @param {Reading["accumulator"]} accumulator */
  #complete = (accumulator) => {
    if (hasFailed(this.#response)) throw pageError(this.#response, this.#page.text());
    const result = this.#finish(accumulator);
    if (result.error && this.#reading.throwsOnError) {
      throw failureError(result.error, result, requestIdOf(this.#response.headers));
    }
    return result;
  };

  /**
   * @param {Reading["accumulator"]} accumulator
   * @param {boolean} [isCut]
   */
  #finish(accumulator, isCut) {
    const deltas = this.#reading.reader.end(isCut);
    const result = accumulator.finish();
    for (const delta of [...deltas, ...accumulator.takeDeltas()]) this.#span?.add(delta);
    return result;
  }

  /**
   * @param {Reading["accumulator"]} accumulator
   * @param {unknown} reason
   */
  #abort(accumulator, reason) {
    for (const delta of this.#reading.reader.end(true)) this.#span?.add(delta);
    return accumulator.abort(reason);
  }

  /**
   * Ends the reading after the body failed.
   *
   * @param {unknown} error
   */
  #stopWith(error) {
    const { signal } = this.#reading;
    this.#conclude((accumulator) => {
      if (signal?.aborted) throw signal.reason;
      // The signal of the request itself fires when the reader of the response leaves.
      if (isAbort(error)) return this.#abort(accumulator, error);
      const result = this.#finish(accumulator, true);
      const failure = transportError(error, result);
      if (isAfterAnswer(failure, result)) return result;
      throw failure;
    });
  }

  /**
   * Ends the reading after the reader of the response has left.
   *
   * @param {unknown} reason
   */
  #cancel(reason) {
    this.#conclude((accumulator) => {
      if (hasFailed(this.#response)) throw pageError(this.#response, this.#page.text());
      return this.#abort(accumulator, reason ?? "The response was cancelled");
    });
  }

  /** @param {(accumulator: Reading["accumulator"]) => StreamResult} conclude */
  #conclude(conclude) {
    this.#stopListening();
    this.#settle(conclude);
  }

  /** @param {(accumulator: Reading["accumulator"]) => StreamResult} conclude */
  #settle(conclude) {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    const { accumulator } = this.#reading;
    try {
      const result = conclude(accumulator);
      this.#span?.end(result);
      this.#result.resolve(result);
    } catch (error) {
      this.#span?.end(/** @type {{ partial?: StreamResult }} */ (error)?.partial, error);
      this.#result.reject(error);
    } finally {
      accumulator.free();
    }
  }
}
