// Parses frames, and summarises them for the rows of the timeline.
import { SseDecoder } from "respool";
import { parseMessage } from "./aws-messages.js";
import { asObject, asString, parseJson } from "./values.js";

/** @import { Delta } from "respool" */

/**
 * @typedef {object} FrameEvent
 * @property {string} name name of the server-sent event, empty if it has none
 * @property {string} data
 * @property {unknown} value the data parsed as JSON, or undefined if it isn't valid JSON
 * @property {boolean} isJson
 * @property {Record<string, string>} [headers] headers of a binary message
 */

const textDecoder = new TextDecoder();
/** Matches a line of a server-sent event. */
const FIELD = /^\ufeff?(data|event|id|retry)?:/m;

/** @param {Uint8Array} bytes @returns {FrameEvent} */
export function parseEvent(bytes) {
  const message = parseMessage(bytes);
  if (message) return message;
  const text = textDecoder.decode(bytes);
  const trimmed = text.trim();
  // An element of an array includes the preceding bracket or comma.
  const element = /^[[,]\s*(\{[\s\S]*)$/.exec(trimmed)?.[1];
  if (element !== undefined) return withValue("", parseJson(trimmed) === undefined ? element : trimmed);
  if (/^[{[\]]/.test(trimmed)) return withValue("", trimmed);
  // Neither an event nor JSON: an HTML page, or plain text.
  if (!FIELD.test(text)) return withValue("", trimmed);
  const decoder = new SseDecoder();
  try {
    const [event] = [...decoder.push(bytes), ...decoder.finish()];
    return withValue(event?.event ?? "", event?.data ?? "");
  } finally {
    decoder.free();
  }
}

/** @param {string} name @param {string} data @returns {FrameEvent} */
function withValue(name, data) {
  const value = parseJson(data);
  return { name, data, value, isJson: value !== undefined };
}

/**
 * Returns the kind of event, as the provider names it.
 *
 * @param {FrameEvent} event
 */
export function kindOf({ name, data, value }) {
  if (data.trim() === "[DONE]") return "[DONE]";
  if (data === "]") return "end of the array";
  if (value === undefined && name === "" && data !== "") return "not JSON";
  const { type, event_type, object } = asObject(value);
  return asString(type) || asString(event_type) || name || asString(object) || (data === "" ? "comment" : "event");
}

/** @typedef {"text" | "reasoning" | "tools" | "ending" | "problems" | "other" | "nothing"} Topic */

/** @type {Topic[]} */
export const ALL_TOPICS = ["text", "reasoning", "tools", "ending", "problems", "other", "nothing"];

/** @type {Record<Delta["type"], Topic>} */
const TOPIC_OF_DELTA = {
  text: "text",
  phase: "other",
  refusal: "text",
  reasoning: "reasoning",
  "tool-call-start": "tools",
  "tool-call-delta": "tools",
  "tool-call-end": "tools",
  json: "tools",
  "server-tool": "tools",
  annotation: "other",
  image: "other",
  audio: "other",
  usage: "ending",
  finish: "ending",
  error: "problems",
  warning: "problems",
};

/**
 * Returns the filters that show a frame with these deltas.
 *
 * @param {Delta[]} deltas
 * @returns {Set<Topic>}
 */
export function topicsOf(deltas) {
  return new Set(deltas.length === 0 ? ["nothing"] : deltas.map(({ type }) => TOPIC_OF_DELTA[type] ?? "other"));
}

/**
 * Summarises the deltas in a few words.
 *
 * @param {Delta[]} deltas
 */
export function summarise(deltas) {
  return deltas
    .filter(({ type }) => type !== "json")
    .map(describe)
    .join("  ");
}

/** @param {Delta} delta */
function describe(delta) {
  switch (delta.type) {
    case "text":
    case "reasoning":
    case "refusal":
      return shorten(delta.text);
    case "tool-call-start":
      return `→ ${delta.name}`;
    case "tool-call-delta":
      return shorten(delta.arguments);
    case "tool-call-end":
      return `✓ ${delta.toolCall.name}`;
    case "usage":
      return `${delta.usage.totalTokens ?? delta.usage.completionTokens ?? "?"} tokens`;
    case "finish":
      return `■ ${typeof delta.finishReason === "object" ? delta.finishReason.unknown : delta.finishReason}`;
    case "error":
      return `✗ ${delta.error.message}`;
    case "warning":
      return `! ${delta.code}`;
    default:
      return delta.type;
  }
}

/** @param {string} text */
const shorten = (text) => (text.length > 160 ? `${text.slice(0, 160)}…` : text).replaceAll("\n", "⏎");
