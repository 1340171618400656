/** Runs the tools that the model has called. */

import { messageOf } from "../errors.js";
import { orAbort } from "../abort.js";
import { Watch, linkedTo } from "./clock.js";
import { openSpan } from "../tracing/tracer.js";
import { errorResult, readResult } from "./tool_result.js";

/** A tool that failed, where that is the end of the request. */
export class ToolFailure extends Error {}

/**
 * The results of the calls, in their order. A call that has an error already is answered with it. With `feedback` a tool
 * that fails is answered with its error as well; without, a {@link ToolFailure} is thrown, and the others are aborted.
 * `turn` is the span around them.
 */
export async function runTools(calls, options, signal, turn) {
  const round = linkedTo(signal);
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

async function runTool(toolCall, options, signal, span) {
  const { name, arguments: text } = toolCall;
  const { controller, unlink, signal: toolSignal } = linkedTo(signal);
  const { clock, toolTimeoutMs, tools } = options;
  const late = () => new DOMException(`it took longer than ${toolTimeoutMs} ms`, "TimeoutError");
  const watch = new Watch(clock, toolTimeoutMs, () => controller.abort(late()));
  watch.restart();
  try {
    toolSignal.throwIfAborted();
    const call = () => tools[name](JSON.parse(text), { signal: toolSignal, toolCall });
    const result = await orAbort(span ? span.run(call) : call(), toolSignal);
    readResult(result); // what cannot be told to a model is an error of the tool
    span?.emit("result", result);
    return result;
  } catch (error) {
    span?.emit("error", error);
    signal.throwIfAborted();
    const message = `the tool '${name}' failed: ${messageOf(error)}`;
    if (options.machine.feedback) return errorResult(message);
    throw new ToolFailure(message, { cause: error });
  } finally {
    watch.stop();
    unlink();
  }
}
