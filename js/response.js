/** Predicates and accessors for decoded responses. */

/** @import { AnnotatedLlmResponse } from "./types/api.js" */

import { checked } from "./checked.js";

export const hasToolCalls = checked(
  (/** @type {AnnotatedLlmResponse} */ response) => (response.toolCalls?.length ?? 0) > 0,
  "The response",
);

export const responseText = checked(
  (/** @type {AnnotatedLlmResponse} */ { message }) =>
    typeof message === "string" ? message : message?.find((part) => part.type === "text")?.text,
  "The response",
);

export const isComplete = checked(
  (/** @type {AnnotatedLlmResponse} */ response) => response.finishReason === "complete",
  "The response",
);
