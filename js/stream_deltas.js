/** The accumulator as a transform stream. */

/** @import { Delta, StreamAccumulatorOptions, StreamPiece, StreamResult } from "./types/api.js" */

import { StreamAccumulator } from "./accumulator.js";
import { abort, finish, isLimitError } from "./delta_reader.js";
import { RespoolError } from "./errors.js";
import { isAbort, transportError } from "./failures.js";
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
    /** @type {{ result?: StreamResult | undefined }} */
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
