// Reads recordings: HAR files, and captures that the inspector saves. Each response in one is an input.

import { responsesOfHar } from "../js/har.js";
import { FORMAT, readSharedCapture } from "../js/shared_capture.js";
import { readAll } from "./input.js";
import { InputError } from "./input_error.js";
import { peek } from "./peek.js";

/**
 * A response as it was recorded.
 *
 * @typedef {object} Recorded
 * @property {string | undefined} [name] that it was recorded under
 * @property {number | undefined} status the HTTP status, if known; 0 if no response arrived
 * @property {string | undefined} [failure] why the response is missing or incomplete
 * @property {{ bytes: Uint8Array }[]} chunks
 */

/** The beginnings of recordings, without white space. */
const BEGINNINGS = [
  ...["version", "creator", "browser", "pages", "entries", "comment"].map((first) => `{"log":{"${first}"`),
  `{"format":"${FORMAT}"`,
];
const LONGEST_BEGINNING = 256;

/**
 * Reads the responses in a recording. Of other input, it reads no more than tells that it isn't one.
 *
 * @param {AsyncIterable<Buffer>} reads
 * @param {string} name
 * @returns {Promise<{ responses: Recorded[] | undefined, reads: AsyncIterable<Buffer> }>} no responses if this isn't a
 *   recording, and the reads from the beginning
 * @throws {InputError} if no response of a model is in it, or it isn't valid JSON
 */
export async function readRecording(reads, name) {
  let text = "";
  const [, all] = await peek(reads, LONGEST_BEGINNING, (read) => {
    text += read.toString("latin1", 0, LONGEST_BEGINNING).replace(/\s+/g, "");
    return !BEGINNINGS.some((beginning) => beginning.startsWith(text));
  });
  if (!BEGINNINGS.some((beginning) => text.startsWith(beginning))) return { responses: undefined, reads: all };
  const file = await readAll(all, name);
  const value = parse(file, name);
  const capture = readSharedCapture(value);
  const responses = capture ? [capture] : responsesOfHar(value);
  if (responses?.length === 0) throw new InputError(name, new Error(NO_RESPONSES));
  return { responses, reads: one(file) };
}

const NO_RESPONSES =
  "is a HAR file, but none of its requests went to a model: start recording before you send the prompt, and save with content";

/**
 * Parses a file that begins like a recording. Returns undefined for lines of a log that do.
 *
 * @param {Buffer} file
 * @param {string} name
 * @returns {unknown}
 */
function parse(file, name) {
  const text = file.toString();
  try {
    return JSON.parse(text);
  } catch (error) {
    const isCapture = text.slice(0, LONGEST_BEGINNING).includes(FORMAT);
    if (!isCapture && !text.includes('"entries"')) return undefined;
    const kind = isCapture ? "capture" : "HAR file";
    throw new InputError(name, new Error(`is a ${kind} that isn't valid JSON: ${/** @type {Error} */ (error).message}`));
  }
}

/** @param {Buffer} read */
async function* one(read) {
  yield read;
}
