/** Anthropic Messages: the blocks of the answer, signed thinking among them, and a user message with the results. */

import { isImage, resultText } from "../tool_result.js";
import { callIds, inputOf, isObject, textOf } from "./response.js";

export function anthropicMessages(response, toolCalls, results) {
  const callId = callIds(response, toolCalls);
  const given = (response.apiSpecific?.contentBlocks ?? [{ type: "text", text: textOf(response) }])
    .map((block) => (block.type === "tool_use" ? { ...block, id: callId(block.id) } : block));
  const isWanted = (block) => toolCalls.some(({ id }) => id === block.id);
  const content = given
    .filter((block) => (block.type === "tool_use" ? isWanted(block) : block.type !== "text" || block.text !== ""))
    // Input that was no object is refused when it comes back.
    .map((block) => (block.type === "tool_use" && !isObject(block.input) ? { ...block, input: {} } : block));
  const found = toolCalls.filter(({ id }) => !content.some((block) => block.id === id));
  return [
    { role: "assistant", content: found.length > 0 ? withFound(content, textOf(response), found) : content },
    { role: "user", content: toolCalls.map(({ id }, at) => resultBlock(id, results[at])) },
  ];
}

/** Calls that were found in the text stand beside what is left of it. */
function withFound(content, text, found) {
  const uses = found.map((call) => ({ type: "tool_use", id: call.id, name: call.name, input: inputOf(call) }));
  return [...content.filter(({ type }) => type !== "text"), ...(text ? [{ type: "text", text }] : []), ...uses];
}

function resultBlock(tool_use_id, result) {
  const isText = result.parts.length === 1 && result.parts[0].type === "text";
  const content = isText ? resultText(result, true) : result.parts.filter((part) => part.text !== "").map(partOf);
  return { type: "tool_result", tool_use_id, content, ...(result.isError && { is_error: true }) };
}

function partOf(part) {
  if (!isImage(part)) return part;
  return { type: "image", source: { type: "base64", media_type: part.mimeType, data: part.data } };
}
