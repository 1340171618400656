/** Gemini: the parts of the answer with their signatures, and a user message with the results. */

/** @import { AnnotatedLlmResponse, ToolCall } from "../../types/api.js" */
/** @import { Part, ReadResult } from "../tool_result.js" */
/** @import { Definition, Json } from "./response.js" */

import { jsonOf, resultText } from "../tool_result.js";
import { inputOf, isObject, textOf, withText } from "./response.js";

/**
 * @param {AnnotatedLlmResponse} response
 * @param {readonly ToolCall[]} toolCalls
 * @param {readonly ReadResult[]} results
 * @returns {Json[]}
 */
export function geminiContents(response, toolCalls, results) {
  const text = textOf(response);
  const own = partsOf(response);
  const callOf = matcher(response, toolCalls);
  /**
   * The id of each part's call, even if the part isn't sent back.
   *
   * @type {Map<Json, string | undefined>}
   */
  const ids = new Map();
  for (const part of own ?? []) if (isCall(part)) ids.set(part, callOf(part.functionCall)?.id);
  const wanted = (/** @type {Json} */ part) => toolCalls.find(({ id }) => id === ids.get(part));
  // An empty part is sent back for its signature.
  const isEmpty = (/** @type {Json} */ part) => part.text === "" && part.thoughtSignature === undefined;
  const kept = withText(own ?? [{ text }], isText, text, { text })
    .filter((part) => part !== undefined)
    .filter((part) => (isCall(part) ? wanted(part) : !isEmpty(part)));
  const answered = new Set(kept.map((part) => ids.get(part)));
  const missing = toolCalls.filter(({ id }) => !answered.has(id));
  const parts = [
    ...kept.map((part) => {
      const call = wanted(part);
      return isCall(part) && call ? acceptedPart(part, call) : part;
    }),
    ...missing.map((call) => ({ functionCall: { name: call.name, args: inputOf(call) } })),
  ];
  /** @type {Json[]} */
  const contents = parts.length > 0 ? [{ role: "model", parts }] : [];
  if (toolCalls.length === 0) return contents;
  /** The ids that the provider sent. */
  const sent = new Map(kept.map((part) => [ids.get(part), isCall(part) ? part.functionCall.id : undefined]));
  const responses = toolCalls.map(({ id, name }, index) => ({
    functionResponse: { ...given("id", sent.get(id)), name, ...responseOf(/** @type {ReadResult} */ (results[index])) },
  }));
  return [...contents, { role: "user", parts: responses }];
}

/**
 * Defines one tool with one function. The runner joins them, because Vertex AI accepts only one tool with functions.
 *
 * @param {Definition} definition
 * @returns {Json}
 */
export function geminiDefinition({ name, description, parameters }) {
  return { functionDeclarations: [{ name, ...given("description", description), parametersJsonSchema: parameters }] };
}

/**
 * Splits a tool into one per function, and one for its other members, such as `googleSearch`.
 *
 * @param {Json} tool
 * @returns {Json[]}
 */
export function splitGeminiTool(tool) {
  // Gemini reads names in both spellings.
  const { function_declarations, functionDeclarations = function_declarations, ...others } = tool ?? {};
  if (!Array.isArray(functionDeclarations)) return [tool];
  const functions = functionDeclarations.map((declaration) => ({ functionDeclarations: [declaration] }));
  return Object.keys(others).length > 0 ? [...functions, others] : functions;
}

/**
 * @param {readonly Json[]} tools
 * @returns {Json[]}
 */
export function joinGeminiTools(tools) {
  const functionDeclarations = tools.flatMap(declarationsOf);
  const others = tools.filter((tool) => declarationsOf(tool).length === 0);
  return functionDeclarations.length > 0 ? [{ functionDeclarations }, ...others] : others;
}

/** @type {(tool: Json) => Json[]} */
const declarationsOf = (tool) => (Array.isArray(tool?.functionDeclarations) ? tool.functionDeclarations : []);

/** @type {(name: string, value: unknown) => Json} */
const given = (name, value) => (value === undefined ? {} : { [name]: value });

/** @param {AnnotatedLlmResponse} response */
const partsOf = ({ apiSpecific }) => (apiSpecific?.api === "gemini" ? /** @type {Json[]} */ (apiSpecific.parts) : undefined);

/** @param {Json} part */
const isText = (part) => typeof part.text === "string" && part.thought !== true;

/** @typedef {Json & { functionCall: Json }} CallPart */

/**
 * @param {Json} part
 * @returns {part is CallPart}
 */
const isCall = (part) => isObject(part.functionCall);

/**
 * Completes a part: the API rejects arguments that aren't an object, and an empty name.
 *
 * @param {CallPart} part
 * @param {ToolCall} call
 * @returns {CallPart}
 */
function acceptedPart(part, call) {
  const { name, args } = part.functionCall;
  if (name && isObject(args)) return part;
  return {
    ...part,
    functionCall: { ...part.functionCall, name: name || call.name, args: isObject(args) ? args : inputOf(call) },
  };
}

/**
 * Returns a function that maps the call of a part to the call of the answer. Call it in the order of the parts: Gemini
 * may omit ids, and calls to the same tool are then matched by order.
 *
 * @param {AnnotatedLlmResponse} response
 * @param {readonly ToolCall[]} toolCalls
 */
function matcher(response, toolCalls) {
  const left = [...new Map([...(response.toolCalls ?? []), ...toolCalls].map((call) => [call.id, call])).values()];
  return (/** @type {Json} */ { id, name }) => {
    const isOf = (/** @type {{ id: string, name: string }} */ call) => (id === undefined ? call.name === name : call.id === id);
    // If a model used an id twice, respool gave the second call another one.
    const found = left.find(isOf) ?? left.find((call) => call.id.replace(/_\d+$/, "") === id);
    return found && left.splice(left.indexOf(found), 1)[0];
  };
}

/**
 * Returns the result as an object: the tool's own, or one with its `output` or `error`. Images and audio are parts
 * beside it.
 *
 * @param {ReadResult} result
 * @returns {Json}
 */
function responseOf(result) {
  const media = result.parts.filter(isMedia).map(({ mimeType, data }) => ({ inlineData: { mimeType, data } }));
  return { response: objectOf(result), ...(media.length > 0 && { parts: media }) };
}

/** @param {ReadResult} result */
function objectOf(result) {
  if (result.isError) return { error: resultText(result, true) };
  if (result.value !== undefined) {
    const value = jsonOf(result.value);
    return isObject(value) ? value : { output: value };
  }
  const outputs = result.parts.filter((part) => !isMedia(part)).map((part) => (part.type === "text" ? part.text : part));
  if (outputs.length === 0) return {};
  return { output: outputs.length === 1 ? outputs[0] : outputs };
}

/**
 * @param {Part} part
 * @returns {part is Part & { data: string, mimeType: string }}
 */
const isMedia = (part) => "data" in part && typeof part.data === "string" && typeof part.mimeType === "string";
