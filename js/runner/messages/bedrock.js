/** Bedrock's Converse: the content blocks of the answer with their signatures, and a user message with the results. */

/** @import { AnnotatedLlmResponse, ToolCall } from "../../types/api.js" */
/** @import { Part, ReadResult } from "../tool_result.js" */
/** @import { Definition, Json } from "./response.js" */

import { isImage, jsonOf } from "../tool_result.js";
import { acceptedName } from "./accepted_names.js";
import { bytesFrom, withBytes } from "./bedrock_bytes.js";
import { callIds, inputOf, isObject, textOf, withoutReasoningAtEnd, withText } from "./response.js";

/**
 * @param {AnnotatedLlmResponse} response
 * @param {readonly ToolCall[]} toolCalls
 * @param {readonly ReadResult[]} results
 * @returns {Json[]}
 */
export function bedrockMessages(response, toolCalls, results) {
  const callId = callIds(response, toolCalls);
  const text = textOf(response);
  const own = (contentBlocks(response) ?? [{ text }]).map((block) => (isCall(block) ? withId(block, callId) : block));
  const callOf = (/** @type {CallBlock} */ { toolUse }) => toolCalls.find(({ id }) => id === toolUse.toolUseId);
  const content = withText(own.map(asWritten), isText, text, { text })
    .filter((block) => block !== undefined)
    .filter((block) => (isCall(block) ? callOf(block) : !isText(block) || `${block.text}`.trim() !== ""))
    .filter((block) => !isUnsigned(block) && !isFailedImage(block) && (isCall(block) || !isCutOff(block)))
    .map((block) => {
      const call = isCall(block) ? callOf(block) : undefined;
      // The API rejects input that isn't an object.
      return isCall(block) && call && !isObject(block.toolUse.input)
        ? withMember(block, "input", inputOf(call))
        : withBytes(block);
    });
  const sent = new Set(content.map((block) => (isCall(block) ? block.toolUse.toolUseId : undefined)));
  const missing = toolCalls.filter(({ id }) => !sent.has(id));
  const uses = missing.map((call) => ({ toolUse: { toolUseId: call.id, name: nameOf(call), input: inputOf(call) } }));
  const answer = withoutReasoningAtEnd([...content, ...uses], isReasoning);
  /** @type {Json[]} */
  const messages = answer.length > 0 ? [{ role: "assistant", content: answer }] : [];
  if (toolCalls.length === 0) return messages;
  const blocks = toolCalls.map(({ id }, index) => resultBlock(id, /** @type {ReadResult} */ (results[index])));
  return [...messages, { role: "user", content: blocks }];
}

/**
 * @param {Definition} definition
 * @returns {Json}
 */
export function bedrockDefinition({ name, description, parameters, isStrict }) {
  const inputSchema = { json: { type: "object", ...parameters } };
  return {
    toolSpec: { name, ...(description !== undefined && { description }), inputSchema, ...(isStrict && { strict: true }) },
  };
}

/** @typedef {Json & { toolUse: Json }} CallBlock */

/** @param {AnnotatedLlmResponse} response */
const contentBlocks = ({ apiSpecific }) =>
  apiSpecific?.api === "bedrock_converse" ? /** @type {Json[]} */ (apiSpecific.contentBlocks) : undefined;

/** @param {Json} block */
const isText = (block) => typeof block.text === "string" || isObject(block.citationsContent);

/** @param {Json} block */
const isReasoning = ({ reasoningContent }) => isObject(reasoningContent);

/**
 * Whether a block is reasoning with neither a signature nor redacted content, which the API rejects.
 *
 * @param {Json} block
 */
function isUnsigned({ reasoningContent }) {
  if (!isObject(reasoningContent)) return false;
  const { reasoningText, redactedContent } = reasoningContent;
  return isObject(reasoningText) ? !reasoningText.signature : !redactedContent;
}

/**
 * Whether a block is an image that the model failed to create: the API rejects an image without a source.
 *
 * @param {Json} block
 */
const isFailedImage = ({ image }) => isObject(image) && image.source === undefined;

/**
 * Whether a block is the call of a tool that the provider doesn't run itself.
 *
 * @param {Json} block
 * @returns {block is CallBlock}
 */
const isCall = (block) => isObject(block.toolUse) && block.toolUse.type !== "server_tool_use";

/** Whether a block is a call of one of the provider's tools that never ran: its input is still text. @param {Json} block */
const isCutOff = ({ toolUse }) => isObject(toolUse) && typeof toolUse.input === "string";

/**
 * Converts text with citations to plain text: the API rejects citations without their documents.
 *
 * @param {Json} block
 * @returns {Json}
 */
function asWritten(block) {
  if (!isObject(block.citationsContent)) return block;
  const { content } = /** @type {{ content?: { text?: string }[] }} */ (block.citationsContent);
  return { text: (content ?? []).map(({ text }) => text ?? "").join("") };
}

/**
 * @param {CallBlock} block
 * @param {string} name
 * @param {unknown} value
 * @returns {CallBlock}
 */
const withMember = (block, name, value) => ({ ...block, toolUse: { ...block.toolUse, [name]: value } });

/**
 * @param {CallBlock} block
 * @param {(id: unknown) => string | undefined} callId
 */
const withId = (block, callId) =>
  withMember(withMember(block, "toolUseId", callId(block.toolUse.toolUseId)), "name", nameOf(block.toolUse));

/** @param {{ name?: unknown }} call */
const nameOf = ({ name }) => acceptedName("bedrock-converse", name);

/**
 * @param {string} toolUseId
 * @param {ReadResult} result
 */
function resultBlock(toolUseId, { parts, isError, value }) {
  const json = jsonOf(value);
  const shown = parts.filter((part) => part.type !== "text" || `${part.text}`.trim() !== "").map(partOf);
  // The API rejects blank text, and models reject a result without content.
  const content = isObject(json) ? [{ json }] : shown.length > 0 ? shown : [{ text: "(no output)" }];
  return { toolResult: { toolUseId, content, ...(isError && { status: "error" }) } };
}

/** @param {Part} part */
function partOf(part) {
  if (isImage(part)) return { image: { format: part.mimeType.replace("image/", ""), source: { bytes: bytesFrom(part.data) } } };
  return part.type === "text" ? { text: part.text } : part;
}
