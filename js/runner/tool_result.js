/** Converts the results of tools to one internal form. */

/** @import { ToolContent, ToolResult } from "../types/api.js" */
/** @import { Json } from "./messages/response.js" */

import { isA, messageOf } from "../errors.js";

/** @typedef {ToolContent["content"][number]} Part */

/**
 * A result in the internal form.
 *
 * @typedef {object} ReadResult
 * @property {Part[]} parts
 * @property {boolean} isError
 * @property {unknown} [value] the tool's own value, if it is neither text nor parts
 */

/**
 * @param {unknown} content
 * @returns {content is Part[]}
 */
const isParts = (content) => Array.isArray(content) && content.every((part) => typeof part?.type === "string");

/**
 * Writes a value as JSON. BigInts, which JSON lacks, become strings; a value without JSON becomes `""`.
 *
 * @param {unknown} value
 */
export const toJson = (value) =>
  JSON.stringify(value, (_, member) => (typeof member === "bigint" ? String(member) : member)) ?? "";

/**
 * Returns a value as it is after being sent as JSON.
 *
 * @param {unknown} value
 * @returns {unknown}
 */
export const jsonOf = (value) => JSON.parse(toJson(value) || "null");

/** The fields of an MCP result. An object with other fields is the tool's own value, even if it has a `content`. */
const MCP_MEMBERS = ["content", "isError", "structuredContent", "resultType", "_meta"];

/**
 * Reads a result. Several parts, or an error, are in the form of MCP: `{ content: [{ type: "text", text }, …], isError
 * }`.
 * https://modelcontextprotocol.io/specification/2025-06-18/server/tools#tool-result; `resultType` is of 2026-07-28
 *
 * @param {ToolResult} result
 * @returns {ReadResult}
 */
export function readResult(result) {
  if (isA(result, Error)) return readResult(errorResult(messageOf(result)));
  if (typeof result === "string") return { parts: [{ type: "text", text: result }], isError: false };
  const { content, isError, structuredContent } = /** @type {Partial<ToolContent>} */ (result ?? {});
  const isMcp = isParts(content) && Object.keys(/** @type {object} */ (result)).every((name) => MCP_MEMBERS.includes(name));
  if (!isMcp) return { parts: [{ type: "text", text: toJson(result) }], isError: false, value: result };
  if (content.length > 0 || structuredContent === undefined) {
    const parts = content.map(sendable);
    return isError === true ? { parts: explained(parts), isError } : { parts, isError: false };
  }
  return { ...readResult({ content: [{ type: "text", text: toJson(structuredContent) }], isError }), value: structuredContent };
}

/**
 * Returns the parts of an error with a text, which Anthropic requires.
 *
 * @param {Part[]} parts
 * @returns {Part[]}
 */
function explained(parts) {
  if (parts.some((part) => part.type === "text" && `${part.text}`.trim() !== "")) return parts;
  return [{ type: "text", text: "The tool failed without a message" }, ...parts.filter(({ type }) => type !== "text")];
}

/**
 * Removes the metadata of MCP from a text, which Anthropic rejects.
 *
 * @param {Part & { annotations?: unknown, _meta?: unknown }} part
 * @returns {Part}
 */
function withoutMetadata(part) {
  const { annotations: _, _meta: __, ...rest } = part;
  return /** @type {Part} */ (rest);
}

/**
 * Converts a part to a form that interfaces accept: a resource to its text, image or audio, or otherwise to JSON
 * without its bytes; a resource link to JSON. Other parts are returned unchanged.
 *
 * @param {Part} part
 * @returns {Part}
 */
function sendable(part) {
  // `image/jpeg` is the name that all interfaces know.
  if (part.type === "image" && part.mimeType === "image/jpg") return { ...part, mimeType: "image/jpeg" };
  if (part.type === "text") return withoutMetadata(part);
  if (part.type === "resource_link") return { type: "text", text: toJson(part) };
  const { resource } = /** @type {{ resource?: Json }} */ (part);
  if (part.type !== "resource" || typeof resource !== "object" || resource === null) return part;
  const { text, blob, ...rest } = resource;
  if (typeof text === "string") return { type: "text", text };
  const [kind] = String(rest.mimeType).split("/");
  if (typeof blob === "string" && (kind === "image" || kind === "audio")) {
    return sendable({ type: kind, data: blob, mimeType: rest.mimeType });
  }
  return { type: "text", text: toJson({ ...part, resource: rest }) };
}

/**
 * Converts a result for an interface that accepts no audio from tools: each piece of audio becomes a text with its
 * type.
 *
 * @param {ReadResult} result
 * @returns {ReadResult}
 */
export function withoutSound({ parts, ...rest }) {
  const isSound = (/** @type {Part} */ part) => part.type === "audio" && "data" in part;
  const named = (/** @type {Json} */ { data: _, ...part }) => ({ type: "text", text: toJson(part) });
  return { parts: parts.map((part) => (isSound(part) ? named(part) : part)), ...rest };
}

/**
 * Returns the result that reports an error to the model.
 *
 * @type {(message: string) => ToolContent}
 */
export const errorResult = (message) => ({ content: [{ type: "text", text: message }], isError: true });

/**
 * Returns the text of a result, with each part on its own line. If the interface can't mark errors, the text does.
 *
 * @param {ReadResult} result
 * @param {boolean} canMarkErrors
 */
export function resultText({ parts, isError }, canMarkErrors) {
  const text = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
  return isError && !canMarkErrors ? `Error: ${text}` : text;
}

/** @typedef {Extract<Part, { data: string }>} ImagePart */

/**
 * Returns the data URL of an image in the form of MCP.
 *
 * @param {ImagePart} image
 */
export const imageUrl = ({ data, mimeType }) => `data:${mimeType};base64,${data}`;

/**
 * @param {Part} part
 * @returns {part is ImagePart}
 */
export const isImage = (part) => part.type === "image" && "data" in part && typeof part.data === "string";
