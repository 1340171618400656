/** A transport over `fetch`: repeats attempts that may succeed later, and throws a typed error otherwise. */

/** @import { ApiName, FetchTransport, FetchTransportOptions, RequestHeaders, TransportContext } from "../types/api.js" */
/** @import { ProviderError } from "../types/errors.js" */
/** @import { Json } from "./messages/response.js" */

import { orAbort, settling } from "../abort.js";
import { checked } from "../checked.js";
import { isRegistered } from "../codecs.js";
import { messageOf, RespoolError } from "../errors.js";
import { httpError } from "../http_error.js";
import { INTERFACES } from "../interfaces.js";
import { unknownName } from "../near_match.js";
import { isSet, openOptions, readCount, readFunction, readObject, refuse, refuseValue } from "../read_option.js";
import { closeSource } from "../source.js";
import { backoff, clockOf, wait } from "./clock.js";
import { definitionsFor } from "./definitions.js";
import { requestFormat } from "./messages/format.js";
import { isObject } from "./messages/response.js";

const OPTIONS = ["url", "headers", "api", "body", "fetch", "maxRetries", "maxRetryAfter", "clock", "random"];

const DEFAULT_HEADERS = { "content-type": "application/json", accept: "text/event-stream" };

/** The longest `Retry-After` to wait for, in seconds, unless the transport has another one. */
const MAX_RETRY_AFTER = 60;

/**
 * The errors of servers that want to be asked again after a longer time than their transport waits.
 *
 * @type {WeakSet<object>}
 */
const refused = new WeakSet();

/** What Bedrock streams are made of. */
const MESSAGES = "application/vnd.amazon.eventstream";

/** @param {unknown} value */
const readSeconds = (value) =>
  typeof value === "number" && value >= 0 ? value : refuseValue("options.maxRetryAfter", "a number of seconds", value);

/** @param {unknown} value @returns {ApiName} */
function readApi(value) {
  if (!isSet(value)) return "openai-chat";
  if (typeof value !== "string") return refuseValue("options.api", "the name of an interface", value);
  const isKnown = Object.hasOwn(INTERFACES, value) || value === "auto" || isRegistered(value);
  return isKnown ? /** @type {ApiName} */ (value) : refuse(unknownName("interface", value, Object.keys(INTERFACES)));
}

/**
 * A URL, or a path: a server that renders a page may create a transport that only the page uses. The function that a user
 * passes as `fetch` may know other schemes.
 *
 * @param {Partial<FetchTransportOptions>} options
 */
function readUrl({ url, fetch }) {
  const expected = "the URL of the endpoint, such as https://api.openai.com/v1/chat/completions";
  if (typeof url !== "string" && !(url instanceof URL)) return refuseValue("options.url", expected, url);
  const isKnown = isUrl(url, "http://localhost") && (isSet(fetch) || /^https?:/.test(new URL(url, "http://localhost").protocol));
  return isKnown ? url : refuseValue("options.url", expected, withoutQuery(url));
}

/** A URL for a message: keys may be in the query. @param {string | URL} url */
const withoutQuery = (url) => String(url).replace(/\?.*/s, "?…");

/**
 * @param {string | URL} url
 * @param {string} [base]
 */
function isUrl(url, base) {
  try {
    return Boolean(new URL(url, base));
  } catch {
    return false;
  }
}

/** @param {unknown} body */
function writeJson(body) {
  try {
    return JSON.stringify(body) ?? refuseValue("The result of options.body", "the body", body);
  } catch (error) {
    if (RespoolError.isInstance(error)) throw error;
    return refuse(`The body can't be written as JSON: ${messageOf(error)}`); // a cycle, or a big integer
  }
}

/** What `fetch` completes a path with, in a page or in a worker. */
const baseUrl = () => globalThis.document?.baseURI ?? globalThis.location?.href;

/** @param {FetchTransportOptions["body"] | null} value */
const readBody = (value) =>
  typeof value === "function" ? value : readObject(value, "options.body", "an object, without JSON.stringify, or a function");

/**
 * What isn't a function is checked at once.
 *
 * @param {FetchTransportOptions["headers"] | null} headers
 */
function readHeaders(headers) {
  if (typeof headers !== "function") setAll(new Headers(), headers ?? undefined);
  return headers ?? undefined;
}

const readOptions = checked((/** @type {FetchTransportOptions} */ allOptions) => {
  const options = { ...openOptions(allOptions, "options", OPTIONS) };
  return {
    ...options,
    url: readUrl(options),
    headers: readHeaders(options.headers),
    api: readApi(options.api),
    body: readBody(options.body),
    maxRetries: readCount(options.maxRetries ?? 2, "options.maxRetries", 0),
    maxRetryAfter: readSeconds(options.maxRetryAfter ?? MAX_RETRY_AFTER),
    clock: clockOf(options.clock),
    fetch: readFunction(options.fetch, "options.fetch"),
    random: readFunction(options.random, "options.random"),
  };
}, "The options");

/**
 * @param {FetchTransportOptions} options
 * @returns {FetchTransport}
 */
export function fetchTransport(options) {
  const { url, headers, api, body, maxRetries, ...rest } = readOptions(options);
  const { maxRetryAfter, clock, random = Math.random } = rest;

  /**
   * @param {object} payload
   * @param {Partial<TransportContext> | null} [context]
   * @returns {Promise<Response>}
   */
  async function transport(payload, context) {
    const { signal, onWait } = context ?? {};
    if (!isObject(payload)) refuseValue("The payload", "an object", payload);
    // Another fetch may take any path.
    if (!rest.fetch && !isUrl(url) && !isUrl(url, baseUrl())) {
      refuseValue("options.url", "a whole URL, since only a page can complete a path", withoutQuery(url));
    }
    const message = await (typeof body === "function"
      ? body(/** @type {Record<string, unknown>} */ (payload))
      : withFields(api, /** @type {Json} */ (body ?? {}), /** @type {Json} */ (payload)));
    const text = writeJson(message);
    /** @type {RequestInit} */
    const init = {
      method: "POST",
      body: text,
      // A redirect target would get the conversation, and headers such as x-api-key.
      redirect: "manual",
      ...(signal && { signal }),
    };
    for (let attempt = 1; ; attempt++) {
      const allHeaders = defaultHeaders(api);
      const unsigned = { url: String(url), method: /** @type {const} */ ("POST"), headers: new Headers(allHeaders), body: text };
      setAll(allHeaders, await (typeof headers === "function" ? headers(unsigned) : headers));
      let delay = backoff(attempt, random);
      let request;
      try {
        request = (rest.fetch ?? fetch)(unsigned.url, { ...init, headers: allHeaders });
        const response = await orAbort(request, signal);
        if (!isObject(response)) refuseValue("The result of options.fetch", "a Response", response);
        if (response.ok) return response;
        const error = await httpError(response, { signal, now: () => clock.now() });
        const { retryAfter } = error;
        const isTooLong = retryAfter !== undefined && retryAfter > maxRetryAfter;
        if (isTooLong) refused.add(error);
        if (attempt > maxRetries || !isRetryable(response.status) || isPromptTooLong(error) || isTooLong) throw error;
        if (retryAfter !== undefined) delay = retryAfter * 1000;
      } catch (error) {
        if (signal?.aborted) closeSource(request); // nobody reads the response if it comes after all
        if (signal?.aborted || attempt > maxRetries || RespoolError.isInstance(error)) throw error;
      }
      settling(onWait?.(delay));
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
const isRetryable = (status) => status === 408 || status === 429 || status >= 500;

/** How providers say that the prompt doesn't fit the model's context; `src/encode/failure.rs` has the same list. */
const TOO_LONG = [
  /context[ _]length|context (?:limit|size|window)|maximum (?:model|prompt) length|prompt (?:exceeds|is too long|token count)/i,
  /exceeds the maximum number of tokens|input is too long|input length should be|model token limit|too many tokens:/i,
  /`max_new_tokens` must be <=|`inputs` must have less than/,
];

/**
 * Whether the prompt is too long, which some servers report with a status that says that they failed.
 *
 * @param {ProviderError} error
 */
function isPromptTooLong({ status = 0, providerType, providerCode, message }) {
  const text = `${providerType} ${providerCode} ${message}`;
  return status >= 500 && TOO_LONG.some((words) => words.test(text));
}

/** Words in the types and codes of errors that are those of the request, the key or the account. */
const PERMANENT =
  /access_?denied|api_key|authentication|bad_?request|billing|context_length|forbidden|insufficient_quota|invalid|not_?found|payment|permission|too_large|unauth|unrecognizedclient|unsupported|validation/i;

/**
 * Whether another request may succeed after an error of the provider. An HTTP status, if there is one, decides, and how
 * long the server wants to be left alone. Without one, it's what the provider calls the error.
 *
 * @param {ProviderError} error
 */
export function isWorthRetrying(error) {
  const { status, providerType, providerCode, retryAfter = 0 } = error;
  if (retryAfter > MAX_RETRY_AFTER || refused.has(error) || isPromptTooLong(error)) return false;
  const code = Number(providerCode);
  const known = status ?? (code >= 400 && code < 600 ? code : undefined);
  return known === undefined ? !PERMANENT.test(`${providerType} ${providerCode}`) : isRetryable(known);
}

/**
 * The payload with the fields of each request. The payload's come first, but objects have the members of both, and the list
 * of tools has the tools of both.
 *
 * @param {ApiName} api
 * @param {Json} fields
 * @param {Json} payload
 */
function withFields(api, fields, payload) {
  const merged = Object.entries(payload).map(([name, value]) => {
    const others = fields[name];
    return [name, isObject(value) && isObject(others) ? { ...others, ...value } : value];
  });
  const body = { ...fields, ...Object.fromEntries(merged) };
  const [others, tools, holder] = [fields, payload, body].map((json) => toolsHolder(api, json));
  if (isList(others?.tools) && isList(tools?.tools)) {
    const both = { tools: {}, exitTools: [], toolDefinitions: tools.tools, params: fields };
    Object.assign(holder ?? {}, { tools: definitionsFor(api, both).definitions });
  }
  return body;
}

/**
 * What has the `tools` of a request.
 *
 * @param {ApiName} api
 * @param {Json} json
 */
const toolsHolder = (api, json) =>
  /** @type {Json | undefined} */ (requestFormat(api).toolConfig ? json.toolConfig : json) ?? undefined;

/** @type {(value: unknown) => value is object[]} */
const isList = (value) => Array.isArray(value);

/** @param {ApiName} api */
function defaultHeaders(api) {
  const headers = new Headers(DEFAULT_HEADERS);
  if (api === "ollama-chat") headers.set("accept", "application/x-ndjson");
  if (api === "bedrock-converse") headers.set("accept", MESSAGES);
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
