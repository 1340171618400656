/** Finds the responses of models in a HAR file, as browsers save it: http://www.softwareishard.com/blog/har-12-spec/ */

import { detectApi } from "respool";
import { bytesIfValid } from "./base64.js";

/**
 * A request and its response, as recorded. Anything may be missing, or null.
 *
 * @typedef {object} HarEntry
 * @property {{ method?: string, url?: string, headers?: unknown, postData?: { text?: string } }} [request]
 * @property {{ status?: number, statusText?: string, headers?: unknown, content?: HarContent, _error?: string }} [response]
 * @property {number} [time] duration in milliseconds
 * @property {unknown} [timings]
 * @property {string} [_error] why there is no response
 * @property {{ time?: number, eventName?: string, data?: string }[]} [_eventSourceMessages] the events, if Chrome recorded
 *   them
 */

/** @typedef {{ text?: string, encoding?: string, mimeType?: string }} HarContent */

/**
 * A response of a model, or what a server sent instead.
 *
 * @typedef {object} HarResponse
 * @property {string} name host and path of the request's URL
 * @property {number} status the HTTP status; 0 if no response arrived
 * @property {string | undefined} failure why the response is missing or incomplete, as the browser describes it
 * @property {{ bytes: Uint8Array<ArrayBuffer>, time?: number }[]} chunks the body; empty if the file has none. Times are
 *   in milliseconds since the first chunk
 * @property {HarEntry} entry
 */

const STREAMS = /text\/event-stream|ndjson|jsonl|vnd\.amazon\.eventstream/i;
/** Members of requests to models. */
const REQUEST_MEMBERS = ["messages", "contents", "input", "prompt", "system_instruction"];
/** Paths of models' interfaces, for files without the requests' bodies. */
const MODEL_PATH =
  /\/(chat\/completions|v\d\w*\/(responses|messages|chat)|api\/(chat|generate)|converse(-stream)?)$|:(stream)?generateContent$/i;
const encoder = new TextEncoder();

/**
 * Returns the responses to requests that went to a model, including failed ones.
 *
 * @param {unknown} value the parsed file
 * @returns {HarResponse[] | undefined} undefined if it isn't a HAR file
 */
export function responsesOfHar(value) {
  const { entries } = /** @type {{ log?: { entries?: HarEntry[] } } | null} */ (value)?.log ?? {};
  if (!Array.isArray(entries)) return undefined;
  return entries.flatMap((entry) => {
    const chunks = chunksOf(entry);
    const bytes = contentOf(entry);
    const isAnswer = chunks.length > 0 || isAnswerOfModel(entry, bytes);
    if (!isAnswer && !isRequestToModel(entry)) return [];
    const status = entry.response?.status;
    const failure = entry.response?._error ?? entry._error;
    return {
      name: nameOf(entry.request?.url),
      status: typeof status === "number" ? status : 0,
      failure: typeof failure === "string" ? failure : undefined,
      chunks: chunks.length > 0 || bytes.length === 0 ? chunks : [{ bytes }],
      entry,
    };
  });
}

/** @param {HarEntry | null} entry */
function chunksOf(entry) {
  const messages = entry?._eventSourceMessages;
  if (!Array.isArray(messages)) return [];
  const seconds = (/** @type {{ time?: number } | undefined} */ message) => Number(message?.time) || 0;
  const start = seconds(messages[0]);
  return messages.map((message) => ({ bytes: bytesOfEvent(message), time: (seconds(message) - start) * 1000 }));
}

/** @param {{ eventName?: string, data?: string } | null} message */
function bytesOfEvent(message) {
  const name = message?.eventName;
  const lines = `${message?.data}`.split("\n").map((line) => `data: ${line}\n`);
  return encoder.encode(`${name && name !== "message" ? `event: ${name}\n` : ""}${lines.join("")}\n`);
}

/** @param {HarEntry | null} entry */
function contentOf(entry) {
  const { text, encoding } = entry?.response?.content ?? {};
  if (typeof text !== "string") return new Uint8Array();
  return encoding === "base64" ? bytesIfValid(text) : encoder.encode(text);
}

/**
 * @param {HarEntry | null} entry
 * @param {Uint8Array} bytes
 */
function isAnswerOfModel(entry, bytes) {
  if (bytes.length === 0) return false;
  if (STREAMS.test(`${entry?.response?.content?.mimeType}`)) return true;
  try {
    return detectApi(bytes) !== undefined;
  } catch {
    return false;
  }
}

/** @param {HarEntry | null} entry */
function isRequestToModel(entry) {
  if (entry?.request?.method !== "POST") return false;
  try {
    const { postData, url } = entry.request;
    if (postData?.text === undefined) return MODEL_PATH.test(new URL(`${url}`).pathname);
    const body = JSON.parse(postData.text || "null") ?? {};
    return (
      REQUEST_MEMBERS.some((name) => name in body) && ("model" in body || "contents" in body || Array.isArray(body.messages))
    );
  } catch {
    return false;
  }
}

/** @param {string | undefined} url */
function nameOf(url) {
  try {
    const { host, pathname } = new URL(url ?? "");
    return host + pathname;
  } catch {
    return "response without a URL";
  }
}
