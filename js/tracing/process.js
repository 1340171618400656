/** `process` and `processAsync`, each with its span. */

import { answer } from "../answer.js";
import { RespoolError } from "../errors.js";
import { process as ofBody } from "../process.js";
import { beginStackAtCaller } from "../stack.js";
import { emitBody, emitResponse } from "./answer.js";
import { openSpan } from "./tracer.js";

export function process(agent, response, options) {
  const span = openSpan("process");
  if (span === undefined) return ofBody(agent, response, options);
  begin(span, "respool.process", { agent, response, options });
  try {
    return succeed(span, response, ofBody(agent, response, options));
  } catch (error) {
    throw fail(span, error);
  }
}

export async function processAsync(agent, source, options) {
  const span = openSpan("process");
  if (span !== undefined) begin(span, "respool.processAsync", { agent, options });
  try {
    const { value, body, result } = await answer(agent, source, options);
    return span === undefined ? value : succeed(span, body, value, result);
  } catch (error) {
    // The module reads bodies in a task of its own.
    if (RespoolError.isInstance(error)) beginStackAtCaller(error, error.name);
    throw span === undefined ? error : fail(span, error);
  }
}

function begin(span, signature, inputs) {
  span.emit("signature", signature);
  span.emit("inputs", inputs);
}

function succeed(span, body, value, result) {
  span.emit("result", value);
  if (result) emitResponse(span, result.response);
  else emitBody(span, body);
  span.end();
  return value;
}

function fail(span, error) {
  span.emit("error", error);
  span.end();
  return error;
}
