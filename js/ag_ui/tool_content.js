/** Converts tool results to the content of AG-UI's tool messages. */

/** @import { AgUiContent, AgUiContentPart } from "../types/ag_ui.js" */

import { readResult, toJson } from "../runner/tool_result.js";

/**
 * Converts a result: text stays text, and the parts of a result in MCP's form become parts. Everything else is sent as
 * JSON.
 *
 * @param {unknown} result
 * @returns {{ content: AgUiContent, isError: boolean }}
 */
export function toolContent(result) {
  const { parts, isError } = readResult(result);
  const read = parts.map(partOf);
  return { content: read.every((part) => part !== undefined) ? contentOf(read) : toJson(result), isError };
}

/**
 * Joins parts that are all text into a string, which every client reads.
 *
 * @param {AgUiContentPart[]} parts
 * @returns {AgUiContent}
 */
const contentOf = (parts) => (parts.every((part) => part.type === "text") ? parts.map((part) => part.text).join("") : parts);

/**
 * @param {unknown} value
 * @returns {AgUiContentPart | undefined}
 */
function partOf(value) {
  const { type, text, data, mimeType } = /** @type {Record<string, unknown>} */ (value ?? {});
  if (type === "text" && typeof text === "string") return { type, text };
  const isMedia = (type === "image" || type === "audio") && typeof data === "string" && typeof mimeType === "string";
  return isMedia ? { type, source: { type: "data", value: data, mimeType } } : undefined;
}
