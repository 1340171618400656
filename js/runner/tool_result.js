/** What tools give back. */

import { messageOf } from "../errors.js";

const isParts = (content) => Array.isArray(content) && content.every((part) => typeof part?.type === "string");

/** A value as JSON; a big integer, which has none, as text. Of what else has none, as undefined, there is nothing. */
export const textOf = (value) =>
  JSON.stringify(value, (_, member) => (typeof member === "bigint" ? String(member) : member)) ?? "";

/**
 * A result in one form: its parts, and whether it is an error. `value` is what was given, where it is no text.
 * Several parts, or an error, are told in the form of MCP: `{ content: [{ type: "text", text }, …], isError }`.
 */
export function readResult(given) {
  if (given instanceof Error) return readResult(errorResult(messageOf(given)));
  if (typeof given === "string") return { parts: [{ type: "text", text: given }], isError: false };
  if (isParts(given?.content)) return { parts: given.content, isError: given.isError === true };
  return { parts: [{ type: "text", text: textOf(given) }], isError: false, value: given };
}

/** What a model is told of an error. */
export const errorResult = (message) => ({ content: [{ type: "text", text: message }], isError: true });

/** The text of a result; where the interface has no mark for errors, it says so itself. */
export function resultText({ parts, isError }, hasMark) {
  const text = parts.map((part) => (part.type === "text" ? part.text : "")).join("");
  return isError && !hasMark ? `Error: ${text}` : text;
}

/** The address of an image in the form of MCP. */
export const imageUrl = ({ data, mimeType }) => `data:${mimeType};base64,${data}`;

export const isImage = (part) => part.type === "image" && typeof part.data === "string";
