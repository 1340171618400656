/** A transport that uses `fetch`: retries attempts that may succeed later, and throws a typed error otherwise. */

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
import { isSet, openOptions, readCount, readFunction, refuse, refuseValue } from "../read_option.js";
import { closeSource } from "../source.js";
import { backoff, clockOf, wait } from "./clock.js";
import { definitionsFor } from "./definitions.js";
import { requestFormat } from "./messages/format.js";
import { isObject } from "./messages/response.js";

const OPTIONS = ["url", "headers", "api", "body", "fetch", "maxRetries", "maxRetryAfter", "clock", "random"];

const DEFAULT_HEADERS = { "content-type": "application/json", accept: "text/event-stream" };

/** The default maximum `Retry-After` to wait for, in seconds. */
const MAX_RETRY_AFTER = 60;

/**
 * Errors after which the server asks not to retry, or to wait longer than the maximum of their transport.
 *
 * @type {WeakSet<object>}
 */
const refused = new WeakSet();

/** Media type of Bedrock's streams. */
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
 * Reads a URL or a path: a server that renders a page may create a transport that only the page uses. A custom `fetch`
 * may support other schemes.
 *
 * @param {Partial<FetchTransportOptions>} options
 */
function readUrl({ url, fetch }) {
  const expected = "the URL of the endpoint, such as https://api.openai.com/v1/chat/completions";
  if (typeof url !== "string" && !(url instanceof URL)) return refuseValue("options.url", expected, url);
  const isKnown = isUrl(url, "http://localhost") && (isSet(fetch) || /^https?:/.test(new URL(url, "http://localhost").protocol));
  return isKnown ? url : refuseValue("options.url", expected, withoutQuery(url));
}

/** Returns a URL for a message. The query is removed, since it may contain keys. @param {string | URL} url */
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

const JSON_OBJECT = "a plain object, without JSON.stringify";

/** Whether JSON can have the value's members, which a FormData, for example, has elsewhere. @param {unknown} value */
const hasMembers = (value) => Object.prototype.toString.call(value) === "[object Object]";

/** @param {unknown} body */
function writeJson(body) {
  if (!hasMembers(body)) refuseValue("The result of options.body", JSON_OBJECT, body);
  try {
    return JSON.stringify(body);
  } catch (error) {
    return refuse(`The body can't be written as JSON: ${messageOf(error)}`); // a cycle, or a big integer
  }
}

/** Returns the URL with which `fetch` completes a path, in a page or in a worker. */
const baseUrl = () => globalThis.document?.baseURI ?? globalThis.location?.href;

/** @param {FetchTransportOptions["body"] | null} value */
const readBody = (value) =>
  !isSet(value) || typeof value === "function" || hasMembers(value)
    ? value
    : refuseValue("options.body", `${JSON_OBJECT}, or a function`, value);

/**
 * Reads the headers. Headers that aren't a function are validated at once.
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
    // A custom fetch may accept any path.
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
        const advice = response.headers?.get?.("x-should-retry");
        const isRefused = advice === "false" || (retryAfter !== undefined && retryAfter > maxRetryAfter);
        if (isRefused) refused.add(error);
        const mayPass = advice === "true" || (isRetryable(response.status) && !isPromptTooLong(error));
        if (attempt > maxRetries || isRefused || !mayPass) throw error;
        if (retryAfter !== undefined) delay = retryAfter * 1000;
      } catch (error) {
        if (signal?.aborted) closeSource(request); // nobody reads the response if it still arrives
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

/** The messages of providers for a prompt that exceeds the model's context; `src/encode/failure.rs` has the same list. */
const TOO_LONG = [
  /context[ _]length|context (?:limit|size|window)|maximum (?:model|prompt) length|prompt (?:exceeds|is too long|token count)/i,
  /exceeds the maximum number of tokens|input is too long|input length should be|model token limit|too many tokens:/i,
  /`max_new_tokens` must be <=|`inputs` must have less than/,
];

/**
 * Whether the prompt is too long, which some servers report with the status of a server failure.
 *
 * @param {ProviderError} error
 */
function isPromptTooLong({ status = 0, providerType, providerCode, message }) {
  const text = `${providerType} ${providerCode} ${message}`;
  return status >= 500 && TOO_LONG.some((words) => words.test(text));
}

/** Words in error types and codes that blame the request, the key or the account. */
const PERMANENT =
  /access_?denied|api_key|authentication|bad_?request|billing|content_?filter|context_length|empty_|forbidden|insufficient_quota|invalid|not_?found|payment|permission|policy|too_large|too_small|unauth|unrecognizedclient|unsupported|validation/i;

/**
 * Whether another request may succeed after an error of the provider. The HTTP status decides, if there is one, and the
 * delay that the server asks for. Otherwise, the error's type and code decide.
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
 * Merges the fields of each request into a payload. The payload's values win, but objects are merged, and `tools`
 * contains the tools of both.
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
 * Returns the object that contains the `tools` of a request.
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
