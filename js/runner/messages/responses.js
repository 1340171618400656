/** Responses: the items of the answer, and an output item for each call. */

import { imageUrl, isImage, resultText } from "../tool_result.js";
import { callIds, textOf } from "./response.js";

const idOf = (item) => item.call_id ?? item.id;

export function responsesItems(response, toolCalls, results) {
  const callId = callIds(response, toolCalls);
  const entries = (response.apiSpecific?.outputItems ?? textItems(response)).map((item) => ({ item, id: callId(idOf(item)) }));
  const isWanted = (id) => toolCalls.some((call) => call.id === id);
  const isLeftOut = ({ id }) => id !== undefined && !isWanted(id);
  const itemOf = ({ id }) => withId(entries.find((entry) => entry.id === id)?.item, id);
  const found = toolCalls.filter(({ id }) => entries.every((entry) => entry.id !== id)).map(callItem);
  const kept = entries
    .filter((entry, at) => !isLeftOut(entry) && (entry.item.type !== "reasoning" || found.length > 0 || leadsOn(entries.slice(at), isLeftOut)))
    .map(({ item, id }) => (id === undefined ? item : withId(item, id)));
  // Calls that were found in the text stand beside what is left of it.
  const said = found.length > 0 ? [...kept.filter(({ role }) => role !== "assistant"), ...textItems(response), ...found] : kept;
  return [...said, ...toolCalls.map((call, at) => outputOf(itemOf(call) ?? callItem(call), results[at]))];
}

/** Whether reasoning, the first of these, led to anything that is told: the interface refuses it without that. */
function leadsOn(entries, isLeftOut) {
  const isReasoning = ({ item }) => item.type === "reasoning";
  const from = entries.findIndex((entry) => !isReasoning(entry));
  if (from < 0) return false;
  const next = entries.findIndex((entry, at) => at > from && isReasoning(entry));
  return entries.slice(from, next < 0 ? undefined : next).some((entry) => !isLeftOut(entry));
}

/** An item under the id of its call, which is another one where a model has used an id twice. */
function withId(item, id) {
  if (item === undefined || idOf(item) === id) return item;
  return item.call_id === undefined ? { ...item, id } : { ...item, call_id: id };
}

/** The text by itself. */
function textItems(response) {
  const text = textOf(response);
  return text ? [{ role: "assistant", content: text }] : [];
}

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
  if (result.isError || result.parts.every((part) => part.type === "text") && result.parts.length < 2) return resultText(result, false);
  return result.parts.map((part) => {
    if (part.type === "text") return { type: "input_text", text: part.text };
    return isImage(part) ? { type: "input_image", detail: "auto", image_url: imageUrl(part) } : part;
  });
}
