/** The accumulator as a transform stream. */

/** @import { Delta, StreamAccumulatorOptions, StreamPiece, StreamResult } from "./types/api.js" */

import { StreamAccumulator } from "./accumulator.js";
import { AnswerReader } from "./answer_reader.js";
import { isLimitError, unlessLost } from "./delta_reader.js";
import { RespoolError } from "./errors.js";
import { isAbort, isAfterAnswer, transportError } from "./failures.js";
import { makeInspectable } from "./handle.js";
import { GRACE_MS } from "./piece_source.js";
import { openStreamSpan } from "./tracing/stream.js";

/** Stands in for TransformStream, so that the package can be imported without it, as in Jest with jsdom. */
class NoTransformStream {
  constructor() {
    throw new RespoolError("missing-global", "StreamDeltas needs the global TransformStream, which is not defined here");
  }
}

const BaseStream = /** @type {typeof TransformStream<StreamPiece, Delta>} */ (globalThis.TransformStream ?? NoTransformStream);

/**
 * Reads the pieces that are written to the stream.
 *
 * @implements {Transformer<StreamPiece, Delta>}
 */
class DeltaTransformer {
  #options;
  #onCancel;
  #accumulator;
  #reader;
  /** @type {ReturnType<typeof openStreamSpan>} */
  #span;
  /** Set once the stream has ended, however it ended. @type {StreamResult | undefined} */
  result;
  /** Set once the answer is over. @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /**
   * @param {StreamAccumulatorOptions | undefined} options
   * @param {(reason: unknown) => void} onCancel
   */
  constructor(options, onCancel) {
    this.#options = options;
    this.#onCancel = onCancel;
    this.#accumulator = new StreamAccumulator(options);
    this.#reader = new AnswerReader(this.#accumulator, options?.api);
  }

  start() {
    this.#span = openStreamSpan("respool.StreamDeltas", { options: this.#options });
  }

  /**
   * @param {StreamPiece} piece
   * @param {TransformStreamDefaultController<Delta>} controller
   */
  transform(piece, controller) {
    this.#endIfThrows(() => {
      const deltas = this.#reader.read(piece);
      this.#enqueue(deltas, controller);
      if (this.#accumulator.isDone) this.#endSoon(controller, deltas.length > 0);
      if (!deltas.some(isLimitError)) return;
      this.#finish(controller);
      controller.terminate();
    });
  }

  /**
   * Ends the stream soon, because the answer is over: some servers leave the connection open.
   *
   * @param {TransformStreamDefaultController<Delta>} controller
   * @param {boolean} hasNews whether the answer goes on after all
   */
  #endSoon(controller, hasNews) {
    if (hasNews) clearTimeout(this.#timer);
    else if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      try {
        this.flush(controller);
        controller.terminate();
      } catch (error) {
        controller.error(error);
      }
    }, GRACE_MS);
  }

  /** @param {TransformStreamDefaultController<Delta>} controller */
  flush(controller) {
    this.#endIfThrows(() => {
      this.#enqueue(this.#reader.end(), controller);
      this.#finish(controller);
    });
  }

  /** @param {unknown} reason */
  cancel(reason) {
    this.abort(reason);
    this.#onCancel(reason);
  }

  /** @param {unknown} reason @param {unknown} [error] */
  abort(reason, error) {
    const result = unlessLost(() => {
      this.#reader.end(true);
      return this.#accumulator.abort(reason);
    });
    this.#end(result, error);
  }

  /**
   * Handles a failure of the source. Returns whether the stream has failed, too: it hasn't if the answer was complete.
   *
   * @param {unknown} error
   */
  fail(error) {
    const result = unlessLost(() => {
      this.#reader.end(true);
      return this.#accumulator.finish();
    });
    const failure = transportError(error, result);
    const isFailed = !isAfterAnswer(failure, result);
    if (isFailed) this.#end(result, failure);
    return isFailed;
  }

  /** @param {TransformStreamDefaultController<Delta>} controller */
  #finish(controller) {
    const result = this.#accumulator.finish();
    this.#enqueue(this.#accumulator.takeDeltas(), controller);
    this.#end(result);
  }

  /**
   * @param {Delta[]} deltas
   * @param {TransformStreamDefaultController<Delta>} controller
   */
  #enqueue(deltas, controller) {
    for (const delta of deltas) {
      this.#span?.add(delta);
      controller.enqueue(delta);
    }
  }

  /** @param {StreamResult | undefined} result @param {unknown} [error] */
  #end(result, error) {
    this.result ??= result;
    clearTimeout(this.#timer);
    this.#accumulator.free();
    this.#span?.end(this.result, error);
    this.#span = undefined;
  }

  /** @param {() => void} run */
  #endIfThrows(run) {
    try {
      run();
    } catch (error) {
      this.abort(error, error);
      throw error;
    }
  }
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
    const transformer = new DeltaTransformer(options, (reason) => outer?.error(reason));
    super(transformer, { highWaterMark: 0 }); // the outer stream has the queue
    this.#transformer = transformer;
    const writer = super.writable.getWriter();
    // A transformer can't distinguish a reader that leaves from a source that fails, but the writable stream can.
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
