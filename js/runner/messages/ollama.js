/** Ollama: an assistant message with the calls, whose arguments are objects, and one message per result. */

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
  const idOf = givenIds(response);
  const parts = Array.isArray(response.message) ? response.message : [];
  const thinking = parts.map((part) => (part.type === "reasoning" ? part.text : "")).join("");
  const images = parts.flatMap((part) => (part.type === "image" && part.base64 ? [part.base64] : []));
  if (content === "" && images.length === 0 && toolCalls.length === 0) return [];
  const assistant = {
    role: "assistant",
    content,
    ...(thinking && { thinking }),
    ...(images.length > 0 && { images }),
    ...(toolCalls.length > 0 && { tool_calls: toolCalls.map((call) => toolCallOf(call, idOf(call))) }),
  };
  const answers = toolCalls.map((call, index) =>
    resultMessage(call.name, idOf(call), /** @type {ReadResult} */ (results[index])),
  );
  return [assistant, ...answers];
}

/**
 * Returns a function for the id that the server sent with a call. Older servers send none, and the ids that respool
 * generates, `call_0` and so on, are unknown to the server.
 *
 * @param {AnnotatedLlmResponse} response
 * @returns {(call: ToolCall) => string | undefined}
 */
function givenIds({ toolCalls = [] }) {
  const made = new Set(toolCalls.map((_, index) => `call_${index}`));
  return ({ id }) => (made.has(id) ? undefined : id);
}

/**
 * @param {ToolCall} call
 * @param {string | undefined} id
 */
const toolCallOf = (call, id) => ({ ...(id && { id }), function: { name: call.name, arguments: inputOf(call) } });

/**
 * @param {string} name
 * @param {string | undefined} id
 * @param {ReadResult} result
 * @returns {Json}
 */
function resultMessage(name, id, result) {
  const images = result.parts.filter(isImage).map(({ data }) => data);
  return {
    role: "tool",
    tool_name: name,
    ...(id && { tool_call_id: id }),
    content: resultText(result, false),
    ...(images.length > 0 && { images }),
  };
}
