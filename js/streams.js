/** Async iterables and transform streams around the accumulator. */

/** @import { Agent, Delta, DeltaStream, StreamAccumulatorOptions, StreamPiece, StreamResult, StreamSource, StreamSourceOptions, ToolCall } from "./types/api.js" */
/** @import { PieceIterator } from "./source.js" */

import { orAbort } from "./abort.js";
import { StreamAccumulator } from "./accumulator.js";
import { messageOf, ProviderError, RefusalError, RespoolError, StreamError } from "./errors.js";
import { makeInspectable } from "./handle.js";
import { copyOptions, readSignal } from "./options.js";
import { closeSource, openSource, PieceReader } from "./source.js";
import { openStreamSpan, traceItems } from "./tracing/stream.js";

/**
 * What {@link readDeltas} shares with its caller.
 *
 * @typedef {object} ReadState
 * @property {StreamResult | undefined} [result] set when the generator is exhausted, fails or is left
 * @property {{ ok?: boolean, status?: number }} [source] the source once its promise has resolved
 * @property {() => void} [onRead] called after each read
 * @property {boolean} [isStarted] whether the generator has run
 */

/**
 * The deltas of a source.
 *
 * @param {unknown} source
 * @param {StreamSourceOptions | undefined} allOptions
 * @param {ReadState} state
 * @returns {AsyncGenerator<Delta, void, undefined>}
 */
export async function* readDeltas(source, allOptions, state) {
  state.isStarted = true;
  let signal;
  let accumulator;
  /** @type {PieceIterator | undefined} */
  let iterator;
  let isOver = false;
  let isFull = false;
  try {
    const { signal: signalOption, ...options } = copyOptions(allOptions);
    signal = readSignal({ signal: signalOption });
    accumulator = new StreamAccumulator(options);
    const reader = new PieceReader(accumulator);
    signal?.throwIfAborted();
    const opened = /** @type {{ ok?: boolean, status?: number }} */ (await orAbort(source, signal));
    state.source = opened;
    iterator = openSource(opened);
    while (!isOver && !isFull) {
      signal?.throwIfAborted();
      const { done, value } = await orAbort(iterator.next(), signal);
      state.onRead?.();
      if (done) isOver = true;
      else {
        const deltas = reader.read(value);
        isFull = deltas.some(isLimitError);
        for (const delta of deltas) {
          yield delta;
          signal?.throwIfAborted();
        }
      }
    }
    const result = accumulator.finish();
    state.result = result;
    for (const delta of accumulator.takeDeltas()) yield delta;
    checkStatus(opened, result);
  } catch (error) {
    state.result = abort(accumulator, error);
    throw signal?.aborted || isOwnError(error) ? error : transportError(error, state.result);
  } finally {
    state.result ??= abort(accumulator, "the stream was left");
    accumulator?.free();
    if (!isOver) {
      const closing = closeSource(source, iterator);
      // An abort doesn't wait: a generator closes only once its own source answers, which may never happen.
      if (iterator && !signal?.aborted) await closing;
    }
  }
}

/**
 * Whether a limit was exceeded. Nothing is read after that, and the source, which may be endless, is closed.
 *
 * @param {Delta} delta
 */
const isLimitError = (delta) => delta.type === "error" && delta.error?.code === "limit-exceeded";

const OWN_CODES = ["invalid-chunk", "invalid-option", "invalid-source", "http-error", "internal-error", "in-use"];

/** @param {unknown} error */
const isOwnError = (error) => RespoolError.isInstance(error) && OWN_CODES.includes(error.code);

/**
 * The result so far. It is undefined if the accumulator was lost or never made: the pending error says why.
 *
 * @param {StreamAccumulator | undefined} accumulator
 * @param {unknown} reason
 */
function abort(accumulator, reason) {
  try {
    return accumulator?.abort(reason);
  } catch {
    return undefined;
  }
}

/**
 * Throws for an error page without a readable message.
 *
 * @param {{ ok?: boolean, status?: number }} response
 * @param {StreamResult} partial
 */
function checkStatus(response, partial) {
  const hasAnswer = partial.error !== undefined || partial.ending === "complete" || partial.text !== "";
  if (response.ok !== false || hasAnswer) return;
  const message = `the server returned HTTP status ${response.status} without a readable error message`;
  throw new StreamError("http-error", message, { outcome: "determinate", partial });
}

/**
 * @param {unknown} error
 * @param {StreamResult} [partial]
 */
export function transportError(error, partial) {
  const message = `the stream broke: ${messageOf(error)}`;
  return new StreamError("stream-broken", message, { cause: error, outcome: "indeterminate", partial });
}

/**
 * @param {StreamSource} source
 * @param {StreamSourceOptions} [options]
 * @returns {DeltaStream}
 */
export function streamDeltas(source, options) {
  /** @type {ReadState} */
  const state = {};
  const resultOf = () => state.result;
  const deltas = traceItems(readDeltas(source, options, state), "respool.streamDeltas", { options }, resultOf);
  const stream = Object.defineProperty(closingOnReturn(deltas, source, state), "result", { get: resultOf });
  return /** @type {DeltaStream} */ (stream);
}

/**
 * A generator that is left before its first read runs none of its code, so its source is closed here.
 *
 * @template Item
 * @param {AsyncGenerator<Item, void, undefined>} generator
 * @param {unknown} source
 * @param {ReadState} state
 */
function closingOnReturn(generator, source, state) {
  const leave = generator.return.bind(generator);
  /** @param {void | PromiseLike<void>} result */
  const value = (result) => {
    if (!state.isStarted) closeSource(source); // not awaited: it may be a promise that never resolves
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
  /** @type {ReadState} */
  const state = {};
  const items = processItems(source, options, state);
  const traced = traceItems(items, "respool.processStream", { agent, options }, () => state.result);
  return closingOnReturn(traced, source, state);
}

/**
 * @param {unknown} source
 * @param {StreamSourceOptions | undefined} options
 * @param {ReadState} state
 * @returns {AsyncGenerator<string | ToolCall, void, undefined>}
 */
async function* processItems(source, options, state) {
  let refusal = "";
  for await (const delta of readDeltas(source, options, state)) {
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
  checkResult(partial);
  yield* partial.toolCalls;
}

/**
 * Throws if the provider reported an error, or if the stream ended in the middle of a tool call.
 *
 * @param {StreamResult} partial
 */
export function checkResult(partial) {
  if (partial.error) {
    const { message, providerType, providerCode, raw } = partial.error;
    const cause = new ProviderError(partial.error.code, message, { providerType, providerCode, raw });
    throw new StreamError(partial.error.code, message, { cause, outcome: "determinate", partial });
  }
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

  /** @param {StreamAccumulatorOptions} [options] */
  constructor(options) {
    const accumulator = new StreamAccumulator(options);
    const reader = new PieceReader(accumulator);
    /** @type {ReadState} */
    const state = {};
    /** @type {ReturnType<typeof openStreamSpan>} */
    let span;
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
      },
    };
    super(transformer);
    this.#state = state;
  }

  get result() {
    return this.#state.result;
  }
}

makeInspectable(StreamDeltas, ({ readable, writable, result }) => ({ readable, writable, ending: result?.ending ?? "open" }));
