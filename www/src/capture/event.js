// What a frame says: its event name, its data, and in which words a row of the timeline tells it.
import { SseDecoder } from "respool";

/** @returns {{ name: string, data: string, value: unknown, isJson: boolean }} */
export function eventOf(text) {
  const trimmed = text.trimStart();
  if (trimmed.startsWith("{") || trimmed.startsWith("[")) return withValue("", text.trim());
  const decoder = new SseDecoder();
  try {
    const bytes = new TextEncoder().encode(text);
    const [event] = [...decoder.push(bytes), ...decoder.finish()];
    return withValue(event?.event ?? "", event?.data ?? "");
  } finally {
    decoder.free();
  }
}

function withValue(name, data) {
  try {
    return { name, data, value: JSON.parse(data), isJson: true };
  } catch {
    return { name, data, value: undefined, isJson: false };
  }
}

/** What kind of event it is, in the provider's word. */
export function kindOf({ name, data, value }) {
  if (data.trim() === "[DONE]") return "[DONE]";
  return (typeof value?.type === "string" && value.type) || name || value?.object || (data === "" ? "comment" : "event");
}

/** Under which filter the deltas of a frame are looked for. */
export function topicsOf(deltas) {
  return new Set(deltas.length === 0 ? ["nothing"] : deltas.map(({ type }) => TOPICS[type] ?? "other"));
}

const TOPICS = {
  text: "text",
  refusal: "text",
  reasoning: "reasoning",
  "tool-call-start": "tools",
  "tool-call-delta": "tools",
  "tool-call-end": "tools",
  json: "tools",
  "server-tool": "tools",
  usage: "ending",
  finish: "ending",
  error: "problems",
  warning: "problems",
};

export const ALL_TOPICS = ["text", "reasoning", "tools", "ending", "problems", "other", "nothing"];

/** The deltas in a few words. */
export function summaryOf(deltas) {
  return deltas
    .filter(({ type }) => type !== "json")
    .map(wordsOf)
    .join("  ");
}

function wordsOf(delta) {
  switch (delta.type) {
    case "text":
    case "reasoning":
    case "refusal":
      return visible(delta.text);
    case "tool-call-start":
      return `→ ${delta.name}`;
    case "tool-call-delta":
      return visible(delta.arguments);
    case "tool-call-end":
      return `✓ ${delta.toolCall.name}`;
    case "usage":
      return `${delta.usage.totalTokens ?? delta.usage.completionTokens ?? "?"} tokens`;
    case "finish":
      return `■ ${delta.finishReason?.unknown ?? delta.finishReason}`;
    case "error":
      return `✗ ${delta.error.message}`;
    case "warning":
      return `! ${delta.code}`;
    default:
      return delta.type;
  }
}

const visible = (text) => (text.length > 160 ? `${text.slice(0, 160)}…` : text).replaceAll("\n", "⏎");
