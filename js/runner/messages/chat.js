/** Chat completions: an assistant message with the calls, and one message for each result. */

/** @import { AnnotatedLlmResponse, ToolCall } from "../../types/api.js" */
/** @import { Part, ReadResult } from "../tool_result.js" */
/** @import { Definition, Json } from "./response.js" */

import { imageUrl, isImage, resultText } from "../tool_result.js";
import { argumentsOf, firstChoice, textOf } from "./response.js";

/**
 * @param {AnnotatedLlmResponse} response
 * @param {readonly ToolCall[]} toolCalls
 * @param {readonly ReadResult[]} results
 * @returns {Json[]}
 */
export function chatMessages(response, toolCalls, results) {
  const { message, toolCalls: extras } = firstChoice(response) ?? {};
  const text = textOf(response);
  const audio = audioOf(response);
  if (text === "" && audio === undefined && toolCalls.length === 0) return [];
  const assistant = {
    role: "assistant",
    content: text || null,
    ...(audio && { audio }),
    ...reasoningOf(response, message),
    // Servers refuse an empty list.
    ...(toolCalls.length > 0 && { tool_calls: toolCalls.map((call) => toolCallOf(call, extras?.[call.id])) }),
  };
  const answers = toolCalls.map(({ id }, index) => {
    return { role: "tool", tool_call_id: id, content: contentOf(/** @type {ReadResult} */ (results[index])) };
  });
  const images = results.flatMap(({ parts }) => parts.filter((part) => part.type !== "text").map(imagePart));
  // A tool message can only contain text, so anything else goes into a user message after it.
  const rest = images.length > 0 ? [{ role: "user", content: images }] : [];
  return [assistant, ...answers, ...rest];
}

/**
 * @param {Definition} definition
 * @returns {Json}
 */
export function chatDefinition({ name, description, parameters, isStrict }) {
  return {
    type: "function",
    function: { name, ...(description !== undefined && { description }), parameters, ...(isStrict && { strict: true }) },
  };
}

/**
 * The text of a result. Several texts stay separate parts.
 *
 * @param {ReadResult} result
 */
function contentOf(result) {
  const texts = result.parts.filter((part) => part.type === "text");
  if (texts.length < 2 || result.isError) return resultText(result, false);
  return texts.map((part) => ({ type: "text", text: /** @type {{ text?: unknown }} */ (part).text }));
}

/**
 * The reasoning as servers want it back while tools run: as signed details, or as text.
 *
 * @param {AnnotatedLlmResponse} response
 * @param {Json | undefined} own the provider's message
 */
function reasoningOf({ message }, own) {
  if (own?.reasoning_details) return { reasoning_details: own.reasoning_details };
  const texts = Array.isArray(message) ? message.filter((part) => part.type === "reasoning").map(({ text }) => text) : [];
  const text = texts.join("");
  // GitHub Copilot refuses one without the other.
  if (own?.reasoning_opaque) return { ...(text && { reasoning_text: text }), reasoning_opaque: own.reasoning_opaque };
  return texts.length > 0 ? { reasoning_content: text } : {};
}

/**
 * A spoken answer is sent back by its id.
 *
 * @param {AnnotatedLlmResponse} response
 */
function audioOf({ message }) {
  const part = Array.isArray(message) ? message.find((other) => other.type === "audio") : undefined;
  return part?.id === undefined ? undefined : { id: part.id };
}

/**
 * @param {ToolCall} call
 * @param {Json} [extra] other fields of the call that the server sent, such as a signature
 */
function toolCallOf(call, extra) {
  const { id, name } = call;
  if (extra?.type === "custom") return { ...extra, id, custom: { name, input: JSON.parse(call.arguments) } };
  const functionExtra = /** @type {Json | undefined} */ (extra?.function);
  return { ...extra, id, type: "function", function: { ...functionExtra, name, arguments: argumentsOf(call) } };
}

/** @param {Part} part */
const imagePart = (part) => (isImage(part) ? { type: "image_url", image_url: { url: imageUrl(part) } } : part);
