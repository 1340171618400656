/** Records the response and its usage in a span, besides the result. */

/** @import { AnnotatedLlmResponse } from "../types/api.js" */
/** @import { Span } from "./tracer.js" */

import { decode, detectApi } from "../../pkg/wasm/respool.js";
import { decodeDocument } from "../encoding.js";
import { bytesOf } from "../input.js";
import { missingReason } from "./missing_reason.js";

/**
 * @param {Span} span
 * @param {AnnotatedLlmResponse} response
 * @param {boolean} [isStream] whether the response was streamed
 */
export function emitResponse(span, response, isStream = false) {
  const { api, id, model, rawFinishReason, choices, usage } = response;
  const finishReasons = (choices ?? [{ rawFinishReason }]).map((choice) => choice.rawFinishReason ?? missingReason(api));
  span.emit("response", { api, id, model, finishReasons, ...(isStream && { isStream }) });
  span.emit("usage", usage);
  span.emitResponse(response);
}

/**
 * Records a body of any interface: vectors and images have no message, but a usage.
 *
 * @param {Span} span
 * @param {unknown} body
 */
export function emitBody(span, body) {
  try {
    emitResponse(span, decode(body));
  } catch {
    emitUsage(span, body);
  }
}

/**
 * Records an error body: a failed response may have a usage, too.
 *
 * @param {Span} span
 * @param {unknown} body
 */
export function emitFailedBody(span, body) {
  try {
    emitResponse(span, decode(body));
  } catch {
    // There is no response to record.
  }
}

/**
 * @param {Span} span
 * @param {unknown} body
 */
function emitUsage(span, body) {
  try {
    const bytes = bytesOf(body, true);
    const value = bytes ? JSON.parse(decodeDocument(bytes)) : body;
    const { id, model, usage } = value.response?.body ?? value; // the body may be a line of a batch
    span.emit("response", { api: detectApi(body), id, model });
    if (!usage) return;
    const [promptTokens, completionTokens] = [usage.prompt_tokens ?? usage.input_tokens, usage.output_tokens];
    const counts = { inputTokens: promptTokens, outputTokens: completionTokens, promptTokens, completionTokens };
    span.emit("usage", { ...counts, totalTokens: usage.total_tokens, raw: usage });
  } catch {
    // The body can't be read, so there is nothing to record.
  }
}
