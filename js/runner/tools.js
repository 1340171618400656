/** Runs the tools that the model has called. */

/** @import { RequestToolResult, ToolCall, ToolContext, ToolResult } from "../types/api.js" */
/** @import { Span } from "../tracing/tracer.js" */
/** @import { RunOptions } from "./run_options.js" */
/** @import { ReadResult } from "./tool_result.js" */

import { linkedTo, onAbort, orAbort } from "../abort.js";
import { isA, messageOf } from "../errors.js";
import { openSpan } from "../tracing/tracer.js";
import { Watchdog } from "./clock.js";
import { execute, partsOf, validArguments } from "./tool.js";
import { errorResult, readResult, resultText } from "./tool_result.js";

/**
 * A call to run. One with an error isn't run, and the error is its result.
 *
 * @typedef {ToolCall & { error?: string, outputItem?: ToolContext["outputItem"] }} PlannedCall
 */

/**
 * The tools of a turn.
 *
 * @typedef {object} Round
 * @property {AbortSignal} signal aborted if they all have to stop
 * @property {Set<AbortController>} running
 */

/** Thrown if a tool failed and the failure ends the request. */
export class ToolFailure extends Error {}

/** Thrown if arguments don't match the parameters of a tool and this ends the request. */
export class ArgumentsRejected extends Error {}

/** Thrown if the arguments of a call don't match the parameters of its tool. */
class InvalidArguments extends Error {}

/**
 * Runs the tools and returns the results of the calls, in order. If the options ask for feedback, a failed tool's
 * result is its error; otherwise throws a {@link ToolFailure} and aborts the other tools.
 *
 * @param {PlannedCall[]} calls
 * @param {RunOptions} options
 * @param {AbortSignal} signal
 * @param {{ onResult: (index: number, result: RequestToolResult) => unknown, span: Span | undefined }} observers
 *   `onResult` is called as soon as a tool has a result, and `span` is that of the turn
 * @returns {Promise<ToolResult[]>}
 */
export async function runTools(calls, options, signal, { onResult, span }) {
  const round = linkedTo(signal);
  /** @type {Set<AbortController>} */
  const running = new Set();
  // One listener for all tools, because Node warns of a leak if a signal has more than ten.
  onAbort(round.signal, () => {
    for (const tool of running) tool.abort(round.signal.reason);
  });
  /** @type {(call: PlannedCall, index: number) => Promise<ToolResult>} */
  const run = async (call, index) => {
    const { result, failure } = await runCall(call, options, { signal: round.signal, running }, span);
    await onResult(index, reported(call, result));
    if (failure) throw failure;
    return result;
  };
  try {
    if (options.parallelTools) return await Promise.all(calls.map(run));
    const results = [];
    for (const [index, call] of calls.entries()) results.push(await run(call, index));
    return results;
  } finally {
    round.unlink();
    round.controller.abort();
  }
}

/**
 * Converts a result to the form in deltas and steps.
 *
 * @param {PlannedCall} call
 * @param {ToolResult} result
 * @returns {RequestToolResult}
 */
function reported({ id, name }, result) {
  const read = readResult(result);
  return read.isError ? { id, name, error: resultText(read, true) } : { id, name, result };
}

/**
 * The outcome of a call. A `failure` ends the request.
 *
 * @typedef {{ result: ToolResult, failure?: ToolFailure | ArgumentsRejected }} Outcome
 */

/**
 * @param {PlannedCall} call
 * @param {RunOptions} options
 * @param {Round} round
 * @param {Span | undefined} turn
 * @returns {Promise<Outcome>}
 */
async function runCall({ id, name, arguments: text, error, outputItem }, options, round, turn) {
  if (error !== undefined) return { result: errorResult(error) };
  const span = openSpan("execute_tool", turn);
  span?.emit("signature", `respool.runRequest: ${name}`);
  span?.emit("inputs", { id, name, arguments: text });
  try {
    const context = { toolCall: { id, name, arguments: text }, ...(outputItem && { outputItem }) };
    return await runTool(context, options, round, span);
  } finally {
    span?.end();
  }
}

/**
 * @param {Omit<ToolContext, "signal">} given
 * @param {RunOptions} options
 * @param {Round} round
 * @param {Span | undefined} span
 * @returns {Promise<Outcome>}
 */
async function runTool(given, options, { signal: roundSignal, running }, span) {
  const controller = new AbortController();
  const { signal } = controller;
  const { clock, toolTimeoutMs, tools } = options;
  const timeoutError = () => new DOMException(`it took longer than ${toolTimeoutMs} ms`, "TimeoutError");
  const watchdog = new Watchdog(clock, toolTimeoutMs, () => controller.abort(timeoutError()));
  running.add(controller);
  watchdog.restart();
  try {
    roundSignal.throwIfAborted();
    const call = () => callTool(tools, { ...given, signal });
    const result = await orAbort(span ? span.run(call) : call(), signal);
    const read = readResult(result); // a result that can't be sent to a model is an error of the tool
    if (span) traceResult(span, result, read);
    return { result };
  } catch (error) {
    span?.emit("error", error);
    roundSignal.throwIfAborted();
    return failed(given.toolCall, error, options);
  } finally {
    watchdog.stop();
    running.delete(controller);
  }
}

/**
 * Records a result. A tool that returns an error has failed, like one that throws it.
 *
 * @param {Span} span
 * @param {ToolResult} result
 * @param {ReadResult} read
 */
function traceResult(span, result, read) {
  const isThrowable = isA(result, Error);
  if (!isThrowable) span.emit("result", result);
  if (read.isError) span.emit("error", isThrowable ? result : new Error(resultText(read, true)));
}

/**
 * @param {RunOptions["tools"]} tools
 * @param {ToolContext} context
 * @returns {unknown}
 */
function callTool(tools, context) {
  const { name, arguments: text } = context.toolCall;
  const args = JSON.parse(text);
  const parts = partsOf(tools[name]);
  return parts ? validateAndRun(parts, args, context) : tools[name]?.(args, context);
}

/**
 * @param {NonNullable<ReturnType<typeof partsOf>>} parts
 * @param {unknown} args
 * @param {ToolContext} context
 */
async function validateAndRun(parts, args, context) {
  let valid;
  try {
    valid = await validArguments(parts, args, context.toolCall);
  } catch (error) {
    throw new InvalidArguments(messageOf(error), { cause: error });
  }
  context.signal.throwIfAborted(); // the validator may have exceeded the tool's timeout
  return execute(parts, valid, context);
}

/**
 * Returns the outcome of an error. The model can correct arguments, so it gets such errors unless the options forbid
 * it.
 *
 * @param {ToolCall} toolCall
 * @param {unknown} error
 * @param {RunOptions} options
 * @returns {Outcome}
 */
function failed({ name }, error, { machine, refusesInvalid }) {
  if (isA(error, InvalidArguments)) {
    const { message, cause } = error;
    return { result: errorResult(message), ...(refusesInvalid && { failure: new ArgumentsRejected(message, { cause }) }) };
  }
  const words = messageOf(error);
  const message = `The tool '${name}' failed${words.trim() === "" ? " without a message" : `: ${words}`}`;
  const result = errorResult(message);
  return machine.feedback ? { result } : { result, failure: new ToolFailure(message, { cause: error }) };
}
