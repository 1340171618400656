/** A transport over `fetch`: asks again where that may help, and says in a typed error where it does not. */

import { decode } from "../../pkg/wasm/respool.js";
import { checked } from "../checked.js";
import { ProviderError, RespoolError } from "../errors.js";
import { isSet, open, wrong } from "../options.js";
import { orAbort } from "../abort.js";
import { closeSource, openSource } from "../source.js";
import { backoff, clockOf, wait } from "./clock.js";
import { readCount, readFunction } from "./run_options.js";

const OPTIONS = ["url", "headers", "api", "body", "fetch", "maxRetries", "maxRetryAfter", "clock", "random"];

const DEFAULT_HEADERS = { "content-type": "application/json", accept: "text/event-stream" };

/** So much of an error page is read, and so much of it shown, in characters: it may have no end. */
const READ = 2 ** 20;
const SHOWN = 200;

const readOptions = checked((options) => {
  const given = { ...open(options, "options", OPTIONS) };
  if (!isSet(given.url)) wrong("options.url", "the address of the interface, as https://api.openai.com/v1/chat/completions");
  given.maxRetries = readCount(given, "maxRetries", 2);
  for (const name of ["fetch", "random"]) readFunction(given, name);
  return given;
}, "the options");

export function fetchTransport(options) {
  const given = readOptions(options);
  const { url, api = "openai-chat", body, maxRetries, maxRetryAfter = 60, random = Math.random } = given;
  const clock = clockOf(given.clock);
  const headersOf = () => (typeof given.headers === "function" ? given.headers() : given.headers);
  const bodyOf = (payload) => (typeof body === "function" ? body(payload) : { ...body, ...payload });

  async function transport(payload, { signal, onWait } = {}) {
    // Whoever is redirected to would get the conversation, and headers such as x-api-key.
    const init = { method: "POST", body: JSON.stringify(await bodyOf(payload)), redirect: "manual", signal };
    for (let attempt = 1; ; attempt++) {
      const headers = new Headers(DEFAULT_HEADERS);
      if (api === "anthropic-messages") headers.set("anthropic-version", "2023-06-01");
      setAll(headers, await headersOf());
      let delay = backoff(attempt, random);
      let asked;
      try {
        asked = (given.fetch ?? fetch)(url, { ...init, headers });
        const response = await orAbort(asked, signal);
        if (response.ok) return response;
        const error = await orAbort(errorOf(response, clock), signal);
        if (attempt > maxRetries || !mayHelp(response.status) || error.retryAfter > maxRetryAfter) throw error;
        if (error.retryAfter !== undefined) delay = error.retryAfter * 1000;
      } catch (error) {
        if (signal?.aborted) closeSource(asked); // nobody reads it, should it come nevertheless
        if (signal?.aborted || attempt > maxRetries || RespoolError.isInstance(error)) throw error;
      }
      onWait?.(delay);
      await wait(delay, clock, signal);
    }
  }

  return Object.assign(transport, { api });
}

/** Whether to ask again may help after an answer of this status. */
export const mayHelp = (status) => status === 408 || status === 429 || status >= 500;

function setAll(headers, given) {
  try {
    new Headers(given).forEach((value, name) => headers.set(name, value));
  } catch {
    // What was thrown has the value in it, which may be a key.
    wrong("options.headers", "names and values that HTTP allows, without line ends");
  }
}

/** What the server says went wrong. */
async function errorOf(response, clock) {
  const { status, headers } = response;
  const text = await pageOf(response);
  const details = { status, retryAfter: retryAfterOf(headers, clock) };
  try {
    decode(text);
  } catch ({ code, message, providerType, providerCode }) {
    if (code === "provider-error") {
      return new ProviderError("http-error", `HTTP status ${status}: ${message}`, { ...details, providerType, providerCode });
    }
  }
  const shown = text.trim().slice(0, SHOWN) || "nothing";
  return new ProviderError(
    "http-error",
    `the server answered with HTTP status ${status} and no error that could be read: ${shown}`,
    details,
  );
}

/** The text of an error page, or as much of it as comes. */
async function pageOf(response) {
  // Browsers say status 0, and not where to.
  if (response.status < 400)
    return `a redirect to ${response.headers.get("location") ?? "another address"}, which is not followed`;
  const decoder = new TextDecoder();
  let text = "";
  try {
    for await (const piece of { [Symbol.asyncIterator]: () => openSource(response) }) {
      text += decoder.decode(piece, { stream: true });
      if (text.length > READ) break;
    }
  } catch {
    // The status says enough.
  }
  return text;
}

/** In how many seconds the server wants to be asked again; undefined where it does not say. */
function retryAfterOf(headers, clock) {
  const given = headers.get("retry-after");
  const [ms, seconds] = [numberIn(headers.get("retry-after-ms")), numberIn(given)];
  if (ms >= 0) return ms / 1000;
  if (seconds >= 0) return seconds;
  const until = (Date.parse(given ?? "") - clock.now()) / 1000;
  return Number.isNaN(until) ? undefined : Math.max(until, 0);
}

/** The number that a header says; NaN for one that says none. */
const numberIn = (text) => Number(text?.trim() || NaN);
