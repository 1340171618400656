/** Messages as converters give them. */

import { apiOf } from "../response.js";

/** What a message is known by: one id for all messages of an answer. */
export function newMessageId() {
  if (crypto.randomUUID) return crypto.randomUUID(); // not on pages without TLS
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function message(messageId, content, delta, metadata) {
  return { messageId, role: "assistant", content, delta, toolCalls: [], reasoning: "", timestamp: Date.now(), metadata };
}

/** What a delta adds to a message, as a message; undefined where it adds nothing by itself. */
export function partialMessage(delta, messageId, metadata) {
  const { type, text, part, toolCall, status } = delta;
  const isText = type === "text" || type === "reasoning" || type === "refusal";
  const block = isText ? { type, text } : type === "tool-call-end" ? callBlock(toolCall, status) : part;
  if (delta.choice || block === undefined) return undefined;
  const partial = message(messageId, [block], true, metadata);
  if (type === "reasoning") partial.reasoning = text;
  if (toolCall) partial.toolCalls = [toolCall];
  return partial;
}

/** The whole answer, by the result of a stream. `metadata` is what was known of it before, `meta` is the caller's own. */
export function wholeMessage(result, messageId, metadata, meta) {
  const { response, toolCalls, toolCallStatus, ending, warnings } = result;
  const { id, model, message: said = [], finishReason, rawFinishReason, usage, extra } = response;
  const parts = typeof said === "string" ? [{ type: "text", text: said }] : said;
  const calls = toolCalls.map((call, at) => callBlock(call, toolCallStatus[at]));
  const whole = message(messageId, [...parts.filter(({ text }) => text !== ""), ...calls], false, {
    ...defined({
      provider: apiOf(response),
      ...metadata,
      id,
      model,
      object: extra.object ?? extra.type,
      finishReason,
      rawFinishReason,
      ending,
    }),
    ...(warnings.length > 0 && { warnings }),
    ...meta,
  });
  return { ...whole, toolCalls, reasoning: result.reasoning, ...(usage && { usage }) };
}

/** A call with its arguments parsed; text where they are no whole JSON, and the status that says so. */
function callBlock({ id, name, arguments: text }, status) {
  if (status !== "complete") return { type: "tool_call", id, name, arguments: text, status };
  return { type: "tool_call", id, name, arguments: JSON.parse(text) };
}

export const defined = (members) => Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
