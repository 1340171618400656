/** Responses: the items of the answer, and one output item per call. */

/** @import { AnnotatedLlmResponse, ToolCall } from "../../types/api.js" */
/** @import { ReadResult } from "../tool_result.js" */
/** @import { Definition, Json } from "./response.js" */

import { imageUrl, isImage, jsonOf, resultText } from "../tool_result.js";
import { acceptedName } from "./accepted_names.js";
import { callIds, isObject, itemId, outputItems, textOf, withText } from "./response.js";
import { asInput, isInput } from "./responses_input.js";

/** Whether an item is a call that the API accepts only with a `call_id` and an output. @param {Json} item */
const isToolCall = ({ type }) => type === "function_call" || type === "custom_tool_call";

/** @param {Json} item LiteLLM's reasoning has a role, too */
const isText = ({ role, type, agent }) =>
  role === "assistant" && (type === undefined || type === "message") && !isOfSubagent(agent);

/** Whether an agent was started by the model, so that its text isn't for the user. @param {unknown} agent */
const isOfSubagent = (agent) => isObject(agent) && `${agent.agent_name}`.startsWith("/root/");

/**
 * @param {AnnotatedLlmResponse} response
 * @param {readonly ToolCall[]} toolCalls
 * @param {readonly ReadResult[]} results
 * @returns {Json[]}
 */
export function responsesItems(response, toolCalls, results) {
  const callId = callIds(response, toolCalls);
  const text = textOf(response);
  const entries = (outputItems(response) ?? [textItem(text)]).map((item) => {
    const id = callId(itemId(item));
    if (id === undefined) return { id, item };
    const name = item.call_id || isToolCall(item) ? "call_id" : "id";
    const call = toolCalls.find((other) => other.id === id);
    const isFunction = call && item.type === "function_call";
    return {
      id,
      item: { ...item, [name]: id, ...given(item), ...(isFunction && { arguments: writtenArguments(item, call) }) },
    };
  });
  const itemOf = (/** @type {ToolCall} */ call) => entries.find(({ id }) => id === call.id)?.item;
  const missing = toolCalls.filter((call) => !itemOf(call)).map(callItem);
  const items = entries.map(({ item }) => asInput(item));
  const answered = withText(items, isText, text, textItem(text));
  /**
   * @param {Json | undefined} item
   * @param {string | undefined} id
   * @returns {item is Json}
   */
  const isSentBack = (item, id) =>
    item !== undefined &&
    item.content !== "" &&
    isInput(item) &&
    (id === undefined ? !isToolCall(item) : toolCalls.some((call) => call.id === id));
  /** @type {Json[]} */
  const kept = [];
  // The API rejects reasoning without the item that followed it.
  let hasNext = missing.length > 0;
  for (const [index, item] of [...answered.entries()].reverse()) {
    if (!isSentBack(item, entries[index]?.id)) hasNext &&= kept[0]?.type !== "reasoning";
    else {
      hasNext ||= item.type !== "reasoning";
      if (hasNext) kept.unshift(item);
    }
  }
  const outputs = toolCalls.map((call, index) =>
    outputOf(itemOf(call) ?? callItem(call), /** @type {ReadResult} */ (results[index])),
  );
  const notes = toolCalls.flatMap((call, index) => noteOf(itemOf(call), /** @type {ReadResult} */ (results[index])));
  return [...kept, ...missing, ...notes, ...outputs];
}

/**
 * Returns a definition with an explicit `strict`: Responses makes every property required unless it is false.
 *
 * @param {Definition} definition
 * @returns {Json}
 */
export function responsesDefinition({ name, description, parameters, isStrict }) {
  return { type: "function", name, ...(description !== undefined && { description }), parameters, strict: isStrict };
}

/**
 * @param {string} text
 * @returns {Json}
 */
const textItem = (text) => ({ role: "assistant", content: text });

/**
 * @param {ToolCall} call
 * @returns {Json}
 */
const callItem = ({ id, name, arguments: text }) => ({
  ...{ type: "function_call", call_id: id, name: acceptedName("openai-responses", name) },
  arguments: text,
});

/**
 * Returns the arguments of a call; those of the item if they have the same value, since values have lost digits of large
 * numbers.
 *
 * @param {Json} item
 * @param {ToolCall} call
 */
function writtenArguments({ arguments: own }, { arguments: text }) {
  try {
    return JSON.stringify(JSON.parse(/** @type {string} */ (own))) === JSON.stringify(JSON.parse(text)) ? own : text;
  } catch {
    return text;
  }
}

/** Returns the name of a call's item, if its type has one. @param {Json} item */
const given = ({ name }) => name !== undefined && { name: acceptedName("openai-responses", name) };

/** @param {number} code */
const exit = (code) => ({ type: "exit", exit_code: code });

/**
 * Reads the output of a command, under the names that Node's own functions use.
 *
 * @param {unknown} value
 */
function shellOutput(value) {
  if (!isObject(value) || (value.stdout === undefined && value.stderr === undefined)) return undefined;
  const { stdout = "", stderr = "", exit_code: code = 0, outcome = exit(Number(code)) } = value;
  return { stdout, stderr, outcome };
}

/** @type {(image_url: string) => Json} */
const screenshot = (image_url) => ({ type: "computer_screenshot", image_url });

/** A black picture: the API accepts no call of a computer without a screenshot, even if the tool has failed. */
const BLANK =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAQAAAAEAAQAAAAB0CZXLAAAAH0lEQVR42u3BAQ0AAADCoPdPbQ43oAAAAAAAAAAAvg0hAAABYOSdlwAAAABJRU5ErkJggg==";

/** @param {ReadResult} result */
function fieldsOf({ value }) {
  const own = jsonOf(value);
  return isObject(own) ? own : {};
}

/**
 * Returns the screenshot in the result of a computer: a field or an object of the API's form, an image, or its URL.
 *
 * @param {ReadResult} result
 * @returns {Json | undefined}
 */
function screenshotIn(result) {
  const { acknowledged_safety_checks: _, ...own } = fieldsOf(result);
  if (isObject(own.output)) return own.output;
  if (own.type === "computer_screenshot") return own;
  const image = result.parts.find(isImage);
  const text = resultText(result, true);
  if (image) return screenshot(imageUrl(image));
  return /^(https?:|data:image\/)/.test(text) ? screenshot(text) : undefined;
}

/**
 * Returns a message with what a computer's result says in place of a screenshot.
 *
 * @param {Json | undefined} item
 * @param {ReadResult} result
 * @returns {Json[]}
 */
function noteOf(item, result) {
  if (item === undefined || callTypeOf(item) !== "computer_call" || screenshotIn(result)) return [];
  return [{ role: "user", content: resultText(result, false) || "The tool returned no screenshot" }];
}

/** Returns the type of a call's item. OpenRouter's own items have outputs like OpenAI's. @param {Json} item */
const callTypeOf = ({ type }) => String(type).replace(/^openrouter:(.+)/, "$1_call");

/**
 * The fields of each special output item, besides its type and id, from the text of the result, the result, and the
 * call's item. If a tool returns an object with such fields, these take precedence, so list every field that a tool may
 * set.
 *
 * @type {Record<string, (text: string, result: ReadResult, item: Json) => Json>}
 */
const OUTPUTS = {
  local_shell_call: (output, _result, item) => ({ call_id: undefined, id: itemId(item), output }),
  shell_call: (text, { isError, value }, { action }) => ({
    output: [
      shellOutput(jsonOf(value)) ?? { stdout: isError ? "" : text, stderr: isError ? text : "", outcome: exit(Number(isError)) },
    ],
    max_output_length: /** @type {Json | undefined} */ (action)?.max_output_length,
  }),
  apply_patch_call: (output, { isError }) => ({ status: isError ? "failed" : "completed", output }),
  computer_call: (_text, result) => {
    const { acknowledged_safety_checks } = fieldsOf(result);
    return { output: screenshotIn(result) ?? screenshot(BLANK), acknowledged_safety_checks };
  },
  tool_search_call: () => ({ execution: "client", tools: [] }),
};

/**
 * @param {Json} item
 * @param {ReadResult} result
 * @returns {Json}
 */
function outputOf(item, result) {
  const callType = callTypeOf(item);
  const type = callType === "tool_search_call" ? "tool_search_output" : `${callType}_output`;
  const output = { type, call_id: itemId(item), ...(item.caller !== undefined && { caller: item.caller }) };
  const special = Object.hasOwn(OUTPUTS, callType) ? OUTPUTS[callType] : undefined;
  if (!special) return { ...output, output: contentOf(result) };
  const members = special(resultText(result, callType !== "local_shell_call"), result, item);
  const value = jsonOf(result.value);
  const own = Object.entries(isObject(value) ? value : {}).filter(([name]) => Object.hasOwn(members, name));
  return { ...output, ...members, ...Object.fromEntries(own) };
}

/**
 * Returns the output of a function: text, or parts if there are several or other types.
 *
 * @param {ReadResult} result
 */
function contentOf(result) {
  const others = result.parts.filter(({ type }) => type !== "text");
  if (others.length === 0 && (result.isError || result.parts.length < 2)) return resultText(result, false);
  const parts = result.isError ? [{ type: "text", text: resultText(result, false) }, ...others] : result.parts;
  return parts.map((part) => {
    if (part.type === "text") return { type: "input_text", text: part.text };
    return isImage(part) ? { type: "input_image", detail: "auto", image_url: imageUrl(part) } : part;
  });
}
