// Reads HAR files: each response of a model in one is an input.

/** @import { HarResponse } from "../js/har.js" */

import { responsesOfHar } from "../js/har.js";
import { readAll } from "./input.js";
import { InputError } from "./input_error.js";
import { peek } from "./peek.js";

/** The beginning of a HAR file, without white space. */
const BEGINNING = '{"log":{"';
const FIRST_MEMBER = /"log"\s*:\s*\{\s*"(?:version|creator|browser|pages|entries|comment)"/;
const LONGEST_BEGINNING = 256;

/**
 * Reads the responses of models in a HAR file. Of other input, it reads no more than tells that it isn't one.
 *
 * @param {AsyncIterable<Buffer>} reads
 * @param {string} name
 * @returns {Promise<{ responses: HarResponse[] | undefined, reads: AsyncIterable<Buffer> }>} no responses if this isn't a HAR
 *   file, and the reads from the beginning
 * @throws {InputError} if it is one without such responses, or isn't valid JSON
 */
export async function readHar(reads, name) {
  let text = "";
  const [, all] = await peek(reads, LONGEST_BEGINNING, (read) => {
    text += read.toString("latin1", 0, LONGEST_BEGINNING).replace(/\s+/g, "");
    return !BEGINNING.startsWith(text);
  });
  if (!text.startsWith(BEGINNING)) return { responses: undefined, reads: all };
  const file = await readAll(all, name);
  const responses = responsesOfHar(parse(file, name));
  if (responses?.length === 0) throw new InputError(name, new Error(NO_RESPONSES));
  return { responses, reads: one(file) };
}

const NO_RESPONSES =
  "is a HAR file, but none of its requests went to a model: start recording before you send the prompt, and save with content";

/**
 * Parses a file that begins like a HAR file. Returns undefined if it is neither one nor valid JSON.
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
    if (!FIRST_MEMBER.test(text.slice(0, LONGEST_BEGINNING))) return undefined;
    throw new InputError(name, new Error(`is a HAR file that isn't valid JSON: ${/** @type {Error} */ (error).message}`));
  }
}

/** @param {Buffer} read */
async function* one(read) {
  yield read;
}
