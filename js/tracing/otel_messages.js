/** Converts responses to `gen_ai.output.messages`: one message per choice. */

/** @import { AnnotatedLlmResponse, ContentPart, ResponseToolCall, StreamResult, ToolCall } from "../types/api.js" */

import { missingReason } from "./missing_reason.js";

/** @typedef {{ role: "assistant", parts: object[], finish_reason?: string | undefined }} OutputMessage */

/**
 * @param {AnnotatedLlmResponse} response
 * @returns {OutputMessage[]}
 */
export const messagesOf = (response) =>
  (response.choices ?? [response]).map(({ message = [], refusal, toolCalls = [], rawFinishReason }) => {
    const parts = typeof message === "string" ? textParts(message) : message.flatMap(partsOf);
    // The message may already contain the refusal as a part.
    const refused = typeof message !== "string" && message.some(({ type }) => type === "refusal");
    return {
      role: "assistant",
      parts: [...parts, ...(refused ? [] : textParts(refusal ?? "")), ...toolCalls.map(callPart)],
      finish_reason: rawFinishReason ?? missingReason(response.api),
    };
  });

/**
 * Returns the message for a result without a response: images, or the result of another emitter.
 *
 * @param {unknown} result
 * @param {{ isImage: boolean, finishReason: string | undefined }} context
 * @returns {OutputMessage}
 */
export function messageOfResult(result, { isImage, finishReason }) {
  return {
    role: "assistant",
    parts: isImage ? [result].flat().map(imagePart) : resultParts(result),
    finish_reason: finishReason,
  };
}

/** @param {unknown} result */
function resultParts(result) {
  if (Array.isArray(result) && result[0]?.arguments !== undefined) return result.map(callPart);
  const ofStream = /** @type {Partial<StreamResult>} */ (result);
  if (!Array.isArray(ofStream?.toolCalls)) return textParts(textOf(result) ?? "");
  const { reasoning, text, refusal, toolCalls } = ofStream;
  return [
    ...(reasoning ? [{ type: "reasoning", content: reasoning }] : []),
    ...textParts(text || refusal || ""),
    ...toolCalls.map(callPart),
  ];
}

/** @type {(value: unknown) => string | undefined} */
export const textOf = (value) => (typeof value === "string" || value === undefined ? value : JSON.stringify(value));

/** @param {string} content */
const textParts = (content) => (content === "" ? [] : [{ type: "text", content }]);

/**
 * @param {ContentPart} part
 * @returns {object[]}
 */
function partsOf(part) {
  switch (part.type) {
    case "text":
    case "refusal":
      return textParts(part.text);
    case "reasoning":
      return part.text === "" ? [] : [{ type: "reasoning", content: part.text }];
    case "image":
      return [imagePart(part.url ?? part.base64)];
    case "audio":
      return audioParts(part);
    case "server-tool":
      return serverToolParts(part);
    default:
      return [generic(part.raw)];
  }
}

/** @param {unknown} image its URL or base64 */
function imagePart(image) {
  const text = String(image);
  const [, base64 = text] = /^data:[^,]*,(.*)$/s.exec(text) ?? [];
  if (base64 === text && URL.canParse(text)) return { type: "uri", modality: "image", uri: text };
  return { type: "blob", modality: "image", content: base64 };
}

/** @param {Extract<ContentPart, { type: "audio" }>} part */
function audioParts({ base64, transcript }) {
  if (base64 === undefined) return textParts(transcript ?? "");
  return [{ type: "blob", modality: "audio", content: base64, ...(transcript !== undefined && { transcript }) }];
}

/** @param {Extract<ContentPart, { type: "server-tool" }>} part */
function serverToolParts({ id, name, call, result, raw }) {
  const known = id === undefined ? {} : { id };
  const isResult = call === undefined && result !== undefined;
  const calls = isResult
    ? []
    : [{ type: "server_tool_call", ...known, name, server_tool_call: { type: name, ...objectOf(call) } }];
  if (result === undefined) return calls;
  return [
    ...calls,
    { type: "server_tool_call_response", ...known, server_tool_call_response: generic(isResult ? raw : { type: name, result }) },
  ];
}

/** @param {unknown} value */
const objectOf = (value) => (typeof value === "object" && value !== null ? value : value === undefined ? {} : { value });

/**
 * Wraps a provider's own object as a part with a type.
 *
 * @param {unknown} raw
 */
const generic = (raw) => ({ type: "other", ...objectOf(raw) });

/** @param {ToolCall | ResponseToolCall} call */
const callPart = ({ id, name, arguments: value }) => ({ type: "tool_call", id, name, arguments: parsed(value) });

/** @param {unknown} value JSON text if the call comes from a result */
function parsed(value) {
  try {
    return typeof value === "string" ? JSON.parse(value) : value;
  } catch {
    return value;
  }
}
