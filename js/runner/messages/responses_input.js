/** Converts the items of an answer to input items of Responses, which rejects fields that only output items have. */

/** @import { Json } from "./response.js" */

import { isObject } from "./response.js";

/**
 * All fields that the API accepts in input items of types whose output items have more. Only models with subagents send
 * `agent`.
 *
 * @type {Record<string, readonly string[]>}
 */
const INPUT_MEMBERS = {
  compaction: ["type", "id", "encrypted_content", "agent"],
  custom_tool_call_output: ["type", "id", "call_id", "caller", "output", "agent"],
  image_generation_call: ["type", "id", "status", "result", "agent"],
};

/** Fields that the API rejects in all other items and their parts. OpenAI's SDKs add the last two. */
const OUTPUT_ONLY = ["created_by", "parsed", "parsed_arguments"];

/** Fields that the API rejects in reasoning: some backends also reject `status`. */
const REASONING_OUTPUT_ONLY = [...OUTPUT_ONLY, "status"];

/**
 * Whether an item can be sent back. Results of Perplexity's own tools can't, nor tools added by the server.
 *
 * @param {Json} item
 */
export const isInput = ({ type, role }) =>
  type !== "search_results" && type !== "fetch_url_results" && (type !== "additional_tools" || role === "developer");

/**
 * Converts an item to an input item. Messages need a role.
 *
 * @param {Json} item
 * @returns {Json}
 */
export function asInput(item) {
  const { content, output, role } = item;
  const type = String(item.type);
  const outputOnly = type === "reasoning" ? REASONING_OUTPUT_ONLY : OUTPUT_ONLY;
  return {
    ...(Object.hasOwn(INPUT_MEMBERS, type) ? only(item, INPUT_MEMBERS[type]) : without(item, outputOnly)),
    ...(type === "message" && role === undefined && { role: "assistant" }),
    ...(Array.isArray(content) && { content: content.map(partAsInput) }),
    ...(Array.isArray(output) && { output: output.map(partAsInput) }),
  };
}

/** @type {(part: unknown) => unknown} */
const partAsInput = (part) => (isObject(part) ? without(part, OUTPUT_ONLY) : part);

/** @type {(item: Json, names?: readonly string[]) => Json} */
const only = (item, names) => Object.fromEntries(Object.entries(item).filter(([name]) => names?.includes(name)));

/** @type {(item: Json, names: readonly string[]) => Json} */
const without = (item, names) => Object.fromEntries(Object.entries(item).filter(([name]) => !names.includes(name)));
