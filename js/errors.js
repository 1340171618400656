/** What respool throws. */

/** @import { ProviderError as DocumentedError } from "./types/errors.js" */

import { DecodeError, LimitError, ProviderError, RespoolError } from "./error_classes.js";

export * from "./error_classes.js";

/**
 * The classes of the module's errors by code. Any other code is a RespoolError.
 *
 * @type {Record<string, typeof RespoolError>}
 */
export const CLASSES = {
  "invalid-json": DecodeError,
  "unknown-response": DecodeError,
  "empty-response": DecodeError,
  "codec-error": DecodeError,
  "provider-error": ProviderError,
  "limit-exceeded": LimitError,
};

/**
 * An error of the provider with its details; undefined for any other value.
 *
 * @param {unknown} error
 */
export function asProviderError(error) {
  return ProviderError.isInstance(error) ? /** @type {DocumentedError} */ (/** @type {unknown} */ (error)) : undefined;
}

/**
 * The message of anything that was thrown, or given as a reason.
 *
 * @param {unknown} thrown
 * @returns {string}
 */
export function messageOf(thrown) {
  try {
    const message = /** @type {{ message?: unknown } | null | undefined} */ (thrown)?.message ?? thrown;
    // An object can turn into any text, and an array may be endless.
    if (typeof message !== "object" && typeof message !== "function") return String(message);
  } catch {
    // Its message can't be read.
  }
  return thrown === null ? "null" : "an error without a message";
}
