/** A transport over `fetch`: repeats attempts that may succeed later, and throws a typed error otherwise. */

/** @import { Api, Clock, FetchTransport, FetchTransportOptions, RequestHeaders, StreamPiece, TransportContext } from "../types/api.js" */
/** @import { ProviderError as ReadError } from "../types/errors.js" */

import { decode } from "../../pkg/wasm/respool.js";
import { orAbort } from "../abort.js";
import { checked } from "../checked.js";
import { ProviderError, RespoolError } from "../errors.js";
import { isSet, openOptions, readCount, readFunction, refuse, refuseValue } from "../options.js";
import { closeSource, openSource } from "../source.js";
import { backoff, clockOf, wait } from "./clock.js";

const OPTIONS = ["url", "headers", "api", "body", "fetch", "maxRetries", "maxRetryAfter", "clock", "random"];

const DEFAULT_HEADERS = { "content-type": "application/json", accept: "text/event-stream" };

/** How much of an error page is read, and how much of it a message quotes, in characters. It may be endless. */
const MAX_READ = 2 ** 20;
const MAX_QUOTED = 200;

const readOptions = checked((/** @type {FetchTransportOptions} */ allOptions) => {
  const options = { ...openOptions(allOptions, "options", OPTIONS) };
  const expected = "the URL of the endpoint, such as https://api.openai.com/v1/chat/completions";
  return {
    ...options,
    url: isSet(options.url) ? options.url : refuseValue("options.url", expected, options.url),
    maxRetries: readCount(options.maxRetries ?? 2, "options.maxRetries", 0),
    fetch: readFunction(options.fetch, "options.fetch"),
    random: readFunction(options.random, "options.random"),
  };
}, "the options");

/**
 * @param {FetchTransportOptions} options
 * @returns {FetchTransport}
 */
export function fetchTransport(options) {
  const { url, headers, body, maxRetries, ...rest } = readOptions(options);
  const { api = "openai-chat", maxRetryAfter = 60, random = Math.random } = rest;
  const clock = clockOf(rest.clock);

  /**
   * @param {object} payload
   * @param {Partial<TransportContext>} [context]
   * @returns {Promise<Response>}
   */
  async function transport(payload, { signal, onWait } = {}) {
    const message = await (typeof body === "function"
      ? body(/** @type {Record<string, unknown>} */ (payload))
      : { ...body, ...payload });
    /** @type {RequestInit} */
    const init = {
      method: "POST",
      body: JSON.stringify(await message),
      // A redirect target would get the conversation, and headers such as x-api-key.
      redirect: "manual",
      ...(signal && { signal }),
    };
    for (let attempt = 1; ; attempt++) {
      const allHeaders = defaultHeaders(api);
      setAll(allHeaders, await (typeof headers === "function" ? headers() : headers));
      let delay = backoff(attempt, random);
      let request;
      try {
        request = (rest.fetch ?? fetch)(url, { ...init, headers: allHeaders });
        const response = await orAbort(request, signal);
        if (response.ok) return response;
        const { error, retryAfter } = await orAbort(readError(response, clock), signal);
        const isTooLong = retryAfter !== undefined && retryAfter > maxRetryAfter;
        if (attempt > maxRetries || !isRetryable(response.status) || isTooLong) throw error;
        if (retryAfter !== undefined) delay = retryAfter * 1000;
      } catch (error) {
        if (signal?.aborted) closeSource(request); // nobody reads the response if it comes after all
        if (signal?.aborted || attempt > maxRetries || RespoolError.isInstance(error)) throw error;
      }
      onWait?.(delay);
      await wait(delay, clock, signal);
    }
  }

  return Object.assign(transport, { api });
}

/**
 * Whether another attempt may succeed after this HTTP status.
 *
 * @param {number} status
 */
export const isRetryable = (status) => status === 408 || status === 429 || status >= 500;

/** @param {Api | (string & {})} api */
function defaultHeaders(api) {
  const headers = new Headers(DEFAULT_HEADERS);
  if (api === "anthropic-messages") headers.set("anthropic-version", "2023-06-01");
  return headers;
}

/**
 * @param {Headers} headers
 * @param {RequestHeaders | undefined} others
 */
function setAll(headers, others) {
  try {
    new Headers(others).forEach((value, name) => {
      headers.set(name, value);
    });
  } catch {
    // The original error quotes the value, which may be a key.
    refuse("options.headers must be names and values that HTTP allows, without line breaks");
  }
}

/**
 * The error that a response stands for.
 *
 * @param {Response} response
 * @param {Required<Clock>} clock
 * @returns {Promise<{ error: ProviderError, retryAfter: number | undefined }>}
 */
async function readError(response, clock) {
  const { status, headers } = response;
  const text = await readPage(response);
  const retryAfter = retryAfterOf(headers, clock);
  const details = { status, retryAfter };
  try {
    decode(text);
  } catch (error) {
    if (ProviderError.isInstance(error) && error.code === "provider-error") {
      const { message, providerType, providerCode } = /** @type {ReadError} */ (error);
      const all = { ...details, providerType, providerCode };
      return { error: new ProviderError("http-error", `HTTP status ${status}: ${message}`, all), retryAfter };
    }
  }
  const quoted = text.trim().slice(0, MAX_QUOTED) || "an empty body";
  const message = `the server returned HTTP status ${status} without a readable error message: ${quoted}`;
  return { error: new ProviderError("http-error", message, details), retryAfter };
}

/**
 * The text of an error page, or as much of it as arrives.
 *
 * @param {Response} response
 */
async function readPage(response) {
  // Browsers report status 0 for a redirect, without its target.
  if (response.status < 400)
    return `a redirect to ${response.headers.get("location") ?? "another address"}, which is not followed`;
  const decoder = new TextDecoder();
  let text = "";
  try {
    /** @type {AsyncIterable<StreamPiece>} */
    const pieces = { [Symbol.asyncIterator]: () => /** @type {AsyncIterator<StreamPiece>} */ (openSource(response)) };
    for await (const piece of pieces) {
      text += decoder.decode(/** @type {Uint8Array<ArrayBuffer>} */ (piece), { stream: true });
      if (text.length > MAX_READ) break;
    }
  } catch {
    // The status says enough.
  }
  return text;
}

/**
 * After how many seconds the server wants to be asked again; undefined if it doesn't say.
 *
 * @param {Headers} headers
 * @param {Required<Clock>} clock
 */
function retryAfterOf(headers, clock) {
  const header = headers.get("retry-after");
  const [ms, seconds] = [numberIn(headers.get("retry-after-ms")), numberIn(header)];
  if (ms >= 0) return ms / 1000;
  if (seconds >= 0) return seconds;
  const until = (Date.parse(header ?? "") - clock.now()) / 1000;
  return Number.isNaN(until) ? undefined : Math.max(until, 0);
}

/**
 * The number in a header; NaN if there is none.
 *
 * @param {string | null} text
 */
const numberIn = (text) => Number(text?.trim() || NaN);
