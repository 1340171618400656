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
 * Tells which call a block or item is, by its id; undefined for one that is none. It is asked in their order: where a
 * model has used an id twice, the second call has another one.
 */
export function callIds(response, toolCalls) {
  const left = [...new Set([...(response.toolCalls ?? []), ...toolCalls].map(({ id }) => id))];
  return (id) => {
    const isOther = (other) => other.startsWith(`${id}_`) && /^\d+$/.test(other.slice(String(id).length + 1));
    const at = left.includes(id) ? left.indexOf(id) : left.findIndex(isOther);
    return at < 0 ? undefined : left.splice(at, 1)[0];
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
