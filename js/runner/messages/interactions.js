/** Google's Interactions API: the steps of the answer with their signatures, and one step per result. */

/** @import { AnnotatedLlmResponse, ToolCall } from "../../types/api.js" */
/** @import { Part, ReadResult } from "../tool_result.js" */
/** @import { Definition, Json } from "./response.js" */

import { toJson } from "../tool_result.js";
import { callIds, inputOf, isObject, textOf, withText } from "./response.js";

/** Types of steps that belong to the request. */
const OF_REQUEST = ["user_input", "function_result"];

/**
 * @param {AnnotatedLlmResponse} response
 * @param {readonly ToolCall[]} toolCalls
 * @param {readonly ReadResult[]} results
 * @returns {Json[]}
 */
export function interactionSteps(response, toolCalls, results) {
  const text = textOf(response);
  const callId = callIds(response, toolCalls);
  const own = (stepsOf(response) ?? [outputStep(text)]).filter(({ type }) => !OF_REQUEST.includes(String(type)));
  const entries = own.map((step) => ({ step, id: isCall(step) ? callId(step.id) : undefined }));
  const callOf = (/** @type {string | undefined} */ id) => toolCalls.find((call) => call.id === id);
  const answered = withText(own, isOutput, text, outputStep(text));
  /** @type {Json[]} */
  const kept = [];
  for (const [index, { id, step }] of entries.entries()) {
    const call = callOf(id);
    const shown = answered[index];
    if (isCall(step) ? call : shown && !isEmpty(shown)) kept.push(call ? sentBack(step, call) : /** @type {Json} */ (shown));
  }
  const missing = toolCalls.filter((call) => !entries.some(({ id }) => id === call.id));
  const outputs = toolCalls.map(({ id, name }, index) => resultStep(id, name, /** @type {ReadResult} */ (results[index])));
  return [...kept, ...missing.map((call) => sentBack({ type: "function_call" }, call)), ...outputs];
}

/**
 * @param {Definition} definition
 * @returns {Json}
 */
export function interactionDefinition({ name, description, parameters }) {
  return { type: "function", name, ...(description !== undefined && { description }), parameters };
}

/** @param {AnnotatedLlmResponse} response */
const stepsOf = ({ apiSpecific }) =>
  apiSpecific?.api === "gemini_interactions" ? /** @type {Json[]} */ (apiSpecific.steps) : undefined;

/** @param {Json} step */
const isCall = ({ type }) => type === "function_call";

/** @param {Json} step */
const isOutput = ({ type }) => type === "model_output";

/** @type {(text: string) => Json} */
const outputStep = (text) => ({ type: "model_output", content: [{ type: "text", text }] });

/**
 * Whether a step has nothing to send back. An empty thought is kept for its signature.
 *
 * @param {Json} step
 */
function isEmpty({ type, content, summary, signature }) {
  const isNothing = (/** @type {unknown} */ list) =>
    !Array.isArray(list) || list.every((part) => part?.type === "text" && part.text === "");
  if (type === "thought") return !signature && isNothing(summary);
  return type === "model_output" && isNothing(content);
}

/**
 * Returns the step of a call to send back. The API rejects arguments that aren't an object.
 *
 * @param {Json} step
 * @param {ToolCall} call
 * @returns {Json}
 */
const sentBack = (step, call) => ({
  ...step,
  id: call.id,
  name: call.name,
  arguments: isObject(step.arguments) ? step.arguments : inputOf(call),
});

/**
 * @param {string} call_id
 * @param {string} name
 * @param {ReadResult} result
 * @returns {Json}
 */
const resultStep = (call_id, name, { parts, isError }) => ({
  type: "function_result",
  call_id,
  name,
  result: parts.map(contentOf),
  ...(isError && { is_error: true }),
});

/**
 * @param {Part} part
 * @returns {Json}
 */
function contentOf(part) {
  const { type, text, data, mimeType } = /** @type {Json} */ (part);
  if (type === "text") return { type, text };
  return typeof data === "string" ? { type, data, mime_type: mimeType } : { type: "text", text: toJson(part) };
}
