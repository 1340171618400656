/** Runs the tools that the model has called. */

/** @import { ToolCall, ToolResult } from "../types/api.js" */
/** @import { Span } from "../tracing/tracer.js" */
/** @import { RunOptions } from "./run_options.js" */

import { orAbort } from "../abort.js";
import { messageOf } from "../errors.js";
import { openSpan } from "../tracing/tracer.js";
import { linkedTo, Watchdog } from "./clock.js";
import { errorResult, readResult } from "./tool_result.js";

/** @typedef {ToolCall & { error?: string }} PlannedCall a call with an error isn't run, and is answered with it */

/** A tool failed, and that ends the request. */
export class ToolFailure extends Error {}

/**
 * The results of the calls, in their order. If the options ask for feedback, a failed tool's result is its error;
 * otherwise a {@link ToolFailure} is thrown and the other tools are aborted.
 *
 * @param {PlannedCall[]} calls
 * @param {RunOptions} options
 * @param {AbortSignal} signal
 * @param {Span} [turn] the span around them
 * @returns {Promise<ToolResult[]>}
 */
export async function runTools(calls, options, signal, turn) {
  const round = linkedTo(signal);
  /** @param {PlannedCall} call */
  const run = async ({ id, name, arguments: text, error }) => {
    if (error !== undefined) return errorResult(error);
    const span = openSpan("execute_tool", turn);
    span?.emit("signature", `respool.runRequest: ${name}`);
    span?.emit("inputs", { id, name, arguments: text });
    try {
      return await runTool({ id, name, arguments: text }, options, round.signal, span);
    } finally {
      span?.end();
    }
  };
  try {
    if (options.parallelTools) return await Promise.all(calls.map(run));
    const results = [];
    for (const call of calls) results.push(await run(call));
    return results;
  } finally {
    round.unlink();
    round.controller.abort();
  }
}

/**
 * @param {ToolCall} toolCall
 * @param {RunOptions} options
 * @param {AbortSignal} signal
 * @param {Span | undefined} span
 * @returns {Promise<ToolResult>}
 */
async function runTool(toolCall, options, signal, span) {
  const { name, arguments: text } = toolCall;
  const { controller, unlink, signal: toolSignal } = linkedTo(signal);
  const { clock, toolTimeoutMs, tools } = options;
  const timeoutError = () => new DOMException(`it took longer than ${toolTimeoutMs} ms`, "TimeoutError");
  const watchdog = new Watchdog(clock, toolTimeoutMs, () => controller.abort(timeoutError()));
  watchdog.restart();
  try {
    toolSignal.throwIfAborted();
    const call = () => tools[name]?.(JSON.parse(text), { signal: toolSignal, toolCall });
    const result = await orAbort(span ? span.run(call) : call(), toolSignal);
    readResult(result); // a result that can't be sent to a model is an error of the tool
    span?.emit("result", result);
    return result;
  } catch (error) {
    span?.emit("error", error);
    signal.throwIfAborted();
    const message = `the tool '${name}' failed: ${messageOf(error)}`;
    if (options.machine.feedback) return errorResult(message);
    throw new ToolFailure(message, { cause: error });
  } finally {
    watchdog.stop();
    unlink();
  }
}
