// Writes one answer, streamed or complete, in another interface: --to.

/** @import { WireApi, StreamEncoder as Encoder } from "respool/encode" */
/** @import { Output } from "./output.js" */

import { StreamEncoder, translateResponse } from "respool/encode";
import { UNFINISHED_BODY, printWarnings } from "./answer.js";
import { printError } from "./ending.js";
import { readAll } from "./input.js";
import { InputError } from "./input_error.js";
import { withoutText } from "./sniff.js";
import { untilOver } from "./until_over.js";

/**
 * @typedef {object} Job
 * @property {string} name
 * @property {string} form
 * @property {number | undefined} [status] HTTP status, if known
 * @property {boolean} [hasText] whether a body is followed by other text
 * @property {AsyncIterable<Buffer> | Iterable<Buffer>} reads
 * @property {string | undefined} api
 * @property {WireApi} to
 * @property {() => void} [stop] ends the reads, even a pending one
 */

/**
 * @param {Job} job
 * @param {Output} output
 * @param {AbortSignal} signal
 * @returns {Promise<boolean>} whether the answer is complete
 */
export function showTranslation(job, output, signal) {
  if (job.form === "batch") throw new InputError(job.name, new Error("is a batch result file, but --to writes one answer"));
  return job.form === "body" || job.hasText ? showBody(job, output) : showStream(job, output, signal);
}

/**
 * @param {Job} job
 * @param {Output} output
 * @param {AbortSignal} signal
 */
async function showStream({ reads, api, to, stop }, output, signal) {
  const options = /** @type {import("respool").StreamAccumulatorOptions} */ ({ ...(api !== undefined && { api }) });
  const encoder = new StreamEncoder(to, { ...options, includeUsage: true });
  try {
    for await (const [read, endSoon] of untilOver(reads, stop)) {
      const written = encoder.pushBytes(read);
      await output.writeText(Buffer.from(written).toString());
      if (encoder.isDone) endSoon(written.length > 0);
      if (encoder.isOver) break; // the rest isn't read, because the input may never end
    }
    const last = signal.aborted ? encoder.abort("interrupted") : encoder.finish();
    await output.writeText(Buffer.from(last).toString());
    return report(encoder, signal);
  } finally {
    encoder.free();
  }
}

/**
 * Prints lost content, warnings and errors on standard error.
 *
 * @param {Encoder} encoder
 * @param {AbortSignal} signal
 */
function report({ lost, result }, signal) {
  printLost(lost);
  if (result !== undefined) printWarnings(result.warnings);
  if (signal.aborted || result === undefined) return false;
  const { error, ending } = result;
  if (error) printError(`${error.code}: ${error.message}`);
  if (ending === "truncated") printError("truncated: the input ended before the answer did");
  return ending === "complete";
}

/**
 * @param {Job} job
 * @param {Output} output
 */
async function showBody({ name, status, reads, hasText, api, to }, output) {
  const bytes = await readAll(reads, name);
  if (hasText) printError("invalid-event: Skipped the text behind the body");
  const source = new Response(hasText ? withoutText(bytes) : bytes, {
    headers: { "content-type": "application/json" },
    ...(status !== undefined && status >= 400 && { status }),
  });
  let isComplete = false;
  const response = await translateResponse(source, {
    to,
    .../** @type {import("respool").StreamAccumulatorOptions} */ (api !== undefined && { api }),
    onEnd({ error, lost, response, result }) {
      if (result !== undefined) printWarnings(result.warnings);
      printLost(lost);
      if (error) printError(/** @type {Error} */ (error).message);
      isComplete = error === undefined && response?.finishReason !== undefined;
      if (!error && !isComplete) printError(`truncated: ${UNFINISHED_BODY}`);
    },
  });
  await output.writeJson(`${await response.text()}\n`);
  return isComplete;
}

/** @param {import("respool").Warning[]} lost */
function printLost(lost) {
  for (const { message } of lost) printError(`lost: ${message}`);
}
