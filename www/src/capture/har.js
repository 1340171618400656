// HAR files, as browsers save what they loaded: http://www.softwareishard.com/blog/har-12-spec/
import { detectApi } from "respool";

const STREAMS = /text\/event-stream|ndjson|jsonl/i;
const encoder = new TextEncoder();

/** The answers in it that may be a model's; undefined where this is no HAR file. @returns {import("./capture.js").Entry[] | undefined} */
export function entriesOfHar(value) {
  const entries = value?.log?.entries;
  if (!Array.isArray(entries)) return undefined;
  return entries.flatMap((entry) => {
    const reads = readsOf(entry);
    if (reads === undefined) return [];
    const { request, response } = entry;
    const time = typeof entry.time === "number" ? ` · ${Math.round(entry.time).toLocaleString("en")} ms` : "";
    return [{ name: pathOf(request?.url), note: `${request?.method ?? ""} ${response?.status ?? ""}${time}`.trim(), reads }];
  });
}

function readsOf({ response, _eventSourceMessages: messages }) {
  // Chrome writes down when each event came.
  if (Array.isArray(messages) && messages.length > 0) return messages.map((message) => eventOf(message, messages[0].time));
  const { mimeType = "", text, encoding } = response?.content ?? {};
  if (typeof text !== "string" || text === "") return undefined;
  const bytes = encoding === "base64" ? fromBase64(text) : encoder.encode(text);
  return STREAMS.test(mimeType) || isAnswer(bytes) ? [{ bytes }] : undefined;
}

function eventOf({ time, eventName, data }, first) {
  const name = eventName && eventName !== "message" ? `event: ${eventName}\n` : "";
  const lines = String(data)
    .split("\n")
    .map((line) => `data: ${line}\n`);
  return { bytes: encoder.encode(`${name}${lines.join("")}\n`), time: (time - first) * 1000 };
}

function isAnswer(bytes) {
  try {
    return detectApi(bytes) !== undefined;
  } catch {
    return false;
  }
}

function fromBase64(text) {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}

function pathOf(url) {
  try {
    const { host, pathname } = new URL(url);
    return host + pathname;
  } catch {
    return "an answer without an address";
  }
}
