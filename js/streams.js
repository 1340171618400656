/** Streams of JavaScript around the accumulator. */

import { orAbort } from "./abort.js";
import { StreamAccumulator } from "./accumulator.js";
import { ProviderError, RefusalError, RespoolError, StreamError, messageOf } from "./errors.js";
import { makeInspectable } from "./handle.js";
import { copyOptions, readSignal } from "./options.js";
import { PieceReader, closeSource, openSource } from "./source.js";
import { openStream, traceItems } from "./tracing/stream.js";

/**
 * The deltas of a source, and the result at the end: `state.result` is set when the generator is done, fails or is left.
 * `state.source` is what was opened, `state.onRead` is called after each read, and `state.isBegun` tells whether there was
 * anything to leave.
 */
export async function* readDeltas(source, given, state) {
  state.isBegun = true;
  let signal;
  let accumulator;
  let iterator;
  let isOver = false;
  let isFull = false;
  try {
    const { signal: asked, ...options } = copyOptions(given);
    signal = readSignal({ signal: asked });
    accumulator = new StreamAccumulator(options);
    const reader = new PieceReader(accumulator);
    signal?.throwIfAborted();
    const opened = await orAbort(source, signal);
    state.source = opened;
    iterator = openSource(opened);
    while (!isOver && !isFull) {
      signal?.throwIfAborted();
      const { done, value } = await orAbort(iterator.next(), signal);
      state.onRead?.();
      if (done) isOver = true;
      else {
        const deltas = reader.read(value);
        isFull = deltas.some(isExceeded);
        for (const delta of deltas) {
          yield delta;
          signal?.throwIfAborted();
        }
      }
    }
    state.result = accumulator.finish();
    for (const delta of accumulator.takeDeltas()) yield delta;
    checkStatus(opened, state.result);
  } catch (error) {
    state.result = abort(accumulator, error);
    throw signal?.aborted || isOurs(error) ? error : transportError(error, state.result);
  } finally {
    state.result ??= abort(accumulator, "the stream was left");
    accumulator?.free();
    if (!isOver) {
      const closing = closeSource(source, iterator);
      // Who aborts does not wait: a generator closes only when its own source answers, which may be never.
      if (iterator && !signal?.aborted) await closing;
    }
  }
}

/** Whether a limit is exceeded: from then on nothing is read, and the source, which may never end, is left. */
const isExceeded = ({ error }) => error?.code === "limit-exceeded";

const OURS = ["invalid-chunk", "invalid-option", "invalid-source", "http-error", "internal-error", "in-use"];
const isOurs = (error) => RespoolError.isInstance(error) && OURS.includes(error.code);

/** The result so far; undefined of an accumulator that was lost or never made, as the error that is on its way says. */
function abort(accumulator, reason) {
  try {
    return accumulator.abort(reason);
  } catch {
    return undefined;
  }
}

/** An error page is no answer, and says nothing that could be read. */
function checkStatus(response, partial) {
  const isAnswered = partial.error !== undefined || partial.ending === "complete" || partial.text !== "";
  if (response.ok !== false || isAnswered) return;
  const message = `the server answered with HTTP status ${response.status}, and no error that could be read`;
  throw new StreamError("http-error", message, { outcome: "determinate", partial });
}

export function transportError(error, partial) {
  const message = `the stream broke: ${messageOf(error)}`;
  return new StreamError("stream-broken", message, { cause: error, outcome: "indeterminate", partial });
}

export function streamDeltas(source, options) {
  const state = { result: undefined };
  const resultOf = () => state.result;
  const generator = traceItems(readDeltas(source, options, state), "respool.streamDeltas", { options }, resultOf);
  return Object.defineProperty(closing(generator, source, state), "result", { get: resultOf });
}

/** A generator that is left before it was asked for anything runs nothing of itself: its source is closed here. */
function closing(generator, source, state) {
  const leave = generator.return.bind(generator);
  const value = (given) => {
    if (!state.isBegun) closeSource(source); // nobody waits: it may be a promise
    state.isBegun = true;
    return leave(given);
  };
  return Object.defineProperty(generator, "return", { value });
}

export function processStream(agent, source, options) {
  const state = { result: undefined };
  const items = runProcess(source, options, state);
  return closing(
    traceItems(items, "respool.processStream", { agent, options }, () => state.result),
    source,
    state,
  );
}

async function* runProcess(source, options, state) {
  const deltas = readDeltas(source, options, state);
  let refusal = false;
  for await (const delta of deltas) {
    if (delta.choice) continue;
    if (delta.type === "text") yield delta.text;
    else if (delta.type === "refusal" && !refusal) {
      refusal = delta.text;
      break;
    }
  }
  const partial = state.result;
  if (refusal) {
    throw new RefusalError("refusal", `Model refused: ${refusal}`, { refusal, outcome: "determinate", partial });
  }
  checkResult(partial);
  yield* partial.toolCalls;
}

/** Throws what kept a stream from coming to its end. */
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

/** Where there are no streams, as in Jest with jsdom, this must be loaded all the same. */
class NoTransformStream {
  constructor() {
    throw new RespoolError("missing-global", "StreamDeltas needs the global TransformStream, which is not defined here");
  }
}

export class StreamDeltas extends (globalThis.TransformStream ?? NoTransformStream) {
  static get name() {
    return "StreamDeltas";
  }

  #state;

  constructor(options) {
    const accumulator = new StreamAccumulator(options);
    const reader = new PieceReader(accumulator);
    const state = { result: undefined };
    let span;
    const give = (deltas, controller) => {
      for (const delta of deltas) {
        span?.add(delta);
        controller.enqueue(delta);
      }
    };
    const end = (result, error) => {
      state.result ??= result;
      accumulator.free();
      span?.end(state.result, error);
      span = undefined;
    };
    const orEnd = (run) => {
      try {
        run();
      } catch (error) {
        end(abort(accumulator, error), error);
        throw error;
      }
    };
    super({
      start() {
        span = openStream("respool.StreamDeltas", { options });
      },
      transform: (piece, controller) =>
        orEnd(() => {
          const deltas = reader.read(piece);
          give(deltas, controller);
          if (!deltas.some(isExceeded)) return;
          end(accumulator.finish());
          controller.terminate();
        }),
      flush: (controller) =>
        orEnd(() => {
          const result = accumulator.finish();
          give(accumulator.takeDeltas(), controller);
          end(result);
        }),
      cancel(reason) {
        end(abort(accumulator, reason));
      },
    });
    this.#state = state;
  }

  get result() {
    return this.#state.result;
  }
}

makeInspectable(StreamDeltas, ({ readable, writable, result }) => ({ readable, writable, ending: result?.ending ?? "open" }));
