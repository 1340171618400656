/** The errors that respool throws. */

/** @import { ProviderError as DocumentedError } from "./types/errors.js" */

import { DecodeError, LimitError, ProviderError, RespoolError } from "./error_classes.js";

export * from "./error_classes.js";

/**
 * The class of the module's errors, by code. Errors with any other code are of class RespoolError.
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
 * Returns an error of the provider with its details; undefined for any other value.
 *
 * @param {unknown} error
 */
export function asProviderError(error) {
  return ProviderError.isInstance(error) ? /** @type {DocumentedError} */ (/** @type {unknown} */ (error)) : undefined;
}

/**
 * Returns the message of any thrown value, or of a reason.
 *
 * @param {unknown} thrown
 * @returns {string}
 */
export function messageOf(thrown) {
  try {
    const message = /** @type {{ message?: unknown } | null | undefined} */ (thrown)?.message ?? thrown;
    // The text of an object can be anything, and an array may be endless.
    if (typeof message !== "object" && typeof message !== "function") return String(message);
  } catch {
    // The message can't be read.
  }
  return thrown === null ? "null" : "an error without a message";
}

/**
 * Whether a value is an instance of a class. It may be a proxy that throws when it is asked.
 *
 * @template {object} Instance
 * @param {unknown} value
 * @param {new (...args: any[]) => Instance} type
 * @returns {value is Instance}
 */
export function isA(value, type) {
  try {
    return value instanceof type;
  } catch {
    return false;
  }
}
