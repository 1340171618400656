/** Responses: the items of the answer, and an output item for each call. */

import { imageUrl, isImage, resultText } from "../tool_result.js";
import { textOf } from "./response.js";

const idOf = (item) => item.call_id ?? item.id;

export function responsesItems(response, toolCalls, results) {
  const isWanted = (id) => toolCalls.some((call) => call.id === id);
  const isCall = (id) => response.toolCalls?.some((call) => call.id === id);
  const items = response.apiSpecific?.outputItems ?? textItems(response);
  const kept = items.filter((item) => isWanted(idOf(item)) || !isCall(idOf(item)));
  // The interface refuses reasoning without the item that it led to.
  const calls = toolCalls.map((call) => kept.find((item) => idOf(item) === call.id) ?? callItem(call));
  const found = calls.filter((item) => !kept.includes(item));
  while (found.length === 0 && kept.at(-1)?.type === "reasoning") kept.pop();
  // Calls that were found in the text stand beside what is left of it.
  const said = found.length > 0 ? [...kept.filter(({ role }) => role !== "assistant"), ...textItems(response), ...found] : kept;
  return [...said, ...calls.map((item, at) => outputOf(item, results[at]))];
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
