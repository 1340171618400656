/** `process` and `processAsync`, each with its span. */

import { load, process as ofBody, processAsync as ofPromise } from "../process.js";
import { emitBody } from "./answer.js";
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

export function processAsync(agent, response, options) {
  const span = openSpan("process");
  if (span === undefined) return ofPromise(agent, response, options);
  begin(span, "respool.processAsync", { agent, options });
  const body = load(response);
  return ofPromise(agent, body, options).then(
    async (result) => succeed(span, await body, result),
    (error) => {
      throw fail(span, error);
    },
  );
}

function begin(span, signature, inputs) {
  span.emit("signature", signature);
  span.emit("inputs", inputs);
}

function succeed(span, body, result) {
  span.emit("result", result);
  emitBody(span, body);
  span.end();
  return result;
}

function fail(span, error) {
  span.emit("error", error);
  span.end();
  return error;
}
