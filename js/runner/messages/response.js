/** What messages are made of: the text of an answer, and the arguments of its calls. */

/** All the text of an answer. */
export function textOf({ message }) {
  if (!Array.isArray(message)) return message ?? "";
  return message.map((part) => (part.type === "text" ? part.text : "")).join("");
}

/** The arguments of a call as an object; an empty one where they are none. */
export function inputOf(call) {
  try {
    const input = JSON.parse(call.arguments);
    return typeof input === "object" && input !== null && !Array.isArray(input) ? input : {};
  } catch {
    return {};
  }
}

/** The arguments as they came; where they are no JSON object, which many servers do not take back, an empty one. */
export function argumentsOf(call) {
  return /^\s*\{/.test(call.arguments) && isJson(call.arguments) ? call.arguments : "{}";
}

function isJson(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Whether the arguments of a call need not be an object: it is a custom tool's, or one that the interface defines. */
export function isFreeForm({ apiSpecific }, id) {
  const item = apiSpecific?.outputItems?.find((found) => (found.call_id ?? found.id) === id);
  const extra = apiSpecific?.choices?.find?.(({ index }) => index === 0)?.toolCalls?.[id];
  return item ? item.type !== "function_call" : extra?.type === "custom";
}
