/** Reads the deltas of any source, or of an iterable that already contains deltas. */

/** @import { AnnotatedLlmResponse, DeltaStream, RequestDelta, RequestFailure, RequestHandle, RequestResult, StreamResult, StreamSource } from "./types/api.js" */
/** @import { StreamSourceOptions } from "respool" */
/** @import { PieceIterator } from "./source.js" */
/** @import { ShownChoice } from "./shown_choice.js" */

import { streamDeltas } from "respool";
import { orAbort } from "./abort.js";
import { isDelta, isDeltaStream, TAKEN } from "./known_deltas.js";
import { readerIterator } from "./reader_iterator.js";

/** @typedef {StreamSource | AsyncIterable<RequestDelta> | Iterable<RequestDelta> | ReadableStream<RequestDelta>} DeltaSource */
/** @typedef {StreamSourceOptions & { signal: AbortSignal }} Options */

/**
 * The state of a source that {@link deltasOf} reads.
 *
 * @typedef {object} SourceState
 * @property {ShownChoice} shown the choice whose deltas are yielded
 * @property {boolean} [isStream] whether `streamDeltas` reads the source, so that it is one answer
 * @property {StreamResult} [stream] the result, once such a stream is exhausted or has failed
 * @property {RequestResult} [request] the result of a request that has completed or failed
 * @property {RequestFailure} [failure] failure of the request
 */

/**
 * Returns the responses that were read, one per step of a request. There are none if the deltas were read elsewhere.
 *
 * @param {SourceState} state
 * @returns {AnnotatedLlmResponse[]}
 */
export function responsesOf({ stream, request }) {
  if (request) return request.steps.map(({ response }) => response);
  return stream ? [stream.response] : [];
}

/**
 * The deltas that a client has missed.
 *
 * @typedef {object} Missed
 * @property {RequestDelta[]} earlier deltas of earlier answers, or all if the source is unknown
 * @property {RequestDelta[]} begun deltas of the stream or request that the source continues
 * @property {boolean} isStream whether `begun` is one answer
 */

/**
 * Splits missed deltas into those before and those of the source. A stream knows how many of its deltas were read.
 *
 * @param {readonly RequestDelta[]} missed
 * @param {DeltaSource} input
 * @returns {Missed}
 */
export function splitMissed(missed, input) {
  if (missed.length === 0) return { earlier: [], begun: [], isStream: false };
  const { [TAKEN]: taken = 0 } = /** @type {{ [TAKEN]?: number }} */ (input ?? {});
  const at = isRequest(input) ? 0 : Math.max(missed.length - taken, 0);
  return { earlier: missed.slice(0, at), begun: missed.slice(at), isStream: !isRequest(input) };
}

/** An answer that ended without an error but is unusable. @typedef {{ code: string, message: string }} Problem */

/** @type {Problem} */
export const TRUNCATED = { code: "stream-truncated", message: "The answer broke off." };

/**
 * Whether an exhausted source was cut off. Of several choices, only the first counts.
 *
 * @param {SourceState} state
 * @param {boolean} hasFinish whether there was a `finish` delta, the only evidence if the deltas were read elsewhere
 */
export function isTruncated({ stream, request }, hasFinish) {
  if (!stream) return request === undefined && !hasFinish;
  // With several choices, another one may be cut off. The result's finish reason proves nothing, because it may follow
  // from the calls alone.
  const isFirstOver = stream.response.choices !== undefined && hasFinish;
  return stream.ending === "truncated" && !isFirstOver;
}

/**
 * @param {unknown} source
 * @param {Options} options
 */
const read = (source, options) => streamDeltas(/** @type {StreamSource} */ (source), options);

/**
 * Yields the deltas of one choice. Ends as soon as the signal is aborted, even while a read is pending.
 *
 * @param {DeltaSource} input
 * @param {Options} options
 * @param {SourceState} state set at the end
 * @returns {AsyncGenerator<RequestDelta, void, undefined>}
 */
export async function* deltasOf(input, options, state) {
  const { signal } = options;
  const { shown } = state;
  /** @type {PieceIterator | undefined} */
  let iterator;
  /** @type {DeltaStream | undefined} */
  let stream;
  try {
    iterator = await openDeltas(input, options);
    if (isDeltaStream(iterator)) stream = iterator;
    state.isStream = stream !== undefined;
    for (;;) {
      const { done, value } = await nextOf(iterator, signal);
      if (done) break;
      for (const delta of shown.take(/** @type {RequestDelta} */ (value))) yield delta;
    }
    for (const delta of shown.end()) yield delta;
    await endRequest(input, state);
  } catch (error) {
    for (const delta of shown.end()) yield delta;
    throw error;
  } finally {
    if (stream?.result) state.stream = stream.result;
    close(iterator);
  }
}

/**
 * @param {DeltaSource} input
 * @returns {input is RequestHandle}
 */
function isRequest(input) {
  return typeof (/** @type {Partial<RequestHandle> | null | undefined} */ (input)?.getResult) === "function";
}

/**
 * Throws the error that ended a request: its deltas don't report a failure or a cancellation.
 *
 * @param {DeltaSource} input
 * @param {SourceState} state
 */
async function endRequest(input, state) {
  if (!isRequest(input)) return;
  state.request = await input.result();
  const { failure } = state.request;
  if (failure === undefined) return;
  state.failure = failure;
  throw failure.cause instanceof Error ? failure.cause : new Error(failure.message, { cause: failure });
}

/**
 * Opens an iterator over deltas: the input's own, or one over the deltas that streamDeltas reads from it.
 *
 * @param {DeltaSource} input
 * @param {Options} options
 * @returns {Promise<PieceIterator>}
 */
async function openDeltas(input, options) {
  const { signal } = options;
  // This read throws, and closes the input.
  if (signal.aborted) await read(input, options).next();
  let source;
  try {
    source = await orAbort(input, signal);
  } catch (error) {
    // With an aborted signal, this closes the input as soon as it arrives.
    return signal.aborted ? read(input, options) : failing(error, options);
  }
  const iterator = iteratorOf(source);
  if (iterator === undefined) return read(source, options);
  if (isDeltaStream(iterator)) return iterator;
  try {
    const first = await nextOf(iterator, signal);
    const all = {
      next: firstThenRest(first, iterator),
      return: () => iterator.return?.(),
      [Symbol.asyncIterator]: () => all,
    };
    return first.done || isDelta(first.value) ? all : read(all, options);
  } catch (error) {
    close(iterator);
    return failing(error, options);
  }
}

/**
 * Returns an iterator that throws the error of `streamDeltas` for an error of its source.
 *
 * @param {unknown} error
 * @param {Options} options
 */
const failing = (error, options) => read(Promise.reject(error), options);

/**
 * @param {PieceIterator} iterator
 * @param {AbortSignal} signal
 */
function nextOf(iterator, signal) {
  signal.throwIfAborted();
  return orAbort(iterator.next(), signal);
}

/**
 * Closes an iterator. Don't await it: the source may be in a read that never ends.
 *
 * @param {PieceIterator | undefined} iterator
 */
async function close(iterator) {
  try {
    await iterator?.return?.();
  } catch {
    // The source is gone anyway.
  }
}

/**
 * @param {unknown} value
 * @returns {PieceIterator | undefined}
 */
function iteratorOf(value) {
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return undefined;
  const source = /** @type {import("./source.js").AnySource} */ (value);
  if (typeof source.getReader === "function") return readerIterator(source.getReader());
  return source[Symbol.asyncIterator]?.() ?? source[Symbol.iterator]?.();
}

/**
 * @param {Awaited<ReturnType<PieceIterator["next"]>>} first
 * @param {PieceIterator} iterator
 */
function firstThenRest(first, iterator) {
  let isFirst = true;
  return async () => {
    if (!isFirst) return iterator.next();
    isFirst = false;
    return first;
  };
}
