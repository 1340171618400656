/** Async iterables around the accumulator. */

/** @import { Agent, DeltaStream, StreamResult, StreamSource, StreamSourceOptions, ToolCall } from "./types/api.js" */

import { settling } from "./abort.js";
import { StreamAccumulator } from "./accumulator.js";
import { AnswerReader } from "./answer_reader.js";
import { DeltaReader } from "./delta_reader.js";
import { RefusalError, StreamError } from "./errors.js";
import { failureError } from "./failures.js";
import { readAgent, SOURCE_OPTIONS } from "./options.js";
import { copyOptions, openOptions, readSignal, readSwitch } from "./read_option.js";
import { TAKEN } from "./known_deltas.js";
import { closingIfInvalid } from "./source.js";
import { traceItems } from "./tracing/stream.js";

/**
 * A source that is about to be read, with its accumulator and settings.
 *
 * @typedef {object} Reading
 * @property {unknown} source the source, or a promise of it
 * @property {StreamAccumulator} accumulator
 * @property {AnswerReader} reader reads the pieces into the accumulator
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
  return closingIfInvalid(pending, () => {
    const { signal: signalOption, throwOnError, ...options } = openOptions(copyOptions(allOptions), "options", SOURCE_OPTIONS);
    const signal = readSignal({ signal: signalOption });
    const throwsOnError = readSwitch(throwOnError, "options.throwOnError", true);
    const accumulator = new StreamAccumulator(options);
    return { source: pending, accumulator, reader: new AnswerReader(accumulator, options.api), signal, throwsOnError };
  });
}

/**
 * @param {StreamSource} source
 * @param {StreamSourceOptions} [options]
 * @returns {DeltaStream}
 */
export function streamDeltas(source, options) {
  const reader = new DeltaReader(openReading(source, options));
  const resultOf = () => reader.result;
  const deltas = traceItems(reader.deltas(), "respool.streamDeltas", { options }, resultOf);
  const stream = cancellingAtOnce(deltas, (reason) => reader.cancel(reason));
  Object.defineProperty(stream, "result", { get: resultOf });
  Object.defineProperty(stream, TAKEN, { get: () => reader.taken });
  return /** @type {DeltaStream} */ (Object.defineProperty(stream, "finished", { value: reader.finished }));
}

/**
 * Makes a generator leave at any time. By itself it only reacts while the caller has an item, so `cancel` must end a
 * pending read, and clean up if nothing was read yet.
 *
 * @template Item
 * @param {AsyncGenerator<Item, void, undefined>} generator
 * @param {(reason: unknown) => void} cancel
 */
export function cancellingAtOnce(generator, cancel) {
  const end = generator.return.bind(generator);
  const fail = generator.throw.bind(generator);
  return Object.defineProperties(generator, {
    return: {
      value(/** @type {void | PromiseLike<void>} */ result) {
        cancel("The stream was left");
        return end(result);
      },
    },
    throw: {
      value(/** @type {unknown} */ error) {
        cancel(error);
        return fail(error);
      },
    },
  });
}

/**
 * @param {Agent} agent
 * @param {StreamSource} source
 * @param {StreamSourceOptions} [options]
 * @returns {AsyncGenerator<string | ToolCall, void, undefined>}
 */
export function processStream(agent, source, options) {
  closingIfInvalid(source, () => readAgent(agent));
  const reader = new DeltaReader(openReading(source, options));
  const items = traceItems(processItems(reader), "respool.processStream", { agent, options }, () => reader.result);
  return cancellingAtOnce(items, (reason) => reader.cancel(reason));
}

/**
 * @param {DeltaReader} reader
 * @returns {AsyncGenerator<string | ToolCall, void, undefined>}
 */
async function* processItems(reader) {
  let refusal = "";
  let hasFirst = false;
  let hasOthers = false;
  for await (const delta of reader.deltas()) {
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
  if (reader.isCancelled) return;
  const partial = /** @type {StreamResult} */ (reader.result);
  if (hasOthers && !hasFirst) {
    // There may be no choice 0. The result is then that of the lowest index.
    if (partial.text !== "") yield partial.text;
    refusal = partial.refusal ?? "";
  }
  if (refusal !== "") {
    throw new RefusalError("refusal", `Model refused: ${refusal}`, { refusal, outcome: "determinate", partial });
  }
  // `throwOnError: false` can't leave the error in a delta, because there are no deltas.
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
    const message = "The stream ended in the middle of a tool call";
    throw new StreamError("stream-truncated", message, { outcome: "indeterminate", partial });
  }
}
