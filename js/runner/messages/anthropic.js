/** Anthropic Messages: the blocks of the answer, signed thinking among them, and a user message with the results. */

import { isImage, resultText } from "../tool_result.js";
import { callIds, inputOf, isObject, textOf, withText } from "./response.js";

export function anthropicMessages(response, toolCalls, results) {
  const callId = callIds(response, toolCalls);
  const text = textOf(response);
  const given = (response.apiSpecific?.contentBlocks ?? [{ type: "text", text }]).map((block) =>
    block.type === "tool_use" ? { ...block, id: callId(block.id) } : block,
  );
  const isWanted = (block) => toolCalls.some(({ id }) => id === block.id);
  const content = withText(given, isText, text, { type: "text", text })
    .filter((block) => block && (block.type === "tool_use" ? isWanted(block) : !isText(block) || `${block.text}`.trim() !== ""))
    // Input that was no object is refused when it comes back.
    .map((block) => (block.type === "tool_use" && !isObject(block.input) ? { ...block, input: {} } : block));
  const found = toolCalls.filter(({ id }) => !content.some((block) => block.id === id));
  const uses = found.map((call) => ({ type: "tool_use", id: call.id, name: call.name, input: inputOf(call) }));
  return [
    { role: "assistant", content: [...content, ...uses] },
    { role: "user", content: toolCalls.map(({ id }, at) => resultBlock(id, results[at])) },
  ];
}

const isText = ({ type }) => type === "text";

function resultBlock(tool_use_id, result) {
  const isOneText = result.parts.length === 1 && isText(result.parts[0]);
  const content = isOneText ? resultText(result, true) : result.parts.filter((part) => part.text !== "").map(partOf);
  return { type: "tool_result", tool_use_id, content, ...(result.isError && { is_error: true }) };
}

function partOf(part) {
  if (!isImage(part)) return part;
  return { type: "image", source: { type: "base64", media_type: part.mimeType, data: part.data } };
}
