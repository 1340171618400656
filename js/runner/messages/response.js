/** Reads the parts of a response that messages are built from: the answer's text, and the arguments of its calls. */

/** @import { AnnotatedLlmResponse, ToolCall } from "../../types/api.js" */

/** @typedef {Record<string, unknown>} Json any JSON object of a provider */

/**
 * A tool to be defined in the form of an interface.
 *
 * @typedef {object} Definition
 * @property {string} name
 * @property {string | undefined} description
 * @property {Record<string, unknown>} parameters a JSON Schema
 * @property {boolean} isStrict
 */

/**
 * Returns the text of an answer.
 *
 * @param {AnnotatedLlmResponse} response
 */
export function textOf({ message }) {
  if (!Array.isArray(message)) return message ?? "";
  return message.map((part) => (part.type === "text" ? part.text : "")).join("");
}

/**
 * Returns the arguments of a call; undefined if they aren't a JSON object.
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
 * Returns the arguments of a call as an object, which is empty if they aren't a JSON object.
 *
 * @param {ToolCall} call
 */
export const inputOf = (call) => objectOf(call) ?? {};

/**
 * Returns the arguments unchanged, or `{}` if they aren't a JSON object, because many servers reject anything else.
 *
 * @param {ToolCall} call
 */
export const argumentsOf = (call) => (objectOf(call) ? call.arguments : "{}");

/**
 * Replaces text from which calls or reasoning were extracted: the first text by `rest`, all others by undefined. If
 * nothing was extracted, returns the list itself.
 *
 * @param {Json[]} list blocks or items
 * @param {(item: Json) => boolean} isText
 * @param {string} text text of the answer without the extracted calls and reasoning
 * @param {Json} rest a block or item with that text
 * @returns {(Json | undefined)[]}
 */
export function withText(list, isText, text, rest) {
  const texts = list.filter(isText);
  if (texts.map(writtenIn).join("") === text) return list;
  return list.map((item) => (item === texts[0] ? rest : isText(item) ? undefined : item));
}

/**
 * Returns the text of a block, or of an item's parts.
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
 * Removes the reasoning blocks at the end of a list: an assistant message can't end with reasoning.
 *
 * @template T
 * @param {T[]} blocks
 * @param {(block: T) => boolean} isReasoning
 */
export const withoutReasoningAtEnd = (blocks, isReasoning) =>
  blocks.slice(0, blocks.findLastIndex((block) => !isReasoning(block)) + 1);

/**
 * Returns a function that maps the id of a block or item to the id of its call; undefined if it isn't a call. Call it
 * in the order of the blocks: if a model used an id twice, respool gave the second call another one.
 *
 * @param {AnnotatedLlmResponse} response
 * @param {readonly ToolCall[]} toolCalls
 */
export function callIds(response, toolCalls) {
  const left = new Set([...(response.toolCalls ?? []), ...toolCalls].map(({ id }) => id));
  /**
   * The ids that respool may have given, by the model's id; the first one last.
   *
   * @type {Map<unknown, string[]>}
   */
  const given = new Map();
  for (const id of [...left].reverse()) {
    const original = `${id}`.replace(/_\d+$/, "");
    const ids = given.get(original);
    if (ids) ids.push(id);
    else given.set(original, [id]);
  }
  return (/** @type {unknown} */ id) => {
    if (left.delete(/** @type {string} */ (id))) return /** @type {string} */ (id);
    const ids = given.get(id) ?? [];
    let found = ids.pop();
    while (found !== undefined && !left.delete(found)) found = ids.pop();
    return found;
  };
}

/**
 * Returns the items of the calls in a Responses answer, by the id of the call.
 *
 * @param {AnnotatedLlmResponse} response
 * @returns {Map<string | undefined, Json>}
 */
export function itemsOfCalls(response) {
  const callId = callIds(response, []);
  return new Map(outputItems(response)?.map((item) => [callId(itemId(item)), item]));
}

/**
 * Returns a function that says whether the call with an id may have arguments that aren't an object: a call of a custom
 * tool, or of a tool that the interface defines.
 *
 * @param {AnnotatedLlmResponse} response
 * @returns {(id: string) => boolean}
 */
export function freeFormCalls(response) {
  const items = itemsOfCalls(response);
  const others = firstChoice(response)?.toolCalls;
  return (id) => {
    const item = items.get(id);
    return item ? item.type !== "function_call" : others?.[id]?.type === "custom";
  };
}

/**
 * Returns the call id of a Responses item.
 *
 * @param {Json} item
 */
export const itemId = (item) => item.call_id || item.id;

/**
 * Returns the items of a Responses answer.
 *
 * @param {AnnotatedLlmResponse} response
 */
export function outputItems({ apiSpecific }) {
  return /** @type {{ outputItems?: Json[] } | undefined} */ (apiSpecific)?.outputItems;
}

/**
 * Returns the further fields of a chat completion's first choice. An only choice may have any index.
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
 * @property {string} [reasoningField] name of the field with the reasoning, if it isn't `reasoning_content`
 * @property {Record<string, Json>} [toolCalls]
 */
