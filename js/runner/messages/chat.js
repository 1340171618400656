/** Chat completions: an assistant message with the calls, and one message per result. */

/** @import { AnnotatedLlmResponse, ContentPart, ToolCall } from "../../types/api.js" */
/** @import { Part, ReadResult } from "../tool_result.js" */
/** @import { ChoiceExtras, Definition, Json } from "./response.js" */

import { imageUrl, isImage, resultText } from "../tool_result.js";
import { acceptedName } from "./accepted_names.js";
import { argumentsOf, firstChoice, isObject, textOf } from "./response.js";

/** @typedef {Extract<ContentPart, { type: "reasoning" }>} ReasoningPart */

/**
 * @param {AnnotatedLlmResponse} response
 * @param {readonly ToolCall[]} toolCalls
 * @param {readonly ReadResult[]} results
 * @returns {Json[]}
 */
export function chatMessages(response, toolCalls, results) {
  const choice = firstChoice(response);
  const text = textOf(response);
  const audio = audioOf(response);
  if (text === "" && audio === undefined && toolCalls.length === 0) return [];
  const assistant = {
    role: "assistant",
    content: text || null,
    ...(audio && { audio }),
    ...reasoningOf(response, text, choice),
    // Servers reject an empty list.
    ...(toolCalls.length > 0 && { tool_calls: toolCalls.map((call) => toolCallOf(call, choice?.toolCalls?.[call.id])) }),
  };
  const answers = toolCalls.map(({ id }, index) => {
    return { role: "tool", tool_call_id: id, content: resultText(/** @type {ReadResult} */ (results[index]), false) };
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
 * Writes a codec's reasoning in OpenRouter's form, for the transport to translate.
 *
 * @param {ReasoningPart} part
 * @returns {Json[]}
 */
const reasoningDetails = ({ text, signature, encrypted }) => [
  ...(text !== "" || signature ? [{ type: "reasoning.text", text, ...(signature && { signature }) }] : []),
  ...(encrypted ? [{ type: "reasoning.encrypted", data: encrypted }] : []),
];

/** @param {ReasoningPart} part */
const isSignedPart = ({ signature, encrypted }) => signature !== undefined || encrypted !== undefined;

/**
 * Fields with signatures beside the text, from LiteLLM, its bridge to Responses, and gateways to Anthropic and Gemini.
 */
const SIGNED = ["thinking_blocks", "reasoning_items", "thinking_signature", "thought_signature"];

/**
 * Returns the reasoning in the form that servers require while tools run: as signed details, or as text.
 *
 * @param {AnnotatedLlmResponse} response
 * @param {string} text the text of the answer
 * @param {ChoiceExtras} [choice]
 * @returns {Json}
 */
function reasoningOf({ message, apiSpecific }, text, { message: own = {}, reasoningField = "reasoning_content" } = { index: 0 }) {
  if (own.reasoning_details) return { reasoning_details: own.reasoning_details };
  const parts = Array.isArray(message) ? message.filter((part) => part.type === "reasoning") : [];
  if (apiSpecific?.api === "custom" && parts.some(isSignedPart)) return { reasoning_details: parts.flatMap(reasoningDetails) };
  const texts = parts.map((part) => part.text);
  const reasoning = texts.join("");
  // GitHub Copilot rejects one without the other.
  if (own.reasoning_opaque) {
    return { ...(reasoning && { reasoning_text: reasoning }), reasoning_opaque: own.reasoning_opaque };
  }
  const signed = signedMembers(own, text);
  if (texts.length === 0 && own.reasoning_content === "") return { reasoning_content: "", ...signed };
  if (texts.length === 0 || (reasoning === "" && Object.keys(signed).length > 0)) return signed;
  const write = Object.hasOwn(IN_CONTENT, reasoningField) ? IN_CONTENT[reasoningField] : undefined;
  return { ...(write ? { content: contentOf(message, write) } : { [reasoningField]: reasoning }), ...signed };
}

/**
 * @param {Json} own the message as the provider sent it
 * @param {string} text
 * @returns {Json}
 */
function signedMembers(own, text) {
  const { content_blocks: blocks, thinking_blocks: thinking } = own;
  if (!Array.isArray(blocks)) {
    const signed = SIGNED.filter((name) => own[name]).map((name) => [name, own[name]]);
    // The object may have other fields, too: for example, that the content is a thought.
    const { google, vertex } = /** @type {Json} */ (own.extra_content ?? {});
    const isSigned = [google, vertex].some((extra) => isObject(extra) && extra.thought_signature !== undefined);
    return { ...Object.fromEntries(signed), ...(isSigned && { extra_content: own.extra_content }) };
  }
  // Portkey requires its blocks back. Those of a stream are fragments, which `thinking_blocks` contains joined.
  if (!blocks.some((block) => block?.delta)) return { content_blocks: blocks };
  return Array.isArray(thinking) ? { content_blocks: [...thinking, ...textBlocks(text)] } : {};
}

/** @type {(text: string) => Json[]} */
const textBlocks = (text) => (text === "" ? [] : [{ type: "text", text }]);

/**
 * Writes reasoning in the form of Databricks, whose models reject it without its signature.
 *
 * @param {{ text: string, signature?: string }} part
 * @returns {Json}
 */
const summaryPart = ({ text, signature }) => ({
  type: "reasoning",
  summary: [{ type: "summary_text", text, ...(signature !== undefined && { signature }) }],
});

/**
 * Writes reasoning in the form of Mistral.
 *
 * @type {typeof summaryPart}
 */
const thinkingPart = ({ text, signature }) => ({
  type: "thinking",
  thinking: textBlocks(text),
  ...(signature !== undefined && { signature }),
});

/**
 * The functions that write reasoning into the content, by the field that contained its text.
 *
 * @type {Record<string, typeof summaryPart>}
 */
const IN_CONTENT = { content: thinkingPart, summary: summaryPart };

/**
 * Returns the content with the reasoning in its original position. Reasoning with neither text nor signature is
 * omitted.
 *
 * @param {AnnotatedLlmResponse["message"]} message
 * @param {typeof summaryPart} write
 * @returns {Json[]}
 */
function contentOf(message, write) {
  const parts = Array.isArray(message) ? message : [];
  return parts.flatMap((part) => {
    if (part.type === "text") return textBlocks(part.text);
    return part.type === "reasoning" && (part.text || part.signature) ? [write(part)] : [];
  });
}

/**
 * Returns the id by which a spoken answer is sent back.
 *
 * @param {AnnotatedLlmResponse} response
 */
function audioOf({ message }) {
  const part = Array.isArray(message) ? message.find((other) => other.type === "audio") : undefined;
  return part?.id === undefined ? undefined : { id: part.id };
}

/**
 * @param {ToolCall} call
 * @param {Json} [given] other fields of the call that the server sent, such as a signature
 */
function toolCallOf(call, given) {
  const { id } = call;
  // OpenAI's SDK adds the parsed arguments, which servers reject.
  const { parsed_arguments: _, ...extra } = given ?? {};
  // Moonshot's own functions, such as `$web_search`.
  const isBuiltin = extra.type === "builtin_function";
  const name = isBuiltin ? call.name : acceptedName("openai-chat", call.name);
  if (extra.type === "custom") return { ...extra, id, custom: { name, input: JSON.parse(call.arguments) } };
  const type = isBuiltin ? extra.type : "function";
  return { ...extra, id, type, function: { name, arguments: argumentsOf(call) } };
}

/** @param {Part} part */
const imagePart = (part) => (isImage(part) ? { type: "image_url", image_url: { url: imageUrl(part) } } : part);
