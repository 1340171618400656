/** Async iterables and transform streams around the accumulator. */

/** @import { Agent, Delta, DeltaStream, StreamAccumulatorOptions, StreamPiece, StreamResult, StreamSource, StreamSourceOptions, ToolCall } from "./types/api.js" */
/** @import { PieceIterator } from "./source.js" */

import { orAbort, settling } from "./abort.js";
import { StreamAccumulator } from "./accumulator.js";
import { RefusalError, RespoolError, StreamError } from "./errors.js";
import { checkResponse, failureError, isAbort, transportError } from "./failures.js";
import { makeInspectable } from "./handle.js";
import { copyOptions, openOptions, readSignal, readSwitch, STREAM_OPTIONS } from "./options.js";
import { closeSource, openSource, PieceReader } from "./source.js";
import { openStreamSpan, traceItems } from "./tracing/stream.js";

/**
 * A source that is about to be read, and what reads it.
 *
 * @typedef {object} Reading
 * @property {unknown} source a promise of it, if it is one
 * @property {StreamAccumulator} accumulator
 * @property {AbortSignal | undefined} signal
 * @property {boolean} throwsOnError
 */

const OPTIONS = [...STREAM_OPTIONS, "signal", "throwOnError"];

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
    const { signal: signalOption, throwOnError, ...options } = openOptions(copyOptions(allOptions), "options", OPTIONS);
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
 * @property {() => void} [onRead] called after each read
 * @property {() => void} [onEnd] called once the result is set
 * @property {boolean} [isStarted] whether the generator has run
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
  /** @type {PieceIterator | undefined} */
  let iterator;
  let isOver = false;
  let isFull = false;
  /** Whether an error is one of the source, not one that the caller throws into the generator. */
  let isReading = true;
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
      const { done, value } = await orAbort(iterator.next(), signal);
      state.onRead?.();
      if (done) isOver = true;
      else {
        const deltas = reader.read(value);
        isFull = deltas.some(throwsOnError ? isError : isLimitError);
        isReading = false;
        for (const delta of deltas) {
          yield delta;
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
    state.result = finish(accumulator);
    for (const delta of lastDeltas(accumulator)) yield delta;
    throw transportError(error, state.result);
  } finally {
    state.result ??= abort(accumulator, "the stream was left");
    accumulator.free();
    if (!isOver) {
      const closing = closeSource(source, iterator);
      // An abort doesn't wait: a generator closes only once its own source answers, which may never happen.
      if (iterator && !signal?.aborted) await closing;
    }
    state.onEnd?.();
  }
  if (throwsOnError && state.result?.error) throw failureError(state.result.error, state.result, requestId);
}

/** @param {Delta} delta */
const isError = (delta) => delta.type === "error";

/**
 * Whether a limit was exceeded. Nothing is read after that, and the source, which may be endless, is closed.
 *
 * @param {Delta} delta
 */
const isLimitError = (delta) => delta.type === "error" && delta.error?.code === "limit-exceeded";

/**
 * The result so far. It is undefined if the accumulator was lost: the pending error says why.
 *
 * @param {StreamAccumulator} accumulator
 * @param {unknown} reason
 */
function abort(accumulator, reason) {
  try {
    return accumulator.abort(reason);
  } catch {
    return undefined;
  }
}

/** @param {StreamAccumulator} accumulator */
function finish(accumulator) {
  try {
    return accumulator.finish();
  } catch {
    return undefined; // as above
  }
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
  const stream = closingOnReturn(deltas, reading, state);
  Object.defineProperty(stream, "result", { get: resultOf });
  return /** @type {DeltaStream} */ (Object.defineProperty(stream, "finished", { value: finished }));
}

/**
 * A generator that is left before its first read runs none of its code, so its source is closed here.
 *
 * @template Item
 * @param {AsyncGenerator<Item, void, undefined>} generator
 * @param {Reading} reading
 * @param {ReadState} state
 */
function closingOnReturn(generator, { source, accumulator }, state) {
  const leave = generator.return.bind(generator);
  /** @param {void | PromiseLike<void>} result */
  const value = (result) => {
    if (!state.isStarted) {
      closeSource(source); // not awaited: it may be a promise that never resolves
      state.result = abort(accumulator, "the stream was left");
      accumulator.free();
      state.onEnd?.();
    }
    state.isStarted = true;
    return leave(result);
  };
  return Object.defineProperty(generator, "return", { value });
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
  return closingOnReturn(traced, reading, state);
}

/**
 * @param {AsyncGenerator<Delta, void, undefined>} deltas
 * @param {ReadState} state
 * @returns {AsyncGenerator<string | ToolCall, void, undefined>}
 */
async function* processItems(deltas, state) {
  let refusal = "";
  for await (const delta of deltas) {
    if ("choice" in delta && delta.choice) continue;
    if (delta.type === "text") yield delta.text;
    else if (delta.type === "refusal" && delta.text !== "") {
      refusal = delta.text;
      break;
    }
  }
  const partial = /** @type {StreamResult} */ (state.result);
  if (refusal !== "") {
    throw new RefusalError("refusal", `Model refused: ${refusal}`, { refusal, outcome: "determinate", partial });
  }
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

/** Stands in for TransformStream, so that the package can be imported without it, as in Jest with jsdom. */
class NoTransformStream {
  constructor() {
    throw new RespoolError("missing-global", "StreamDeltas needs the global TransformStream, which is not defined here");
  }
}

const BaseStream = /** @type {typeof TransformStream<StreamPiece, Delta>} */ (globalThis.TransformStream ?? NoTransformStream);

export class StreamDeltas extends BaseStream {
  /** @override */
  static get name() {
    return "StreamDeltas";
  }

  #state;
  /** @type {WritableStream<StreamPiece>} */
  #writable;

  /** @param {StreamAccumulatorOptions} [options] */
  constructor(options) {
    const accumulator = new StreamAccumulator(options);
    const reader = new PieceReader(accumulator);
    /** @type {ReadState} */
    const state = {};
    /** @type {ReturnType<typeof openStreamSpan>} */
    let span;
    /** @type {WritableStreamDefaultController | undefined} */
    let outer;
    /** @type {(deltas: Delta[], controller: TransformStreamDefaultController<Delta>) => void} */
    const enqueue = (deltas, controller) => {
      for (const delta of deltas) {
        span?.add(delta);
        controller.enqueue(delta);
      }
    };
    /** @type {(result: StreamResult | undefined, error?: unknown) => void} */
    const end = (result, error) => {
      state.result ??= result;
      accumulator.free();
      span?.end(state.result, error);
      span = undefined;
    };
    /** @type {(run: () => void) => void} */
    const endIfThrows = (run) => {
      try {
        run();
      } catch (error) {
        end(abort(accumulator, error), error);
        throw error;
      }
    };
    /** @type {Transformer<StreamPiece, Delta> & { cancel(reason: unknown): void }} */
    const transformer = {
      start() {
        span = openStreamSpan("respool.StreamDeltas", { options });
      },
      transform: (piece, controller) =>
        endIfThrows(() => {
          const deltas = reader.read(piece);
          enqueue(deltas, controller);
          if (!deltas.some(isLimitError)) return;
          end(accumulator.finish());
          controller.terminate();
        }),
      flush: (controller) =>
        endIfThrows(() => {
          const result = accumulator.finish();
          enqueue(accumulator.takeDeltas(), controller);
          end(result);
        }),
      cancel(reason) {
        end(abort(accumulator, reason));
        outer?.error(reason);
      },
    };
    super(transformer, { highWaterMark: 0 }); // the outer stream has the queue
    this.#state = state;
    const writer = super.writable.getWriter();
    // A transformer can't tell a reader that leaves from a source that fails; the stream that is written to can.
    this.#writable = new WritableStream({
      start(controller) {
        outer = controller;
        writer.closed.catch((error) => controller.error(error));
      },
      write: (piece) => writer.write(piece),
      close: () => writer.close(),
      abort(reason) {
        const result = isAbort(reason) ? abort(accumulator, reason) : finish(accumulator);
        end(result, isAbort(reason) ? undefined : transportError(reason, result));
        return writer.abort(reason);
      },
    });
  }

  /** @override */
  get writable() {
    return this.#writable;
  }

  get result() {
    return this.#state.result;
  }
}

makeInspectable(StreamDeltas, ({ readable, writable, result }) => ({ readable, writable, ending: result?.ending ?? "open" }));
