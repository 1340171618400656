/** The results that tools return. */

/** @import { ToolContent, ToolResult } from "../types/api.js" */

import { messageOf } from "../errors.js";

/** @typedef {ToolContent["content"][number]} Part */

/**
 * A result in its one internal form.
 *
 * @typedef {object} ReadResult
 * @property {Part[]} parts
 * @property {boolean} isError
 * @property {unknown} [value] the tool's own value if it was neither text nor in parts
 */

/**
 * @param {unknown} content
 * @returns {content is Part[]}
 */
const isParts = (content) => Array.isArray(content) && content.every((part) => typeof part?.type === "string");

/**
 * A value as JSON. BigInts, which JSON lacks, become strings; a value without any JSON becomes `""`.
 *
 * @param {unknown} value
 */
export const toJson = (value) =>
  JSON.stringify(value, (_, member) => (typeof member === "bigint" ? String(member) : member)) ?? "";

/**
 * Several parts, or an error, come in the form of MCP: `{ content: [{ type: "text", text }, …], isError }`.
 *
 * @param {ToolResult} result
 * @returns {ReadResult}
 */
export function readResult(result) {
  if (result instanceof Error) return readResult(errorResult(messageOf(result)));
  if (typeof result === "string") return { parts: [{ type: "text", text: result }], isError: false };
  const { content, isError } = /** @type {Partial<ToolContent>} */ (result ?? {});
  if (isParts(content)) return { parts: content, isError: isError === true };
  return { parts: [{ type: "text", text: toJson(result) }], isError: false, value: result };
}

/**
 * The result that tells the model about an error.
 *
 * @type {(message: string) => ToolContent}
 */
export const errorResult = (message) => ({ content: [{ type: "text", text: message }], isError: true });

/**
 * The text of a result. If the interface can't mark errors, the text itself says so.
 *
 * @param {ReadResult} result
 * @param {boolean} canMarkErrors
 */
export function resultText({ parts, isError }, canMarkErrors) {
  const text = parts.map((part) => (part.type === "text" ? part.text : "")).join("");
  return isError && !canMarkErrors ? `Error: ${text}` : text;
}

/** @typedef {Extract<Part, { data: string }>} ImagePart */

/**
 * The data URL of an image in the form of MCP.
 *
 * @param {ImagePart} image
 */
export const imageUrl = ({ data, mimeType }) => `data:${mimeType};base64,${data}`;

/**
 * @param {Part} part
 * @returns {part is ImagePart}
 */
export const isImage = (part) => part.type === "image" && "data" in part && typeof part.data === "string";
