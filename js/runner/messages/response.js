/** What messages are made from: the text of an answer, and the arguments of its calls. */

/** @import { AnnotatedLlmResponse, ToolCall } from "../../types/api.js" */

/** @typedef {Record<string, unknown>} Json any JSON object of a provider */

/**
 * A tool, for its definition in the form of an interface.
 *
 * @typedef {object} Definition
 * @property {string} name
 * @property {string | undefined} description
 * @property {Record<string, unknown>} parameters a JSON Schema
 * @property {boolean} isStrict
 */

/**
 * The text of an answer.
 *
 * @param {AnnotatedLlmResponse} response
 */
export function textOf({ message }) {
  if (!Array.isArray(message)) return message ?? "";
  return message.map((part) => (part.type === "text" ? part.text : "")).join("");
}

/**
 * The arguments of a call; undefined if they aren't a JSON object.
 *
 * @param {ToolCall} call
 */
function objectOf({ arguments: text }) {
  try {
    const value = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * @param {unknown} value
 * @returns {value is Json}
 */
export const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * The arguments of a call as an object, which is empty if they aren't one.
 *
 * @param {ToolCall} call
 */
export const inputOf = (call) => objectOf(call) ?? {};

/**
 * The arguments as they came, or `{}` if they aren't a JSON object: many servers reject anything else.
 *
 * @param {ToolCall} call
 */
export const argumentsOf = (call) => (objectOf(call) ? call.arguments : "{}");

/**
 * Replaces text from which calls or reasoning were extracted: `rest` takes the place of the first text, and undefined
 * that of the others. If nothing was extracted, the list is returned as it is.
 *
 * @param {Json[]} list blocks or items
 * @param {(item: Json) => boolean} isText
 * @param {string} text the text of the answer, without what was extracted
 * @param {Json} rest a block or item with that text
 * @returns {(Json | undefined)[]}
 */
export function withText(list, isText, text, rest) {
  const texts = list.filter(isText);
  if (texts.map(writtenIn).join("") === text) return list;
  return list.map((item) => (item === texts[0] ? rest : isText(item) ? undefined : item));
}

/**
 * The text of a block, or of the parts of an item.
 *
 * @param {Json} item
 */
const writtenIn = ({ text, content }) =>
  text ??
  [content]
    .flat()
    .map((part) => /** @type {{ text?: string } | undefined} */ (part)?.text ?? "")
    .join("");

/**
 * A list without the blocks at its end that are reasoning: an assistant message can't end in them.
 *
 * @template T
 * @param {T[]} blocks
 * @param {(block: T) => boolean} isReasoning
 */
export const withoutReasoningAtEnd = (blocks, isReasoning) =>
  blocks.slice(0, blocks.findLastIndex((block) => !isReasoning(block)) + 1);

/**
 * Maps the id of each block or item to the id of its call, or undefined if it isn't one. Call it in the order of the
 * blocks: if a model used an id twice, the second call has another one.
 *
 * @param {AnnotatedLlmResponse} response
 * @param {readonly ToolCall[]} toolCalls
 */
export function callIds(response, toolCalls) {
  const left = [...new Set([...(response.toolCalls ?? []), ...toolCalls].map(({ id }) => id))];
  return (/** @type {unknown} */ id) => {
    const found = left.find((other) => other === id) ?? left.find((other) => other.replace(/_\d+$/, "") === id);
    return found && left.splice(left.indexOf(found), 1)[0];
  };
}

/**
 * Whether the arguments of a call may be anything but an object: it calls a custom tool, or one that the interface defines.
 *
 * @param {AnnotatedLlmResponse} response
 * @param {string} id
 */
export function isFreeForm(response, id) {
  const item = itemOfCall(response, id);
  return item ? item.type !== "function_call" : firstChoice(response)?.toolCalls?.[id]?.type === "custom";
}

/**
 * The item of a Responses answer that is the call with this id.
 *
 * @param {AnnotatedLlmResponse} response
 * @param {string} id
 */
export function itemOfCall(response, id) {
  const callId = callIds(response, []);
  return outputItems(response)?.find((item) => callId(itemId(item)) === id);
}

/**
 * The id of the call that an item of Responses is.
 *
 * @param {Json} item
 */
export const itemId = (item) => item.call_id || item.id;

/**
 * The items of a Responses answer.
 *
 * @param {AnnotatedLlmResponse} response
 */
export function outputItems({ apiSpecific }) {
  return /** @type {{ outputItems?: Json[] } | undefined} */ (apiSpecific)?.outputItems;
}

/**
 * What the first choice of a chat completion has besides the common fields. An only one may have any index.
 *
 * @param {AnnotatedLlmResponse} response
 */
export function firstChoice({ apiSpecific, choices: all }) {
  const { choices } = /** @type {{ choices?: ChoiceExtras[] }} */ (apiSpecific ?? {});
  return choices?.find?.(({ index }) => all === undefined || index === all[0]?.index);
}

/**
 * @typedef {object} ChoiceExtras
 * @property {number} index
 * @property {Json} [message]
 * @property {string} [reasoningField] the member with the reasoning, if it isn't `reasoning_content`
 * @property {Record<string, Json>} [toolCalls]
 */
