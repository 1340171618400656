/** What messages are made of: the text of an answer, and the arguments of its calls. */

/** All the text of an answer. */
export function textOf({ message }) {
  if (!Array.isArray(message)) return message ?? "";
  return message.map((part) => (part.type === "text" ? part.text : "")).join("");
}

/** The arguments of a call as an object; undefined where they are none. */
function objectOf({ arguments: text }) {
  try {
    const value = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** The arguments of a call as an object; an empty one where they are none. */
export const inputOf = (call) => objectOf(call) ?? {};

/** The arguments as they came; where they are no JSON object, which many servers do not take back, an empty one. */
export const argumentsOf = (call) => (objectOf(call) ? call.arguments : "{}");

/**
 * The blocks or items, but for what was found in their text, as calls and reasoning: then `whole`, which has what is left,
 * stands where the first text did, and undefined where the others did. `isText` tells which of them are text.
 */
export function withText(list, isText, text, whole) {
  const texts = list.filter(isText);
  if (texts.map(writtenIn).join("") === text) return list;
  return list.map((item) => (item === texts[0] ? whole : isText(item) ? undefined : item));
}

/** All the text of a block, or of the parts of an item. */
const writtenIn = ({ text, content }) =>
  text ??
  [content]
    .flat()
    .map((part) => part?.text ?? "")
    .join("");

/**
 * Tells which call a block or item is, by its id; undefined for one that is none. It is asked in their order: where a
 * model has used an id twice, the second call has another one.
 */
export function callIds(response, toolCalls) {
  const left = [...new Set([...(response.toolCalls ?? []), ...toolCalls].map(({ id }) => id))];
  return (id) => {
    const same = left.includes(id) ? id : left.find((other) => other.replace(/_\d+$/, "") === id);
    return same && left.splice(left.indexOf(same), 1)[0];
  };
}

/** Whether the arguments of a call need not be an object: it is a custom tool's, or one that the interface defines. */
export function isFreeForm(response, id) {
  const { apiSpecific } = response;
  const callId = callIds(response, []);
  const item = apiSpecific?.outputItems?.find((found) => callId(found.call_id ?? found.id) === id);
  const extra = apiSpecific?.choices?.find?.(({ index }) => index === 0)?.toolCalls?.[id];
  return item ? item.type !== "function_call" : extra?.type === "custom";
}
