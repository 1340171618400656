// Batch result files: JSON lines with a response body in each.
import { detectApi } from "respool";
import { asArray, asObject, isObject, parseJson } from "./values.js";

/** @import { Entry } from "./capture.js" */

const encoder = new TextEncoder();

/**
 * The responses in a batch result file, or undefined if it isn't one.
 *
 * @param {string} text
 * @param {unknown} whole the text parsed as one JSON value, or undefined if it isn't one
 * @returns {Entry[] | undefined}
 */
export function entriesOfBatch(text, whole) {
  const lines = text.split("\n");
  const first = whole ?? parseJson(lines[0]);
  const isBatch = bodyOf(first) !== undefined || (whole === undefined && isBody(first));
  if (!isBatch) return undefined;
  const texts = whole === undefined ? lines : [text];
  return texts.flatMap((line, index) => (line.trim() === "" ? [] : [entryOf(line, index + 1)]));
}

/**
 * @param {string} line
 * @param {number} number
 * @returns {Entry}
 */
function entryOf(line, number) {
  // A large file is parsed line by line, when a line is opened.
  const id = line.match(/"custom_id"\s*:\s*"((?:[^"\\]|\\.)*)"/)?.[1];
  return {
    name: id === undefined ? `line ${number}` : `line ${number} · ${id}`,
    get chunks() {
      const body = bodyOf(parseJson(line));
      return [{ bytes: encoder.encode(body === undefined ? line : JSON.stringify(body)) }];
    },
  };
}

/**
 * The response body in a line of an OpenAI or Anthropic batch, or of a log.
 *
 * @param {unknown} line
 */
function bodyOf(line) {
  const { type, response, result } = asObject(line);
  if (typeof type === "string") return undefined;
  const { body } = asObject(response);
  if (isObject(body)) return body;
  if (isBody(response)) return response;
  const { message, error } = asObject(result);
  return [message, error].find(isObject);
}

/** @param {unknown} value */
function isBody(value) {
  const { choices, object } = asObject(value);
  const [choice] = asArray(choices);
  const { delta, message } = asObject(choice);
  const isChunk = choice !== undefined && (delta !== undefined || message === undefined);
  if (!isObject(value) || isChunk || isGeminiChunk(value)) return false;
  return object !== "chat.completion.chunk" && detectApi(value) !== undefined;
}

/** A chunk of Gemini has the shape of a body, but nothing says why the answer ended. @param {unknown} value */
function isGeminiChunk(value) {
  const { response, ...own } = asObject(value);
  const candidates = asArray((isObject(response) ? asObject(response) : own).candidates);
  const isOver = (/** @type {unknown} */ candidate) =>
    (asObject(candidate).finishReason ?? asObject(candidate).finish_reason) !== undefined;
  return candidates.length > 0 && !candidates.some(isOver);
}
