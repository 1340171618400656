/** Responses: the items of the answer, and an output item for each call. */

import { imageUrl, isImage, resultText } from "../tool_result.js";
import { callIds, textOf, withText } from "./response.js";

const idOf = (item) => item.call_id ?? item.id;

export function responsesItems(response, toolCalls, results) {
  const callId = callIds(response, toolCalls);
  const text = textOf(response);
  const entries = (response.apiSpecific?.outputItems ?? [textItem(text)]).map((item) => {
    const id = callId(idOf(item));
    return { id, item: id === undefined ? item : { ...item, [item.call_id ? "call_id" : "id"]: id } };
  });
  const itemOf = (call) => entries.find(({ id }) => id === call.id)?.item;
  const found = toolCalls.filter((call) => !itemOf(call)).map(callItem);
  const said = withText(
    entries.map(({ item }) => item),
    ({ role }) => role === "assistant",
    text,
    textItem(text),
  );
  const isLeftOut = (item, id) => !item || item.content === "" || (id !== undefined && toolCalls.every((call) => call.id !== id));
  const kept = [];
  // The interface refuses reasoning without the item that it led to.
  let hasNext = found.length > 0;
  for (const [at, item] of [...said.entries()].reverse()) {
    if (isLeftOut(item, entries[at].id)) hasNext &&= kept[0]?.type !== "reasoning";
    else if ((hasNext ||= item.type !== "reasoning")) kept.unshift(item);
  }
  return [...kept, ...found, ...toolCalls.map((call, at) => outputOf(itemOf(call) ?? callItem(call), results[at]))];
}

/** The text by itself. */
const textItem = (text) => ({ role: "assistant", content: text });

const callItem = ({ id, name, arguments: text }) => ({ type: "function_call", call_id: id, name, arguments: text });

/**
 * What each kind of call is answered with, besides its type and id: from the text of the result, and the result. Where
 * a tool gives an object, its members are those of the item.
 */
const OUTPUTS = {
  local_shell_call: (output, _result, item) => ({ call_id: undefined, id: idOf(item), output }),
  shell_call: (text, { isError }, { action }) => ({
    output: [{ stdout: isError ? "" : text, stderr: isError ? text : "", outcome: { type: "exit", exit_code: Number(isError) } }],
    max_output_length: action?.max_output_length,
  }),
  apply_patch_call: (output, { isError }) => ({ status: isError ? "failed" : "completed", output }),
  computer_call: (text, { parts }) => {
    const image = parts.find(isImage);
    return { output: { type: "computer_screenshot", image_url: image ? imageUrl(image) : text } };
  },
  tool_search_call: () => ({ execution: "client", tools: [] }),
};

function outputOf(item, result) {
  const type = item.type === "tool_search_call" ? "tool_search_output" : `${item.type}_output`;
  const output = { type, call_id: idOf(item) };
  const special = Object.hasOwn(OUTPUTS, item.type) && OUTPUTS[item.type];
  if (!special) return { ...output, output: contentOf(result) };
  const members = typeof result.value === "object" && !Array.isArray(result.value) ? result.value : undefined;
  return { ...output, ...special(resultText(result, item.type !== "local_shell_call"), result, item), ...members };
}

/** The output of a function: text, or parts where there are several or other ones. */
function contentOf(result) {
  if (result.isError || (result.parts.every((part) => part.type === "text") && result.parts.length < 2))
    return resultText(result, false);
  return result.parts.map((part) => {
    if (part.type === "text") return { type: "input_text", text: part.text };
    return isImage(part) ? { type: "input_image", detail: "auto", image_url: imageUrl(part) } : part;
  });
}
