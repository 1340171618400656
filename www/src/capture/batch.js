// Batch result files: JSON lines with a response body in each.
import { decode } from "respool";
import { bodyInEnvelope, isBatchArray, isBatchWithText, isBody, isEnvelope } from "../../../js/batch_lines.js";
import { ItemLines } from "../../../js/item_lines.js";
import { isFailureStatus } from "./exchange.js";
import { messageOf, parseJson } from "./values.js";

/** @import { Entry } from "./capture.js" */

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * Returns the responses in a batch result file, or undefined if it isn't one.
 *
 * @param {string} text
 * @param {unknown} whole the text parsed as one JSON value, or undefined if it isn't one
 * @returns {Entry[] | undefined}
 */
export function entriesOfBatch(text, whole) {
  if (Array.isArray(whole)) {
    return isBatchArray(whole[0], whole.length) ? entriesOf(whole.map((item) => JSON.stringify(item))) : undefined;
  }
  if (whole !== undefined) return isEnvelope(whole) ? entriesOf([text]) : undefined;
  const lines = text.split("\n");
  const start = lines.findIndex(isFull);
  const first = parseJson(lines[start] ?? "");
  if (first === undefined) return text.trimStart().startsWith("[") ? entriesOfArray(text) : entriesOfSequence(text);
  if (isEnvelope(first) || isBatchWithText(first)) return entriesOf(lines);
  const isMany = lines.some((line, at) => at > start && line.trimStart().startsWith("{"));
  return isMany && isBody(first) ? entriesOf(lines) : undefined;
}

/** Returns the items of an array that was cut off. @param {string} text */
function entriesOfArray(text) {
  const { lines, count } = linesIn(text, "array");
  return isBatchArray(parseJson(lines[0] ?? ""), count) ? entriesOf(lines) : undefined;
}

/** Returns consecutive bodies, each on one line or on several. @param {string} text */
function entriesOfSequence(text) {
  const { lines, count } = linesIn(text, "sequence");
  const first = parseJson(lines[0] ?? "");
  const isMany = count > 1 && (isEnvelope(first) || isBody(first));
  return isMany || isBatchWithText(first) ? entriesOf(lines) : undefined;
}

/** Splits the items of an array or a sequence into lines. @param {string} text @param {"array" | "sequence"} form */
function linesIn(text, form) {
  const items = new ItemLines(form);
  const lines = decoder.decode(items.push(encoder.encode(text))).split("\n");
  return { lines, count: items.count };
}

/** @param {string} line */
const isFull = (line) => line.trim() !== "";

/** @param {string[]} lines */
const entriesOf = (lines) => lines.flatMap((line, index) => (isFull(line) ? [entryOf(line, index + 1)] : []));

/** Matches the id of a request. Gemini's name for it, `key`, may also occur anywhere in a body. */
const ID = /(?:"(?:custom_id|recordId)"|^\s*\{\s*"key")\s*:\s*"((?:[^"\\]|\\.)*)"/;

/**
 * @param {string} line
 * @param {number} number
 * @returns {Entry}
 */
function entryOf(line, number) {
  // A large file is parsed line by line, when a line is opened.
  const id = ID.exec(line)?.[1];
  return {
    name: id === undefined ? `line ${number}` : `line ${number} · ${id}`,
    get chunks() {
      const value = parseJson(line);
      const body = bodyInEnvelope(value);
      if (body !== undefined) return [{ bytes: encoder.encode(JSON.stringify(body)) }];
      return noResponseOf(value) === undefined ? [{ bytes: encoder.encode(line) }] : [];
    },
    get exchange() {
      return exchangeOf(parseJson(line));
    },
  };
}

/**
 * Returns the data of a line besides the body: a status that isn't a success, or why there is no response.
 *
 * @param {any} value
 */
function exchangeOf(value) {
  const status = value?.response?.status_code;
  const response = { status, statusText: "", headers: [] };
  if (typeof status === "number" && isFailureStatus(response)) return { response };
  const failure = noResponseOf(value);
  return failure === undefined ? undefined : { failure, isBatchLine: true };
}

/** Returns why a line has no response; undefined if it has one, or isn't a line of a batch. @param {unknown} value */
function noResponseOf(value) {
  if (!isEnvelope(value) || bodyInEnvelope(value) !== undefined) return undefined;
  try {
    decode(value);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}
