/** The results of tools as the content of AG-UI's tool messages. */

/** @import { AgUiContent, AgUiContentPart } from "../types/ag_ui.js" */

import { toJson } from "../runner/tool_result.js";

/**
 * Text stays text, and the parts of a result in MCP's form become parts. Everything else is sent as JSON.
 *
 * @param {unknown} result
 * @returns {{ content: AgUiContent, isError: boolean }}
 */
export function toolContent(result) {
  if (typeof result === "string") return { content: result, isError: false };
  const { content, isError } = /** @type {{ content?: unknown, isError?: unknown }} */ (result ?? {});
  const parts = Array.isArray(content) ? content.map(partOf) : [];
  const isReadable = parts.length > 0 && parts.every((part) => part !== undefined);
  return { content: isReadable ? contentOf(parts) : toJson(result), isError: isReadable && isError === true };
}

/**
 * Text alone is a string, which every client reads.
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
