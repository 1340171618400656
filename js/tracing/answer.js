/** What a span says about an answer besides its result: who gave it, why it ended, what it cost. */

import { decode, detectApi } from "../../pkg/wasm/respool.js";
import { apiOf } from "../response.js";
import { isBytes } from "../source.js";

/** `response`: an AnnotatedLlmResponse. */
export function emitResponse(span, response) {
  const { id, model, rawFinishReason, choices, usage } = response;
  // One that should have come, and did not, is "error".
  const finishReasons = (choices ?? [{ rawFinishReason }]).map((choice) => choice.rawFinishReason ?? "error");
  span.emit("response", { api: apiOf(response), id, model, finishReasons });
  span.emit("usage", usage);
}

/** The same for a body that may be of any interface: vectors and images have no message, but cost something, too. */
export function emitBody(span, body) {
  try {
    emitResponse(span, decode(body));
  } catch {
    emitCounts(span, body);
  }
}

function emitCounts(span, body) {
  try {
    const isText = typeof body === "string";
    const { id, model, usage } = isText || isBytes(body) ? JSON.parse(isText ? body : new TextDecoder().decode(body)) : body;
    span.emit("response", { api: detectApi(body), id, model });
    if (!usage) return;
    const [promptTokens, completionTokens] = [usage.prompt_tokens ?? usage.input_tokens, usage.output_tokens];
    span.emit("usage", { promptTokens, completionTokens, totalTokens: usage.total_tokens, raw: usage });
  } catch {
    // There is nothing to say about it.
  }
}
