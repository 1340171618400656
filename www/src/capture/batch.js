// Batch result files: JSON lines with a response body in each.
import { beginsBatch, bodyInEnvelope, isBody, isEnvelope } from "../../../js/batch_lines.js";
import { parseJson } from "./values.js";

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
  if (Array.isArray(whole)) {
    const isBatch = whole.length > 1 && beginsBatch(whole[0]);
    return isBatch ? entriesOf(whole.map((item) => JSON.stringify(item))) : undefined;
  }
  if (whole !== undefined) return isEnvelope(whole) ? entriesOf([text]) : undefined;
  const lines = text.split("\n");
  const first = parseJson(lines.find(isFull) ?? "");
  return isEnvelope(first) || isBody(first) ? entriesOf(lines) : undefined;
}

/** @param {string} line */
const isFull = (line) => line.trim() !== "";

/** @param {string[]} lines */
const entriesOf = (lines) => lines.flatMap((line, index) => (isFull(line) ? [entryOf(line, index + 1)] : []));

/** The id of a request. Gemini's name for it may be anywhere inside the body, too. */
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
      const body = bodyInEnvelope(parseJson(line));
      return [{ bytes: encoder.encode(body === undefined ? line : JSON.stringify(body)) }];
    },
  };
}
