// Prints one answer, streamed or complete: its text as it arrives and a summary, or its deltas, or its result.

/** @import { Agent, Delta, StreamResult } from "respool" */
/** @import { Output } from "./output.js" */

import { StreamAccumulator, detectApi } from "respool";
import { printError } from "./ending.js";
import { InputError, LONGEST } from "./input.js";
import { BatchReader } from "./reader.js";
import { Transcript } from "./transcript.js";

/**
 * An input, and how to print it.
 *
 * @typedef {object} Job
 * @property {string} name
 * @property {string} format
 * @property {AsyncIterable<Buffer> | Iterable<Buffer>} reads
 * @property {string | undefined} api
 * @property {Agent | undefined} agent
 * @property {"text" | "json" | "result"} as
 * @property {boolean} isOneOfMany whether its name is shown
 */

/**
 * The interfaces whose bodies contain vectors or images instead of a message.
 *
 * @type {(string | undefined)[]}
 */
const WITHOUT_MESSAGE = ["openai-embeddings", "openai-images"];

/**
 * @param {Job} job
 * @param {Output} output
 * @param {AbortSignal} signal
 * @returns {Promise<boolean>} whether the answer is complete
 */
export async function showAnswer(job, output, signal) {
  const { name, as, isOneOfMany } = job;
  if (isOneOfMany && as === "text") await output.writeText(`==> ${name} <==\n`);
  if (job.format === "body" || WITHOUT_MESSAGE.includes(job.api)) {
    const body = await readAll(job.reads, name);
    if (WITHOUT_MESSAGE.includes(job.api ?? detectApi(body))) return showBody(body, job, output);
    return showStream({ ...job, reads: [body] }, output, signal);
  }
  return showStream(job, output, signal);
}

/**
 * @param {Job["reads"]} reads
 * @param {string} name
 */
async function readAll(reads, name) {
  const parts = [];
  let length = 0;
  for await (const read of reads) {
    length += read.length;
    if (length > LONGEST)
      throw new InputError(name, new Error(`limit-exceeded: the body is longer than the limit of ${LONGEST} bytes`));
    parts.push(read);
  }
  return Buffer.concat(parts);
}

/**
 * @param {Job} job
 * @param {Output} output
 * @param {AbortSignal} signal
 */
async function showStream({ name, reads, api, agent, as, isOneOfMany }, output, signal) {
  const options = { ...(api !== undefined && { api }), ...(agent && { agent }) };
  const accumulator = new StreamAccumulator(/** @type {import("respool").StreamAccumulatorOptions} */ (options));
  const printer = { text: new Transcript(output), json: new DeltaLines(output), result: new FinalResult(output) }[as];
  try {
    for await (const read of reads) {
      const deltas = accumulator.pushBytes(read);
      for (const delta of deltas) await printer.delta(delta);
      // The rest isn't read; the input may never end.
      if (deltas.some((delta) => delta.type === "error" && delta.error.code === "limit-exceeded")) break;
    }
    const result = signal.aborted ? accumulator.abort("interrupted") : accumulator.finish();
    for (const delta of accumulator.takeDeltas()) await printer.delta(delta);
    await printer.end(result);
    return report(result, { name: isOneOfMany ? `${name}: ` : "", agent, signal });
  } finally {
    accumulator.free();
  }
}

/**
 * Prints warnings and errors on standard error.
 *
 * @param {StreamResult} result
 * @param {{ name: string, agent: Agent | undefined, signal: AbortSignal }} context
 * @returns {boolean} whether the answer is complete
 */
function report({ ending, error, warnings, text, toolCalls }, { name, agent, signal }) {
  for (const { code, message } of warnings) printError(`${name}${code}: ${message}`);
  if (signal.aborted) return false;
  if (error !== undefined) printError(`${name}${error.code}: ${error.message}`);
  if (ending === "truncated") printError(`${name}truncated: the input ended before the answer did`);
  const expectsJson = agent?.outputs !== undefined && toolCalls.length === 0;
  if (expectsJson && ending === "complete" && !isJson(text))
    printError(`${name}the agent has outputs, but the text isn't valid JSON`);
  return ending === "complete";
}

/** @param {string} text */
function isJson(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Prints the vectors or the images of a body.
 *
 * @param {Buffer} body
 * @param {Job} job
 * @param {Output} output
 */
async function showBody(body, { name, api, agent, as, isOneOfMany }, output) {
  const reader = new BatchReader({ api, agent });
  try {
    // In one line, however it is written.
    const { results, faults } = reader.read(Buffer.from(JSON.stringify(JSON.parse(body.toString()))));
    for (const { error } of faults) printError(`${isOneOfMany ? `${name}: ` : ""}${error.code}: ${error.message}`);
    if (faults.length === 0) await (as === "text" ? output.writeText(itemsOf(results)) : output.writeJson(results));
    return faults.length === 0;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new InputError(name, new Error(`the body isn't valid JSON: ${error.message}`));
  } finally {
    reader.free();
  }
}

/**
 * Each vector or image on a line of its own.
 *
 * @param {Uint8Array} results
 */
function itemsOf(results) {
  const { vectors, images } = JSON.parse(Buffer.from(results).toString());
  const lines = images ?? vectors.map((/** @type {number[]} */ vector) => JSON.stringify(vector));
  return `${lines.join("\n")}\n`;
}

/** Prints each delta on a line: --json. */
class DeltaLines {
  #output;

  /** @param {Output} output */
  constructor(output) {
    this.#output = output;
  }

  /** @param {Delta} delta */
  delta(delta) {
    return this.#output.writeJson(`${JSON.stringify(delta)}\n`);
  }

  end() {}
}

/** Prints the result, in one line unless it goes to a terminal: --result. */
class FinalResult {
  #output;

  /** @param {Output} output */
  constructor(output) {
    this.#output = output;
  }

  delta() {}

  /** @param {StreamResult} result */
  end(result) {
    return this.#output.writeJson(`${JSON.stringify(result, null, this.#output.isTerminal ? 2 : 0)}\n`);
  }
}
