// HAR files, as browsers save network traffic: http://www.softwareishard.com/blog/har-12-spec/
import { detectApi } from "respool";
import { fromBase64 } from "./base64.js";
import { asArray, asNumber, asObject, asString, parseJson } from "./values.js";

/** @import { Chunk, Entry } from "./capture.js" */
/** @import { Exchange, Header } from "./exchange.js" */

const STREAMS = /text\/event-stream|ndjson|jsonl|vnd\.amazon\.eventstream/i;
/** Names of fields that requests to models have. */
const ASKED = ["messages", "contents", "input", "prompt", "system_instruction"];
const encoder = new TextEncoder();

/**
 * Returns the exchanges with a model in a HAR file, including failed ones, or undefined if it isn't one.
 *
 * @param {unknown} value
 * @returns {Entry[] | undefined}
 */
export function entriesOfHar(value) {
  const { entries } = asObject(asObject(value).log);
  if (!Array.isArray(entries)) return undefined;
  return entries.map(asObject).flatMap((entry) => {
    const chunks = chunksOf(entry);
    const exchange = exchangeOf(entry);
    if (chunks === undefined && !asksModel(exchange)) return [];
    return [{ name: pathOf(exchange.request?.url), note: noteOf(exchange), chunks: chunks ?? bodyOf(entry), exchange }];
  });
}

/** @param {Exchange} exchange */
function noteOf({ request, response, failure, duration }) {
  const status = response === undefined || response.status === 0 ? "no response" : response.status;
  const time = duration === undefined ? [] : [`${Math.round(duration).toLocaleString("en")} ms`];
  return [`${request?.method ?? ""} ${status}`.trim(), ...time, ...(failure === undefined ? [] : [failure])].join(" · ");
}

/** @param {Record<string, unknown>} entry @returns {Chunk[] | undefined} undefined if this isn't an LLM response */
function chunksOf({ response, _eventSourceMessages }) {
  // Chrome records when each event arrived.
  const messages = asArray(_eventSourceMessages).map(asObject);
  if (messages.length > 0) return messages.map((message) => chunkOf(message, messages[0]));
  const bytes = contentOf(response);
  if (bytes.length === 0) return undefined;
  const type = asString(asObject(asObject(response).content).mimeType) ?? "";
  return STREAMS.test(type) || isLlmResponse(bytes) ? [{ bytes }] : undefined;
}

/** @param {Record<string, unknown>} entry @returns {Chunk[]} the body that the server sent instead of a model's response */
function bodyOf({ response }) {
  const bytes = contentOf(response);
  return bytes.length === 0 ? [] : [{ bytes }];
}

/** @param {unknown} response */
function contentOf(response) {
  const { text, encoding } = asObject(asObject(response).content);
  if (typeof text !== "string") return new Uint8Array();
  return encoding === "base64" ? fromBase64(text) : encoder.encode(text);
}

/**
 * @param {Record<string, unknown>} message
 * @param {Record<string, unknown>} first
 * @returns {Chunk}
 */
function chunkOf({ time, eventName, data }, first) {
  const name = eventName && eventName !== "message" ? `event: ${eventName}\n` : "";
  const lines = String(data)
    .split("\n")
    .map((line) => `data: ${line}\n`);
  const seconds = (asNumber(time) ?? 0) - (asNumber(first.time) ?? 0);
  return { bytes: encoder.encode(`${name}${lines.join("")}\n`), time: seconds * 1000 };
}

/** @param {Record<string, unknown>} entry @returns {Exchange} */
function exchangeOf({ request, response, time, timings, _error }) {
  const { method, url, headers, postData } = asObject(request);
  const { status, statusText, headers: answered, _error: reason } = asObject(response);
  const body = asString(asObject(postData).text);
  const failure = asString(reason) ?? asString(_error);
  const duration = asNumber(time);
  return {
    request: { method: asString(method) ?? "", url: asString(url) ?? "", headers: headersOf(headers), ...(body && { body }) },
    response: { status: asNumber(status) ?? 0, statusText: asString(statusText) ?? "", headers: headersOf(answered) },
    ...(failure && { failure }),
    ...(duration !== undefined && duration >= 0 && { duration }),
    timings: Object.entries(asObject(timings)).flatMap(([name, value]) =>
      typeof value === "number" && value >= 0 ? [/** @type {Header} */ ([name.replace(/^_/, ""), `${value.toFixed(1)} ms`])] : [],
    ),
  };
}

/** @param {unknown} headers @returns {Header[]} */
function headersOf(headers) {
  return asArray(headers)
    .map(asObject)
    .flatMap(({ name, value }) => (typeof name === "string" ? [/** @type {Header} */ ([name, String(value ?? "")])] : []));
}

/** Whether the request was sent to a model, whatever the response. @param {Exchange} exchange */
function asksModel({ request }) {
  if (request?.method !== "POST" || request.body === undefined) return false;
  const body = asObject(parseJson(request.body));
  return ASKED.some((name) => name in body) && ("model" in body || "contents" in body || Array.isArray(body.messages));
}

/** @param {Uint8Array} bytes */
function isLlmResponse(bytes) {
  try {
    return detectApi(bytes) !== undefined;
  } catch {
    return false;
  }
}

/** @param {string | undefined} url */
function pathOf(url) {
  try {
    const { host, pathname } = new URL(url ?? "");
    return host + pathname;
  } catch {
    return "response without a URL";
  }
}
