/** The errors of functions that read a source. All of them throw the same error for the same failure. */

/** @import { Failure, StreamResult } from "./types/api.js" */
/** @import { ProviderError as ReadError } from "./types/errors.js" */
/** @import { ResponseLike } from "./http_error.js" */

import { checked } from "./checked.js";
import { causeOf } from "./codec_faults.js";
import { CLASSES, messageOf, RespoolError, StreamError } from "./errors.js";
import { hasFailed, httpError, isWord, ofSdkError, requestIdOf } from "./http_error.js";
import { isResponse, isSource } from "./source.js";

const readStatus = checked(
  (/** @type {unknown} */ source) => {
    if (!isSource(source) || !isResponse(source)) return undefined;
    const response = /** @type {ResponseLike} */ (source);
    return { response, isFailed: hasFailed(response), isUsed: response.bodyUsed === true };
  },
  "The source",
  "invalid-source",
);

/**
 * Throws for a fetch `Response` that isn't successful, and for one whose body has been read. Returns any other
 * response's request id, for errors that the stream reports.
 *
 * @param {unknown} source
 * @param {AbortSignal} [signal]
 * @returns {Promise<string | undefined>}
 */
export async function checkResponse(source, signal) {
  const { response, isFailed, isUsed } = readStatus(source) ?? {};
  if (!response) return undefined;
  if (isFailed) throw await httpError(response, { signal });
  if (!isUsed) return requestIdOf(response.headers);
  const message = "The body of this Response has already been read: pass the Response before you read it, or a clone() of it";
  throw new RespoolError("invalid-source", message);
}

/**
 * Returns the error for a failure that a stream reported. The event may contain the request id.
 *
 * @param {Failure} failure
 * @param {StreamResult} [partial]
 * @param {string} [requestId]
 */
export function failureError({ code, message, providerType, providerCode, raw }, partial, requestId) {
  const { request_id: id } = /** @type {{ request_id?: unknown }} */ (raw ?? {});
  const known = requestId ?? (typeof id === "string" ? id : undefined);
  const details = {
    providerType,
    providerCode,
    raw,
    requestId: known,
    outcome: "determinate",
    partial,
    cause: causeOf(code, message),
  };
  return new (CLASSES[code] ?? StreamError)(code, message, details);
}

/**
 * Returns the error for any value that a source threw. If it reports a failed request, so does the partial result.
 *
 * @param {unknown} error
 * @param {StreamResult} [partial]
 * @param {boolean} [isOpen] whether the source was opened, and wasn't just a promise
 */
export function transportError(error, partial, isOpen = true) {
  const reported = RespoolError.isInstance(error) ? error : ofSdkError(error, { outcome: "determinate", partial });
  if (reported && partial) reportRequest(partial, reported);
  if (reported) return reported;
  const message = `${isOpen ? "The stream broke" : "The request failed"}: ${reasonOf(error)}`;
  return new StreamError("stream-broken", message, { cause: error, outcome: "indeterminate", partial });
}

/**
 * Adds the error of a failed request to the result, which isn't that of a truncated stream. There are no deltas for it.
 *
 * @param {StreamResult} result
 * @param {RespoolError} error
 */
function reportRequest(result, error) {
  if (error.code !== "http-error" || result.error) return;
  const { message, providerType, providerCode } = /** @type {ReadError} */ (/** @type {unknown} */ (error));
  result.ending = "failed";
  result.error = {
    code: "provider-error",
    message,
    ...(providerType !== undefined && { providerType }),
    ...(providerCode !== undefined && { providerCode }),
  };
}

/**
 * Whether a connection was lost only after a complete answer, so that nothing of the answer is missing.
 *
 * @param {RespoolError} failure
 * @param {StreamResult | undefined} result
 */
export const isAfterAnswer = ({ code }, result) => code === "stream-broken" && result?.ending === "complete";

/**
 * Returns the message of an error with the code of its cause: `fetch` itself only says that it failed.
 *
 * @param {unknown} error
 */
function reasonOf(error) {
  const message = messageOf(error);
  const code = codeOf(error);
  if (message === "") return code ?? "an error without a message"; // Node's, for several addresses
  return code === undefined || message.includes(code) ? message : `${message} (${code})`;
}

/**
 * Returns the code of an error's cause or of the error, otherwise the message of its cause.
 *
 * @param {unknown} error
 * @returns {string | undefined}
 */
function codeOf(error) {
  try {
    const { code, cause } = /** @type {{ code?: unknown, cause?: { code?: unknown, message?: unknown } }} */ (error ?? {});
    return [cause?.code, code, cause?.message].find(isWord);
  } catch {
    return undefined; // a proxy, or a getter that throws
  }
}

/**
 * Whether a source threw because its own request was aborted. Only the caller can abort it.
 *
 * @param {unknown} error
 */
export function isAbort(error) {
  try {
    return /** @type {Error | null | undefined} */ (error)?.name === "AbortError";
  } catch {
    return false; // a proxy
  }
}
