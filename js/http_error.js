/** Creates errors for failed HTTP responses, and for the errors of SDKs that read such responses themselves. */

/** @import { HttpError } from "./types/api.js" */
/** @import { ProviderError as ReadError } from "./types/errors.js" */
/** @import { AnySource } from "./source.js" */

import { decode } from "../pkg/wasm/respool.js";
import { orAbort } from "./abort.js";
import { ByteParts } from "./byte_parts.js";
import { textEncoder } from "./encoding.js";
import { messageOf, ProviderError } from "./errors.js";
import { bytesOf } from "./input.js";
import { closeSource, openSource } from "./source.js";

/** Maximum number of bytes read from an error page, which may be endless. */
export const MAX_READ = 2 ** 20;

/** Time for reading an error page, whose connection may be left open, in milliseconds. The status says enough. */
const PATIENCE_MS = 5000;

/** Maximum number of characters quoted from an error page in a message. */
const MAX_QUOTED = 200;

/** The headers in which providers send the id of a request. */
export const REQUEST_IDS = ["x-request-id", "request-id", "apim-request-id", "x-amzn-requestid"];

/**
 * The request id in an error page, since servers hide their headers from pages of other origins. Anthropic and Alibaba
 * send it.
 */
const REQUEST_ID = /"request_id"\s*:\s*"([^"\\]+)"/;

/** The error in an event stream, which Alibaba and some gateways send with the HTTP status of the error. */
const EVENT = /^data: ?(\{.*\})\r?$/m;

/** The header in which AWS sends the exception's name, followed by a URL. */
const EXCEPTION = "x-amzn-errortype";

/** @typedef {{ get?: (name: string) => string | null } | null | undefined} AnyHeaders */

/** @typedef {AnySource & { ok?: boolean, status?: number, type?: string, headers?: AnyHeaders, bodyUsed?: boolean }} ResponseLike */

/**
 * Whether a response reports a failed request. Stand-ins for a fetch `Response` may lack `ok`.
 *
 * @param {ResponseLike} response
 */
export function hasFailed({ ok, status }) {
  return typeof ok === "boolean" ? !ok : typeof status === "number" && (status < 200 || status > 299);
}

/**
 * Returns the error for a failed response. Reads the body and closes it.
 *
 * @param {ResponseLike} response
 * @param {{ signal?: AbortSignal | undefined, now?: () => number }} [options]
 * @returns {Promise<HttpError>}
 */
export async function httpError(response, { signal, now } = {}) {
  return pageError(response, await readPage(response, signal), now);
}

/**
 * Returns the error for a failed response with the body `page`.
 *
 * @param {Pick<ResponseLike, "status" | "headers">} response
 * @param {string} page
 * @param {() => number} [now]
 * @returns {HttpError}
 */
export function pageError({ status: anyStatus, headers }, page, now = Date.now) {
  const status = typeof anyStatus === "number" ? anyStatus : 0;
  const details = {
    status,
    retryAfter: retryAfterOf(headers, page, now),
    requestId: requestIdOf(headers) ?? REQUEST_ID.exec(page)?.[1],
  };
  try {
    decode(EVENT.exec(page)?.[1] ?? page);
  } catch (error) {
    if (ProviderError.isInstance(error) && error.code === "provider-error") {
      const { message, providerType, providerCode } = /** @type {ReadError} */ (error);
      const type = providerType ?? headerOf(headers, EXCEPTION)?.split(":")[0];
      return newHttpError(`HTTP status ${status}: ${message}`, { ...details, providerType: type, providerCode });
    }
  }
  const quoted = page.trim().slice(0, MAX_QUOTED) || "an empty body";
  const message = `The server returned HTTP status ${status} without a readable error message: ${quoted}`;
  return newHttpError(message, details);
}

/** @type {(message: string, details: Record<string, unknown>) => HttpError} */
const newHttpError = (message, details) =>
  /** @type {HttpError} */ (/** @type {unknown} */ (new ProviderError("http-error", message, details)));

/**
 * Reads the text of an error page, or as much of it as arrives.
 *
 * @param {ResponseLike} response
 * @param {AbortSignal | undefined} signal
 */
export async function readPage(response, signal) {
  if (response.type === "error") return "the network failed"; // a service worker's `Response.error()`
  // Browsers report status 0 for a redirect, without its target.
  if (typeof response.status === "number" && response.status < 400)
    return `a redirect to ${headerOf(response.headers, "location") ?? "another address"}, which is not followed`;
  const page = new ByteParts();
  let iterator;
  let timer;
  try {
    const isMock = !response.body && typeof response.arrayBuffer === "function";
    iterator = openSource(isMock ? [await orAbort(response.arrayBuffer?.(), signal)] : response);
    const opened = iterator;
    timer = setTimeout(() => closeSource(undefined, opened), PATIENCE_MS);
    while (page.length <= MAX_READ) {
      const { done, value } = await orAbort(iterator.next(), signal);
      if (done) break;
      page.push(bytesOf(value) ?? textEncoder().encode(String(value)));
    }
  } catch {
    signal?.throwIfAborted();
    // Otherwise the status says enough.
  } finally {
    clearTimeout(timer);
    if (iterator) closeSource(undefined, iterator);
  }
  return page.text();
}

/**
 * Google sends no header; the body has a `RetryInfo` with a duration in seconds. Its SDK quotes the body in the
 * message.
 */
const RETRY_DELAY = /"retryDelay\\*"\s*:\s*\\*"(\d+(?:\.\d+)?)s\\*"/;

/**
 * Returns the number of seconds to wait before a retry; undefined if the server doesn't say.
 *
 * @param {AnyHeaders} headers
 * @param {string} page
 * @param {() => number} [now]
 */
function retryAfterOf(headers, page, now = Date.now) {
  // A repeated header is joined with a comma, which dates contain, too.
  const header = headerOf(headers, "retry-after")?.replace(/^\s*(-?[\d.]+)\s*,.*/, "$1");
  const [ms, seconds] = [numberIn(headerOf(headers, "retry-after-ms")), numberIn(header)];
  if (ms >= 0) return ms / 1000;
  if (!Number.isNaN(seconds)) return seconds < 0 ? undefined : seconds;
  const until = (Date.parse(header ?? "") - now()) / 1000;
  if (!Number.isNaN(until)) return Math.max(until, 0);
  const delay = RETRY_DELAY.exec(page)?.[1];
  return delay === undefined ? undefined : Number(delay);
}

/**
 * Returns a header; undefined if it is missing, or if a stand-in for headers throws. Many SDKs have an object with the
 * headers instead of a `Headers`.
 *
 * @param {AnyHeaders} headers
 * @param {string} name in lower case
 */
function headerOf(headers, name) {
  try {
    const value = headers?.get ? headers.get(name) : /** @type {Record<string, unknown> | null | undefined} */ (headers)?.[name];
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns the number in a header; NaN if there is none.
 *
 * @param {string | undefined} text
 */
const numberIn = (text) => Number(text?.trim() || NaN);

/** @param {AnyHeaders} headers */
export function requestIdOf(headers) {
  for (const name of REQUEST_IDS) {
    const id = headerOf(headers, name);
    if (id) return id;
  }
  return undefined;
}

/** @typedef {{ message?: unknown, type?: unknown, status?: unknown, code?: unknown, error?: unknown }} Reported */

/**
 * An error of an SDK. Google's quotes the body in the message, Cohere's has `statusCode`, `body` and `rawResponse`,
 * Ollama's `status_code`, the AI SDK's `statusCode` and `responseHeaders`, and AWS's `$fault`, `$metadata` and
 * `$response`.
 *
 * @typedef {Reported & {
 *   name?: unknown, headers?: AnyHeaders, statusCode?: unknown, body?: unknown, status_code?: unknown,
 *   responseHeaders?: AnyHeaders, rawResponse?: { headers?: AnyHeaders }, $response?: { headers?: AnyHeaders },
 *   $fault?: unknown, $metadata?: { httpStatusCode?: unknown, requestId?: unknown },
 * }} SdkError
 */

/** @type {(value: unknown) => value is Reported} */
const isObject = (value) => typeof value === "object" && value !== null;

/**
 * Converts an error that an SDK has thrown for an HTTP status or an error event; undefined for any other error.
 *
 * @param {unknown} thrown
 * @param {object} details
 */
export function ofSdkError(thrown, details) {
  try {
    const error = /** @type {SdkError} */ (thrown ?? {});
    const { type, code, $metadata, $response, rawResponse, responseHeaders } = error;
    const headers = error.headers ?? responseHeaders ?? ($response ?? rawResponse)?.headers;
    const isOfAws = typeof error.$fault === "string";
    const statuses = [error.status, error.statusCode, error.status_code, $metadata?.httpStatusCode];
    // A successful status belongs to the stream, not to an error event in it.
    const status = statuses.find((value) => typeof value === "number" && value >= 300);
    if (status === undefined && !isObject(error.error) && !isOfAws) return undefined;
    const reported = reportedBy(error);
    const words = [reported?.message, error.error, isOfAws && error.message].find(isWord);
    const prefix = status === undefined ? "" : `HTTP status ${status}: `;
    const message = words === undefined ? messageOf(thrown) : `${prefix}${words}`;
    return new ProviderError(status === undefined ? "provider-error" : "http-error", message, {
      ...details,
      cause: thrown,
      ...(status !== undefined && { status, retryAfter: retryAfterOf(headers, messageOf(thrown)) }),
      requestId: requestIdOf(headers) ?? wordOf($metadata?.requestId),
      providerType: [reported?.type, reported?.status, isOfAws ? error.name : type].find(isWord),
      providerCode: wordOf(reported?.code ?? code),
    });
  } catch {
    return undefined; // a getter throws
  }
}

/**
 * Returns the error that a provider reported, as an object or as JSON in a message.
 *
 * @param {Pick<SdkError, "error" | "body" | "message">} error
 * @returns {Reported | undefined}
 */
function reportedBy({ error, body, message }) {
  const told = [error, body].find(isObject) ?? jsonIn(message);
  const reported = isObject(told?.error) ? told.error : told;
  const { message: inner } = reported ?? {};
  return (jsonIn(inner) && reportedBy({ message: inner })) ?? reported;
}

/**
 * @param {unknown} text
 * @returns {Reported | undefined}
 */
function jsonIn(text) {
  const json = typeof text === "string" ? /^(?:got status: [^{]*)?(\{.*\})$/s.exec(text.trim())?.[1] : undefined;
  try {
    return json === undefined ? undefined : JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** @param {unknown} value @returns {value is string} */
export const isWord = (value) => typeof value === "string" && value !== "";

/** @param {unknown} value */
const wordOf = (value) => (typeof value === "string" || typeof value === "number" ? String(value) : undefined);
