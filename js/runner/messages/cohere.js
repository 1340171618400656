/** Cohere: an assistant message with the calls and the plan for them, and one message per result. */

/** @import { AnnotatedLlmResponse, ToolCall } from "../../types/api.js" */
/** @import { ReadResult } from "../tool_result.js" */
/** @import { Json } from "./response.js" */

import { imageUrl, isImage, resultText } from "../tool_result.js";
import { argumentsOf, textOf, withText } from "./response.js";

/**
 * @param {AnnotatedLlmResponse} response
 * @param {readonly ToolCall[]} toolCalls
 * @param {readonly ReadResult[]} results
 * @returns {Json[]}
 */
export function cohereMessages(response, toolCalls, results) {
  const content = contentOf(response);
  const { toolPlan } = specific(response);
  if (content === undefined && toolCalls.length === 0) return [];
  const assistant = {
    role: "assistant",
    ...(content !== undefined && { content }),
    // The API rejects a plan without calls.
    ...(toolCalls.length > 0 && { ...(toolPlan && { tool_plan: toolPlan }), tool_calls: toolCalls.map(toolCallOf) }),
  };
  const answers = toolCalls.map(({ id }, index) => ({
    role: "tool",
    tool_call_id: id,
    content: resultText(/** @type {ReadResult} */ (results[index]), false),
  }));
  // A tool message can't contain images, so they go into a user message after it.
  const images = results.flatMap(({ parts }) => parts.filter(isImage));
  const urls = images.map((image) => ({ type: "image_url", image_url: { url: imageUrl(image) } }));
  return [assistant, ...answers, ...(urls.length > 0 ? [{ role: "user", content: urls }] : [])];
}

/**
 * Returns the text, or the blocks if there is more than text, such as thinking; undefined if there is nothing.
 *
 * @param {AnnotatedLlmResponse} response
 */
function contentOf(response) {
  const text = textOf(response);
  const blocks = specific(response).contentBlocks ?? [];
  if (blocks.every(isText)) return text === "" ? undefined : text;
  return withText(blocks, isText, text, { type: "text", text }).filter((block) => block && !(isText(block) && block.text === ""));
}

/** @param {Json} block */
const isText = ({ type }) => type === "text";

/**
 * @param {AnnotatedLlmResponse} response
 * @returns {{ toolPlan?: string, contentBlocks?: Json[] }}
 */
const specific = ({ apiSpecific }) =>
  apiSpecific?.api === "cohere_chat" ? /** @type {{ contentBlocks: Json[] }} */ (apiSpecific) : {};

/** @param {ToolCall} call */
const toolCallOf = (call) => ({ id: call.id, type: "function", function: { name: call.name, arguments: argumentsOf(call) } });
