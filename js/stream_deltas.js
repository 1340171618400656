/** The accumulator as a transform stream. */

/** @import { Delta, StreamAccumulatorOptions, StreamPiece, StreamResult } from "./types/api.js" */

import { StreamAccumulator } from "./accumulator.js";
import { isLimitError, unlessLost } from "./delta_reader.js";
import { RespoolError } from "./errors.js";
import { isAbort, isBehindAnswer, transportError } from "./failures.js";
import { makeInspectable } from "./handle.js";
import { PieceReader } from "./source.js";
import { openStreamSpan } from "./tracing/stream.js";

/** Stands in for TransformStream, so that the package can be imported without it, as in Jest with jsdom. */
class NoTransformStream {
  constructor() {
    throw new RespoolError("missing-global", "StreamDeltas needs the global TransformStream, which is not defined here");
  }
}

const BaseStream = /** @type {typeof TransformStream<StreamPiece, Delta>} */ (globalThis.TransformStream ?? NoTransformStream);

/**
 * What reads the pieces that are written, and its result once that has ended, however it did.
 *
 * @param {StreamAccumulatorOptions | undefined} options
 * @param {(reason: unknown) => void} onCancel
 */
function openTransformer(options, onCancel) {
  const accumulator = new StreamAccumulator(options);
  const reader = new PieceReader(accumulator);
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
    transformer.result ??= result;
    accumulator.free();
    span?.end(transformer.result, error);
    span = undefined;
  };
  /** @type {(reason: unknown, error?: unknown) => void} */
  const abort = (reason, error) => {
    const result = unlessLost(() => accumulator.abort(reason));
    end(result, error);
  };
  /** @type {(run: () => void) => void} */
  const endIfThrows = (run) => {
    try {
      run();
    } catch (error) {
      abort(error, error);
      throw error;
    }
  };
  /** @type {Transformer<StreamPiece, Delta> & { result?: StreamResult | undefined, abort(reason: unknown): void, cancel(reason: unknown): void, fail(error: unknown): boolean }} */
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
    abort,
    cancel(reason) {
      abort(reason);
      onCancel(reason);
    },
    fail(error) {
      const result = unlessLost(() => accumulator.finish());
      const failure = transportError(error, result);
      const isFailed = !isBehindAnswer(failure, result);
      if (isFailed) end(result, failure);
      return isFailed;
    },
  };
  return transformer;
}

export class StreamDeltas extends BaseStream {
  /** @override */
  static get name() {
    return "StreamDeltas";
  }

  #transformer;
  /** @type {WritableStream<StreamPiece>} */
  #writable;

  /** @param {StreamAccumulatorOptions} [options] */
  constructor(options) {
    /** @type {WritableStreamDefaultController | undefined} */
    let outer;
    const transformer = openTransformer(options, (reason) => outer?.error(reason));
    super(transformer, { highWaterMark: 0 }); // the outer stream has the queue
    this.#transformer = transformer;
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
        if (isAbort(reason)) transformer.abort(reason);
        else if (!transformer.fail(reason)) return writer.close();
        return writer.abort(reason);
      },
    });
  }

  /** @override */
  get writable() {
    return this.#writable;
  }

  get result() {
    return this.#transformer.result;
  }
}

makeInspectable(StreamDeltas, ({ readable, writable, result }) => ({ readable, writable, ending: result?.ending ?? "open" }));
