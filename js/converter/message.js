/** The messages that converters return. */

/** @import { ContentBlock, Delta, Message, MessageMetadata, StreamResult, ToolCall, ToolCallBlock, ToolCallStatus } from "../types/api.js" */

/** Returns a new id, which all messages of one answer share. */
export function newMessageId() {
  if ("randomUUID" in crypto) return crypto.randomUUID(); // missing on pages without TLS
  const bytes = /** @type {Crypto} */ (crypto).getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * @param {string} messageId
 * @param {ContentBlock[]} content
 * @param {boolean} delta
 * @param {MessageMetadata} metadata
 * @returns {Message}
 */
function newMessage(messageId, content, delta, metadata) {
  return { messageId, role: "assistant", content, delta, toolCalls: [], reasoning: "", timestamp: Date.now(), metadata };
}

/**
 * Returns the message for one delta; undefined for a delta without content.
 *
 * @param {Delta} delta
 * @param {string} messageId
 * @param {MessageMetadata} metadata
 */
export function partialMessage(delta, messageId, metadata) {
  const block = blockOf(delta);
  if (block === undefined) return undefined;
  const partial = newMessage(messageId, [block], true, metadata);
  if (delta.type === "reasoning") partial.reasoning = delta.text;
  if (delta.type === "tool-call-end") partial.toolCalls = [delta.toolCall];
  return partial;
}

/**
 * @param {Delta} delta
 * @returns {ContentBlock | undefined}
 */
function blockOf(delta) {
  switch (delta.type) {
    case "text":
    case "reasoning":
    case "refusal":
      return { type: delta.type, text: delta.text };
    case "tool-call-end":
      return callBlock(delta.toolCall, delta.status);
    case "server-tool":
    case "image":
    case "audio":
      return delta.part;
    default:
      return undefined;
  }
}

/**
 * Returns the message with the complete answer.
 *
 * @param {StreamResult} result
 * @param {string} messageId
 * @param {MessageMetadata} metadata the metadata known before the answer
 * @param {Record<string, unknown>} [meta] the caller's own metadata
 * @returns {Message}
 */
export function wholeMessage(result, messageId, metadata, meta) {
  const { response, toolCalls, toolCallStatus, ending, error, warnings } = result;
  const { id, model, message = [], finishReason, rawFinishReason, usage, extra } = response;
  /** @type {ContentBlock[]} */
  const parts = typeof message === "string" ? [{ type: "text", text: message }] : message;
  const filled = parts.filter((part) => !("text" in part) || part.text !== "" || isKept(part));
  const calls = toolCalls.map((call, index) => {
    const signature = response.toolCalls?.find(({ id }) => id === call.id)?.signature;
    return { ...callBlock(call, toolCallStatus[index] ?? "complete"), ...(signature !== undefined && { signature }) };
  });
  const whole = newMessage(messageId, [...filled, ...calls], false, {
    ...withoutUndefined({
      provider: response.api,
      ...metadata,
      id,
      model,
      object: extra.object ?? extra.type,
      finishReason,
      rawFinishReason,
      ending,
      error,
    }),
    ...(warnings.length > 0 && { warnings }),
    ...meta,
  });
  return { ...whole, toolCalls, reasoning: result.reasoning, ...(usage && { usage }) };
}

/**
 * Whether a part without text has data to send back to the provider.
 *
 * @param {ContentBlock} part
 */
const isKept = (part) => "signature" in part || "encrypted" in part;

/**
 * Returns a call with parsed arguments, or with their text and the status that explains it.
 *
 * @param {ToolCall} call
 * @param {ToolCallStatus} status
 * @returns {ToolCallBlock}
 */
function callBlock({ id, name, arguments: text }, status) {
  if (status !== "complete") return { type: "tool_call", id, name, arguments: text, status };
  return { type: "tool_call", id, name, arguments: JSON.parse(text) };
}

/** @type {(members: Record<string, unknown>) => Record<string, unknown>} */
export const withoutUndefined = (members) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
