/** Async iterables around the accumulator. */

/** @import { ProviderError as ReadError } from "./types/errors.js" */
/** @import { Agent, Delta, DeltaStream, StreamResult, StreamSource, StreamSourceOptions, ToolCall } from "./types/api.js" */
/** @import { PieceIterator } from "./source.js" */

import { onAbort, orAbort, settling, Waiting } from "./abort.js";
import { StreamAccumulator } from "./accumulator.js";
import { asProviderError, RefusalError, RespoolError, StreamError } from "./errors.js";
import { checkResponse, failureError, isAbort, transportError } from "./failures.js";
import { ofSdkError } from "./http_error.js";
import { copyOptions, openOptions, readSignal, readSwitch, SOURCE_OPTIONS } from "./options.js";
import { closeSource, openSource, PieceReader } from "./source.js";
import { traceItems } from "./tracing/stream.js";

/**
 * A source that is about to be read, and what reads it.
 *
 * @typedef {object} Reading
 * @property {unknown} source a promise of it, if it is one
 * @property {StreamAccumulator} accumulator
 * @property {AbortSignal | undefined} signal
 * @property {boolean} throwsOnError
 */

/**
 * Checks the options before the first read. If they are invalid, the source is closed.
 *
 * @param {unknown} source
 * @param {StreamSourceOptions | null | undefined} allOptions
 * @returns {Reading}
 */
export function openReading(source, allOptions) {
  const pending = settling(source);
  try {
    const { signal: signalOption, throwOnError, ...options } = openOptions(copyOptions(allOptions), "options", SOURCE_OPTIONS);
    const signal = readSignal({ signal: signalOption });
    const throwsOnError = readSwitch(throwOnError, "options.throwOnError", true);
    return { source: pending, accumulator: new StreamAccumulator(options), signal, throwsOnError };
  } catch (error) {
    closeSource(pending); // nobody will read it or wait for it
    throw error;
  }
}

/**
 * What {@link readDeltas} shares with its caller.
 *
 * @typedef {object} ReadState
 * @property {StreamResult | undefined} [result] set when the generator is exhausted, fails or is left
 * @property {() => void} [onStart] called before the first read
 * @property {() => void} [onRead] called after each read
 * @property {() => void} [onEnd] called once the result is set
 * @property {boolean} [isStarted] whether the generator has run
 * @property {boolean} [isLeft] whether the source is closed, although the generator isn't over
 */

/**
 * The deltas of a source.
 *
 * @param {Reading} reading
 * @param {ReadState} state
 * @returns {AsyncGenerator<Delta, void, undefined>}
 */
export async function* readDeltas({ source, accumulator, signal, throwsOnError }, state) {
  state.isStarted = true;
  state.onStart?.();
  /** @type {PieceIterator | undefined} */
  let iterator;
  let isOver = false;
  let isFull = false;
  let hasRead = false;
  /** Whether an error is one of the source, not one that the caller throws into the generator. */
  let isReading = true;
  /** Whether the caller has a delta. Nothing here runs then, so the signal's listener ends the stream. */
  let isPaused = false;
  const waiting = new Waiting();
  const stopListening = onAbort(signal, () => {
    if (isPaused) leave({ source, accumulator }, state, signal?.reason, iterator);
    else waiting.interrupt(signal?.reason);
  });
  /** @type {string | undefined} */
  let requestId;
  try {
    const reader = new PieceReader(accumulator);
    signal?.throwIfAborted();
    const opened = await orAbort(source, signal);
    requestId = await checkResponse(opened, signal);
    iterator = openSource(opened);
    while (!isOver && !isFull) {
      signal?.throwIfAborted();
      const next = iterator.next();
      const { done, value } = await (signal ? waiting.for(next) : next);
      state.onRead?.();
      if (done) isOver = true;
      else {
        hasRead = true;
        const deltas = reader.read(value);
        isFull = deltas.some(throwsOnError ? isError : isLimitError);
        isReading = false;
        for (const delta of deltas) {
          isPaused = true;
          yield delta;
          isPaused = false;
          signal?.throwIfAborted();
        }
        isReading = true;
      }
    }
    state.result = accumulator.finish();
    isReading = false;
    for (const delta of accumulator.takeDeltas()) yield delta;
  } catch (error) {
    if (signal?.aborted || !isReading || isAbort(error)) {
      state.result ??= abort(accumulator, error);
      throw signal?.aborted ? signal.reason : error;
    }
    const deltas = tellFailure(accumulator, error, hasRead);
    state.result = finish(accumulator);
    const thrown = transportError(error, state.result);
    if (state.result) reportRequest(state.result, thrown);
    for (const delta of [...deltas, ...lastDeltas(accumulator)]) yield delta;
    throw thrown;
  } finally {
    stopListening();
    state.result ??= abort(accumulator, "the stream was left");
    accumulator.free();
    if (!isOver && !state.isLeft) {
      const closing = closeSource(source, iterator);
      // An abort doesn't wait: a generator closes only once its own source answers, which may never happen.
      if (iterator && !signal?.aborted) await closing;
    }
    state.onEnd?.();
  }
  if (throwsOnError && state.result?.error) throw failureError(state.result.error, state.result, requestId);
}

/**
 * Ends a stream whose generator doesn't run: it is paused, or was never read.
 *
 * @param {Pick<Reading, "source" | "accumulator">} reading
 * @param {ReadState} state
 * @param {unknown} reason
 * @param {PieceIterator} [iterator]
 */
function leave({ source, accumulator }, state, reason, iterator) {
  state.isLeft = true;
  state.result ??= abort(accumulator, reason);
  accumulator.free();
  closeSource(source, iterator); // not awaited: it may be a promise that never resolves
  state.onEnd?.();
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

/**
 * @param {StreamSource} source
 * @param {StreamSourceOptions} [options]
 * @returns {DeltaStream}
 */
export function streamDeltas(source, options) {
  const reading = openReading(source, options);
  /** @type {ReadState} */
  const state = {};
  const resultOf = () => state.result;
  const finished = new Promise((resolve, reject) => {
    const lost = () => new RespoolError("internal-error", "the result was lost, as the error of the loop explains");
    state.onEnd = () => (state.result ? resolve(state.result) : reject(lost()));
  });
  finished.catch(() => {}); // the loop throws already
  const deltas = traceItems(readDeltas(reading, state), "respool.streamDeltas", { options }, resultOf);
  const stream = closingUnread(deltas, reading, state);
  Object.defineProperty(stream, "result", { get: resultOf });
  return /** @type {DeltaStream} */ (Object.defineProperty(stream, "finished", { value: finished }));
}

/**
 * Closes the source of a generator that is left, or whose signal is aborted, before its first read.
 *
 * @template Item
 * @param {AsyncGenerator<Item, void, undefined>} generator
 * @param {Reading} reading
 * @param {ReadState} state
 */
function closingUnread(generator, reading, state) {
  /** @param {unknown} reason */
  const leaveUnread = (reason) => {
    if (!state.isStarted && !state.isLeft) leave(reading, state, reason);
  };
  const stopListening = onAbort(reading.signal, () => leaveUnread(reading.signal?.reason));
  state.onStart = stopListening;
  return leavingUnread(generator, state, () => {
    stopListening();
    leaveUnread("the stream was left");
  });
}

/**
 * A generator that is left before its first read runs none of its code: `leave` does then what its end would do.
 *
 * @template Item
 * @param {AsyncGenerator<Item, void, undefined>} generator
 * @param {{ isStarted?: boolean }} state
 * @param {() => void} leave
 */
export function leavingUnread(generator, state, leave) {
  for (const name of /** @type {const} */ (["return", "throw"])) {
    const close = generator[name].bind(generator);
    const value = (/** @type {void | PromiseLike<void>} */ result) => {
      if (!state.isStarted) leave();
      state.isStarted = true;
      return close(result);
    };
    Object.defineProperty(generator, name, { value });
  }
  return generator;
}

/**
 * @param {Agent} agent
 * @param {StreamSource} source
 * @param {StreamSourceOptions} [options]
 * @returns {AsyncGenerator<string | ToolCall, void, undefined>}
 */
export function processStream(agent, source, options) {
  const reading = openReading(source, options);
  /** @type {ReadState} */
  const state = {};
  const items = processItems(readDeltas(reading, state), state);
  const traced = traceItems(items, "respool.processStream", { agent, options }, () => state.result);
  return closingUnread(traced, reading, state);
}

/**
 * @param {AsyncGenerator<Delta, void, undefined>} deltas
 * @param {ReadState} state
 * @returns {AsyncGenerator<string | ToolCall, void, undefined>}
 */
async function* processItems(deltas, state) {
  let refusal = "";
  let hasFirst = false;
  let hasOthers = false;
  for await (const delta of deltas) {
    if ("choice" in delta && delta.choice) hasOthers = true;
    else if (delta.type === "text") {
      hasFirst = true;
      yield delta.text;
    } else if (delta.type === "refusal" && delta.text !== "") {
      hasFirst = true;
      refusal = delta.text;
      break;
    }
  }
  const partial = /** @type {StreamResult} */ (state.result);
  if (hasOthers && !hasFirst) {
    // There may be no choice 0. The result is that of the lowest index.
    if (partial.text !== "") yield partial.text;
    refusal = partial.refusal ?? "";
  }
  if (refusal !== "") {
    throw new RefusalError("refusal", `Model refused: ${refusal}`, { refusal, outcome: "determinate", partial });
  }
  // There is no delta to leave it at.
  if (partial.error) throw failureError(partial.error, partial);
  checkCalls(partial);
  yield* partial.toolCalls;
}

/**
 * Throws if the stream ended in the middle of a tool call.
 *
 * @param {StreamResult} partial
 */
export function checkCalls(partial) {
  if (partial.ending === "truncated" && partial.toolCallStatus.includes("truncated")) {
    const message = "the stream ended in the middle of a tool call";
    throw new StreamError("stream-truncated", message, { outcome: "indeterminate", partial });
  }
}
