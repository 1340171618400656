/** One turn: asks the model and reads its answer. */

/** @import { AnnotatedLlmResponse, Delta, FinishReason, StreamResult, ToolCall, Usage } from "../types/api.js" */
/** @import { Span } from "../tracing/tracer.js" */
/** @import { RunOptions } from "./run_options.js" */

import { isThenable, linkedTo, orAbort } from "../abort.js";
import { DeltaReader } from "../delta_reader.js";
import { asProviderError, messageOf, RespoolError } from "../errors.js";
import { failureError, isAbort } from "../failures.js";
import { openReading } from "../streams.js";
import { traceItems } from "../tracing/stream.js";
import { Watchdog } from "./clock.js";
import { isWorthRetrying } from "./fetch_transport.js";
import { formatFor } from "./messages/format.js";
import { freeFormCalls } from "./messages/response.js";
import { streamOptions } from "./run_options.js";

const LOOP = "repeated-line-loop";
const REJECTED = "rejected-tool-call";

/**
 * The end of an answer, with the names of src/runner/event.rs.
 *
 * @typedef {object} TurnEnd
 * @property {"answered" | "paused" | "rejected" | "refused" | "looped" | "stalled" | "broke-off" | "impossible"} end
 * @property {string} [message]
 * @property {boolean} [isProviderFailure] whether the provider reported why it failed
 */

/**
 * The event for the state machine at the end of an answer.
 *
 * @typedef {TurnEnd & {
 *   type: "turn-ended",
 *   text: string,
 *   calls: (ToolCall & { isFreeForm: boolean, isTruncated: boolean })[],
 *   finishReason: FinishReason | undefined,
 *   explanation: string | undefined,
 *   usage: Usage | undefined,
 * }} TurnEvent
 */

/**
 * Observations while the answer is read.
 *
 * @typedef {object} Observed
 * @property {string} [loop] the warning about a loop
 * @property {string} [rejected] the warning about a rejected call
 * @property {DOMException} [stall] the error with which the connection was closed, because the model was silent
 * @property {{ error: unknown }} [thrown] thrown by the transport or its stream
 * @property {{ error: unknown }} [callerError] thrown by `onDelta`
 */

/**
 * @typedef {object} TurnObservers
 * @property {(read: () => StreamResult) => void} onOpen receives a function that returns the answer so far
 * @property {() => void} onRead
 * @property {(delta: Delta) => unknown} onDelta
 * @property {Span | undefined} span
 */

/**
 * Asks the model once. An error of `onDelta` becomes the `callerError`.
 *
 * @param {RunOptions} options
 * @param {Record<string, unknown>} payload
 * @param {AbortSignal} signal
 * @param {TurnObservers} observers
 * @returns {Promise<{ event: TurnEvent, response: AnnotatedLlmResponse, cause: unknown, callerError: Observed["callerError"] }>}
 */
export async function askModel(options, payload, signal, { onOpen, onRead, onDelta, span }) {
  const { controller, unlink, ...turn } = linkedTo(signal);
  const connection = linkedTo(turn.signal);
  /** @type {Observed} */
  const observed = {};
  const watchdog = new Watchdog(options.clock, options.stallTimeoutMs, () => {
    observed.stall = new DOMException(`The model sent nothing for ${options.stallTimeoutMs} ms`, "TimeoutError");
    // The turn isn't aborted, as it is by the caller: the text received may be the whole answer.
    reader.stopWith(observed.stall);
    connection.controller.abort(observed.stall);
  });
  const context = { signal: connection.signal, onWait: (/** @type {number} */ ms) => watchdog.restart(ms) };
  const ask = async () => options.transport(/** @type {never} */ (payload), context);
  watchdog.restart();
  const reading = openReading(ask(), { ...streamOptions(options), signal: turn.signal, throwOnError: false });
  const reader = new DeltaReader(reading, () => {
    watchdog.restart();
    onRead();
  });
  onOpen(() => reader.result ?? reading.accumulator.snapshot());
  const { agent } = options;
  const inputs = { ...(agent && { agent }), payload };
  const deltas = traceItems(reader.deltas(), "respool.runRequest: stream", inputs, () => reader.result, span);
  try {
    for await (const delta of deltas) {
      if (delta.type === "warning" && delta.code === LOOP) observed.loop = delta.message;
      if (delta.type === "warning" && delta.code === REJECTED) observed.rejected ??= delta.message;
      try {
        const pending = onDelta(delta);
        if (isThenable(pending)) {
          watchdog.stop();
          await orAbort(pending, turn.signal);
          watchdog.restart();
        }
      } catch (error) {
        observed.callerError = { error };
      }
      if (observed.callerError || observed.loop !== undefined) {
        controller.abort(); // so that closing the source isn't awaited
        break;
      }
    }
  } catch (error) {
    observed.thrown = { error };
  } finally {
    watchdog.stop();
    unlink();
  }
  const { result } = reader;
  const { callerError } = observed;
  if (!result) throw (callerError ?? observed.thrown)?.error;
  const { text, toolCalls, toolCallStatus, finishReason, usage, response } = result;
  const isFreeForm = freeFormCalls(response);
  const calls = toolCalls.map((call, at) => ({
    ...call,
    isFreeForm: isFreeForm(call.id),
    isTruncated: toolCallStatus[at] === "truncated",
  }));
  const { cause, ...end } = endOf(result, observed, options);
  const { finishMessage: explanation } = /** @type {{ finishMessage?: string }} */ (response.apiSpecific ?? {});
  return { event: { type: "turn-ended", text, calls, finishReason, explanation, usage, ...end }, response, cause, callerError };
}

/** @typedef {TurnEnd & { cause?: unknown }} EndWithCause */

/**
 * @param {StreamResult} result
 * @param {Observed} observed
 * @param {RunOptions} options
 * @returns {EndWithCause}
 */
function endOf(result, { loop, stall, thrown, rejected }, { api }) {
  if (stall && thrown) return { end: "stalled", message: stall.message };
  if (loop !== undefined) return { end: "looped", message: loop };
  if (thrown) {
    const { error } = thrown;
    return {
      end: isTransient(error) ? "broke-off" : "impossible",
      message: messageOf(error),
      cause: error,
      isProviderFailure: asProviderError(error) !== undefined,
    };
  }
  if (result.error) {
    const { code, message } = result.error;
    const cause = failureError(result.error, result);
    return { end: isTransient(cause) ? "broke-off" : "impossible", message, cause, isProviderFailure: code === "provider-error" };
  }
  if (result.refusal || result.rawFinishReason === "refusal") {
    return { end: "refused", message: `Model refused: ${result.refusal || result.text}` };
  }
  if (result.ending === "truncated") return { end: "broke-off", message: "The stream ended before the answer did" };
  if (rejected !== undefined) return { end: "rejected", message: rejected };
  return { end: isPaused(result, api) ? "paused" : "answered" };
}

/**
 * Whether Anthropic continues if the answer is sent back: its own tools take longer than one answer, or it has only
 * summarised the conversation.
 *
 * @param {StreamResult} result
 * @param {string | undefined} api
 */
const isPaused = ({ rawFinishReason, response }, api) =>
  (rawFinishReason === "pause_turn" || rawFinishReason === "compaction") && formatFor(api, response) === "anthropic-messages";

/**
 * Whether another attempt may succeed.
 *
 * @param {unknown} error
 */
function isTransient(error) {
  const ofProvider = asProviderError(error);
  if (ofProvider) return isWorthRetrying(ofProvider);
  return isAbort(error) || (RespoolError.isInstance(error) && error.code === "stream-broken");
}
