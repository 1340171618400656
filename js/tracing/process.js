/** `process` and `processAsync`, each with its span. */

/** @import { Agent, ProcessAsyncOptions, ProcessOptions, ProcessResult, StreamResult } from "../types/api.js" */
/** @import { Arrived } from "../answer.js" */
/** @import { Span } from "./tracer.js" */

import { readAnswer } from "../answer.js";
import { RespoolError } from "../errors.js";
import { process as processBody } from "../process.js";
import { beginStackAtCaller } from "../stack.js";
import { emitBody, emitFailedBody, emitResponse } from "./answer.js";
import { emitStreamResult } from "./stream.js";
import { openSpan } from "./tracer.js";

/**
 * @param {Agent} agent
 * @param {unknown} response
 * @param {ProcessOptions} [options]
 * @returns {ProcessResult}
 */
export function process(agent, response, options) {
  const span = openSpan("process");
  if (span === undefined) return processBody(agent, response, options);
  begin(span, "respool.process", { agent, response, options });
  try {
    const value = processBody(agent, response, options);
    succeed(span, response, value);
    return value;
  } catch (error) {
    fail(span, error, { body: response });
    throw error;
  }
}

/**
 * @param {Agent} agent
 * @param {unknown} source
 * @param {ProcessAsyncOptions} [options]
 * @returns {Promise<ProcessResult>}
 */
export async function processAsync(agent, source, options) {
  const span = openSpan("process");
  if (span !== undefined) begin(span, "respool.processAsync", { agent, options });
  /** @type {Arrived} */
  const arrived = {};
  try {
    const { value, body } = await readAnswer(agent, source, options, arrived);
    if (span !== undefined) succeed(span, body, value, arrived.result);
    return value;
  } catch (error) {
    // Thrown after an await, so the stack lacks the caller.
    if (RespoolError.isInstance(error)) beginStackAtCaller(error, error.name);
    if (span !== undefined) fail(span, error, arrived);
    throw error;
  }
}

/**
 * @param {Span} span
 * @param {string} signature
 * @param {object} inputs
 */
function begin(span, signature, inputs) {
  span.emit("signature", signature);
  span.emit("inputs", inputs);
}

/**
 * @param {Span} span
 * @param {unknown} body
 * @param {ProcessResult} value
 * @param {StreamResult} [result] the result of a streamed answer
 */
function succeed(span, body, value, result) {
  span.emit("result", value);
  if (result) emitResponse(span, result.response, true);
  else emitBody(span, body);
  span.end();
}

/**
 * @param {Span} span
 * @param {unknown} error
 * @param {Arrived} arrived
 */
function fail(span, error, { result, body }) {
  if (result) emitStreamResult(span, result);
  else if (body !== undefined) emitFailedBody(span, body);
  span.emit("error", error);
  span.end();
}
