/** Anthropic Messages: the blocks of the answer, with signed thinking, and a user message with the results. */

/** @import { AnnotatedLlmResponse, ToolCall } from "../../types/api.js" */
/** @import { Part, ReadResult } from "../tool_result.js" */
/** @import { Definition, Json } from "./response.js" */

import { isImage, resultText } from "../tool_result.js";
import { acceptedName } from "./accepted_names.js";
import { callIds, inputOf, isObject, textOf, withoutReasoningAtEnd, withText } from "./response.js";

/**
 * @param {AnnotatedLlmResponse} response
 * @param {readonly ToolCall[]} toolCalls
 * @param {readonly ReadResult[]} results
 * @returns {Json[]}
 */
export function anthropicMessages(response, toolCalls, results) {
  const callId = callIds(response, toolCalls);
  const text = textOf(response);
  /** @type {Json} */
  const textBlock = { type: "text", text };
  const blocks = withoutDeclined(contentBlocks(response) ?? [textBlock]).map((block) =>
    isToolUse(block) ? { ...block, id: callId(block.id), name: nameOf(block) } : block,
  );
  const callOf = (/** @type {Json} */ { id }) => toolCalls.find((call) => call.id === id);
  const content = withText(blocks, isText, text, textBlock)
    .filter((block) => block !== undefined)
    .map(withoutFileIds)
    .filter((block) => (isToolUse(block) ? callOf(block) : !isText(block) || `${block.text ?? ""}`.trim() !== ""))
    .filter((block) => isToolUse(block) || !isCutOff(block))
    .map((block) => {
      const call = isToolUse(block) ? callOf(block) : undefined;
      // The API rejects input that isn't an object.
      return call && !isObject(block.input) ? { ...block, input: inputOf(call) } : block;
    });
  const missing = toolCalls.filter(({ id }) => !content.some((block) => block.id === id));
  const uses = missing.map((call) => ({ type: "tool_use", id: call.id, name: nameOf(call), input: inputOf(call) }));
  const answer = withoutReasoningAtEnd([...content, ...uses], isThinking);
  /** @type {Json[]} */
  const messages = answer.length > 0 ? [{ role: "assistant", content: answer }] : [];
  if (toolCalls.length === 0) return messages;
  const blocksOfResults = toolCalls.map(({ id }, index) => resultBlock(id, /** @type {ReadResult} */ (results[index])));
  // The API accepts only text in an error, so other parts follow the results.
  const shown = results.flatMap(({ parts, isError }) => (isError ? parts.filter((part) => !isText(part)).map(partOf) : []));
  return [...messages, { role: "user", content: [...blocksOfResults, ...shown] }];
}

/**
 * @param {Definition} definition
 * @returns {Json}
 */
export function anthropicDefinition({ name, description, parameters, isStrict }) {
  const input_schema = { type: "object", ...parameters };
  return { name, ...(description !== undefined && { description }), input_schema, ...(isStrict && { strict: true }) };
}

/**
 * Returns the blocks of an Anthropic answer. Other interfaces have blocks of their own.
 *
 * @param {AnnotatedLlmResponse} response
 */
const contentBlocks = ({ apiSpecific }) =>
  apiSpecific?.api === "anthropic_messages" ? /** @type {Json[] | undefined} */ (apiSpecific.contentBlocks) : undefined;

/**
 * Removes the thinking and unanswered calls of a model that declined before another one continued: the API doesn't
 * accept them back. The `fallback` block must keep its position.
 * https://platform.claude.com/docs/en/build-with-claude/refusals-and-fallback#continuing-the-conversation
 *
 * @param {Json[]} blocks
 */
function withoutDeclined(blocks) {
  const end = blocks.findLastIndex(({ type }) => type === "fallback");
  const answered = new Set(blocks.map(({ tool_use_id }) => tool_use_id));
  const isLeftOut = (/** @type {Json} */ block) =>
    isThinking(block) || block.type === "connector_text" || (isCall(block) && !answered.has(block.id));
  return blocks.filter((block, at) => at > end || !isLeftOut(block));
}

/** @param {{ name?: unknown }} call */
const nameOf = ({ name }) => acceptedName("anthropic-messages", name);

/** @param {{ type?: unknown }} block */
const isText = ({ type }) => type === "text";

/** @param {Json} block */
const isThinking = ({ type }) => type === "thinking" || type === "redacted_thinking";

/** @param {Json} block */
const isToolUse = (block) => block.type === "tool_use";

/** Whether a block is a call of a client's or a provider's tool. @param {Json} block */
const isCall = ({ type }) => `${type}`.endsWith("tool_use");

/**
 * Whether a block is a call of one of Anthropic's own tools that never ran: its input is still text.
 *
 * @param {Json} block
 */
const isCutOff = ({ input }) => typeof input === "string";

/**
 * Removes the file ids from the citations of a block and of the texts in it: the API doesn't accept them back.
 *
 * @param {Json} block
 * @returns {Json}
 */
function withoutFileIds(block) {
  const { citations, content } = block;
  return {
    ...block,
    ...(Array.isArray(citations) && { citations: citations.map(({ file_id: _, ...citation }) => citation) }),
    ...(Array.isArray(content) && { content: content.map((part) => (isObject(part) ? withoutFileIds(part) : part)) }),
  };
}

/**
 * @param {string} tool_use_id
 * @param {ReadResult} result
 */
function resultBlock(tool_use_id, result) {
  const given = result.isError ? result.parts.filter(isText) : result.parts;
  const isOneText = given.length === 1 && given.every(isText);
  const parts = given.filter((part) => !("text" in part) || part.text !== "");
  const content = isOneText ? resultText(result, true) : parts.map(partOf);
  return { type: "tool_result", tool_use_id, content, ...(result.isError && { is_error: true }) };
}

/** @param {Part} part */
function partOf(part) {
  if (!isImage(part)) return part;
  return { type: "image", source: { type: "base64", media_type: part.mimeType, data: part.data } };
}
