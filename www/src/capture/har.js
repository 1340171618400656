// HAR files, as browsers save network traffic: http://www.softwareishard.com/blog/har-12-spec/
import { detectApi } from "respool";
import { asArray, asNumber, asObject, asString } from "./values.js";

/** @import { Chunk, Entry } from "./capture.js" */

const STREAMS = /text\/event-stream|ndjson|jsonl/i;
const encoder = new TextEncoder();

/**
 * The LLM responses in a HAR file, or undefined if it isn't one.
 *
 * @param {unknown} value
 * @returns {Entry[] | undefined}
 */
export function entriesOfHar(value) {
  const { entries } = asObject(asObject(value).log);
  if (!Array.isArray(entries)) return undefined;
  return entries.map(asObject).flatMap((entry) => {
    const chunks = chunksOf(entry);
    if (chunks === undefined) return [];
    const { method = "", url } = asObject(entry.request);
    const { status = "" } = asObject(entry.response);
    const time = typeof entry.time === "number" ? ` · ${Math.round(entry.time).toLocaleString("en")} ms` : "";
    return [{ name: pathOf(asString(url)), note: `${method} ${status}${time}`.trim(), chunks }];
  });
}

/** @param {Record<string, unknown>} entry @returns {Chunk[] | undefined} undefined if this isn't an LLM response */
function chunksOf({ response, _eventSourceMessages }) {
  // Chrome records when each event arrived.
  const messages = asArray(_eventSourceMessages).map(asObject);
  if (messages.length > 0) return messages.map((message) => chunkOf(message, messages[0]));
  const { mimeType, text, encoding } = asObject(asObject(response).content);
  if (typeof text !== "string" || text === "") return undefined;
  const bytes = encoding === "base64" ? fromBase64(text) : encoder.encode(text);
  return STREAMS.test(asString(mimeType) ?? "") || isLlmResponse(bytes) ? [{ bytes }] : undefined;
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

/** @param {Uint8Array} bytes */
function isLlmResponse(bytes) {
  try {
    return detectApi(bytes) !== undefined;
  } catch {
    return false;
  }
}

/** @param {string} text */
function fromBase64(text) {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
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
