/** Ollama: an assistant message with the calls, whose arguments are objects, and one message for each result. */

/** @import { AnnotatedLlmResponse, ToolCall } from "../../types/api.js" */
/** @import { ReadResult } from "../tool_result.js" */
/** @import { Json } from "./response.js" */

import { isImage, resultText } from "../tool_result.js";
import { inputOf, textOf } from "./response.js";

/**
 * @param {AnnotatedLlmResponse} response
 * @param {readonly ToolCall[]} toolCalls
 * @param {readonly ReadResult[]} results
 * @returns {Json[]}
 */
export function ollamaMessages(response, toolCalls, results) {
  const content = textOf(response);
  const parts = Array.isArray(response.message) ? response.message : [];
  const thinking = parts.map((part) => (part.type === "reasoning" ? part.text : "")).join("");
  const images = parts.flatMap((part) => (part.type === "image" && part.base64 ? [part.base64] : []));
  if (content === "" && images.length === 0 && toolCalls.length === 0) return [];
  const assistant = {
    role: "assistant",
    content,
    ...(thinking && { thinking }),
    ...(images.length > 0 && { images }),
    ...(toolCalls.length > 0 && { tool_calls: toolCalls.map(toolCallOf) }),
  };
  return [assistant, ...toolCalls.map((call, index) => resultMessage(call, /** @type {ReadResult} */ (results[index])))];
}

/** @param {ToolCall} call */
const toolCallOf = (call) => ({ id: call.id, function: { name: call.name, arguments: inputOf(call) } });

/**
 * Older servers know the call by the tool's name alone, and ignore the id.
 *
 * @param {ToolCall} call
 * @param {ReadResult} result
 * @returns {Json}
 */
function resultMessage({ id, name }, result) {
  const images = result.parts.filter(isImage).map(({ data }) => data);
  return {
    role: "tool",
    tool_name: name,
    tool_call_id: id,
    content: resultText(result, false),
    ...(images.length > 0 && { images }),
  };
}
