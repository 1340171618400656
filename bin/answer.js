// Prints one answer, streamed or complete: its text as it arrives and a summary, or its deltas, its result, or a row.

/** @import { Agent, Delta, StreamResult } from "respool" */
/** @import { As } from "./arguments.js" */
/** @import { Output } from "./output.js" */
/** @import { Rows } from "./rows.js" */

import { StreamAccumulator, detectApi } from "respool";
import { hasMessage } from "../js/interfaces.js";
import { printError } from "./ending.js";
import { deltaWith, isFailure, resultWith, rowWith } from "./http_status.js";
import { readAll } from "./input.js";
import { InputError } from "./input_error.js";
import { BatchReader } from "./reader.js";
import { linesOf, rowOfStream } from "./rows.js";
import { Transcript } from "./transcript.js";
import { untilOver } from "./until_over.js";

/**
 * An input, and the settings for printing it.
 *
 * @typedef {object} Job
 * @property {string} name
 * @property {string} form
 * @property {number | undefined} status HTTP status, if known
 * @property {AsyncIterable<Buffer> | Iterable<Buffer>} reads
 * @property {string | undefined} api
 * @property {Agent | undefined} agent
 * @property {As} as
 * @property {boolean} isOneOfMany whether there are several inputs, so that the name is printed
 * @property {() => void} [stop] ends the reads, even a pending one
 */

const [LINE_FEED, CARRIAGE_RETURN, SPACE] = [10, 13, 32];

/**
 * @param {Job} job
 * @param {Output} output
 * @param {Rows} rows
 * @param {AbortSignal} signal
 * @returns {Promise<boolean>} whether the answer is complete
 */
export async function showAnswer(job, output, rows, signal) {
  const { name, form, api, as, isOneOfMany } = job;
  if (isOneOfMany && as === "text") await output.writeText(`==> ${name} <==\n`);
  if (form !== "body" && hasMessage(api)) return showStream(job, output, rows, signal);
  const body = await readAll(job.reads, name);
  if (as === "rows" || !hasMessage(api ?? detectApi(body))) return showBody(body, job, output, rows);
  return showStream({ ...job, reads: [body] }, output, rows, signal);
}

/**
 * @param {Job} job
 * @param {Output} output
 * @param {Rows} rows
 * @param {AbortSignal} signal
 */
async function showStream({ name, form, status, reads, api, agent, as, isOneOfMany, stop }, output, rows, signal) {
  const options = { ...(api !== undefined && { api }), ...(agent && { agent }) };
  const accumulator = new StreamAccumulator(/** @type {import("respool").StreamAccumulatorOptions} */ (options));
  const printers = {
    text: () => new Transcript(output),
    json: () => new DeltaLines(output),
    result: () => new FinalResult(output),
    rows: () => new StreamRow(rows, { file: isOneOfMany ? name : undefined, agent }),
  };
  const printer = printers[as]();
  try {
    for await (const [read, endSoon] of untilOver(reads, stop)) {
      const deltas = accumulator.pushBytes(read);
      for (const delta of deltas) await printer.delta(deltaWith(delta, status));
      if (accumulator.isDone) endSoon(deltas.length > 0);
      // The rest isn't read, because the input may never end.
      if (deltas.some((delta) => delta.type === "error" && delta.error.code === "limit-exceeded")) break;
    }
    const result = signal.aborted ? accumulator.abort("interrupted") : accumulator.finish();
    for (const delta of accumulator.takeDeltas()) await printer.delta(deltaWith(delta, status));
    const whole = resultWith(result, status);
    if (result.error === undefined && whole.error !== undefined) await printer.delta({ type: "error", error: whole.error });
    await printer.end(whole);
    return report(result, { status, name: isOneOfMany ? `${name}: ` : "", form, agent, signal });
  } finally {
    accumulator.free();
  }
}

/**
 * Prints warnings and errors on standard error.
 *
 * @param {StreamResult} result
 * @param {{ status: number | undefined, name: string, form: string, agent: Agent | undefined, signal: AbortSignal }} context
 * @returns {boolean} whether the answer is complete
 */
function report({ ending, error, warnings, text, toolCalls }, { status, name, form, agent, signal }) {
  printWarnings(warnings, name);
  if (signal.aborted) return false;
  if (error !== undefined) printError(`${name}${error.code}: ${error.message}`);
  const isUnfinished = form === "body" && !warnings.some(({ code }) => code === "invalid-event");
  if (ending === "truncated" && !isFailure(status))
    printError(`${name}truncated: ${isUnfinished ? UNFINISHED_BODY : "the input ended before the answer did"}`);
  if (expectsJson(agent) && toolCalls.length === 0 && ending === "complete" && !isJson(text)) printError(`${name}${NOT_JSON}`);
  return ending === "complete";
}

/**
 * @param {import("respool").Warning[]} warnings
 * @param {string} [name] prefix of each warning
 */
export function printWarnings(warnings, name = "") {
  for (const [message, count] of counted(warnings.map((warning) => `${warning.code}: ${warning.message}`)))
    printError(`${name}${message}${count > 1 ? ` (${count} times)` : ""}`);
}

/** The warning for a complete body whose ending is `truncated`. */
export const UNFINISHED_BODY = "the body has no finish reason, so the answer may be incomplete";

/**
 * Counts how often each text occurs.
 *
 * @param {string[]} texts
 */
function counted(texts) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

const NOT_JSON = "the agent has outputs, but the text isn't valid JSON";

/**
 * Whether a row is a text answer that should be JSON, but isn't.
 *
 * @param {import("./rows.js").Row & { value?: unknown }} row
 */
const lacksValue = ({ value, text, toolCalls }) => value === undefined && text !== undefined && toolCalls?.length === 0;

/** @param {Agent | undefined} agent */
const expectsJson = (agent) => agent?.outputs !== undefined;

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
 * Prints the row of a body, or its vectors or images.
 *
 * @param {Buffer} body
 * @param {Job} job
 * @param {Output} output
 * @param {Rows} rows
 */
async function showBody(body, { name, status, api, agent, as, isOneOfMany }, output, rows) {
  const reader = new BatchReader({ api, agent });
  try {
    const { results, faults } = reader.read(inOneLine(body));
    for (const { error } of faults) printError(`${isOneOfMany ? `${name}: ` : ""}${error.code}: ${error.message}`);
    const row = rowWith(Buffer.from(results).toString(), status);
    if (expectsJson(agent) && lacksValue(JSON.parse(row))) printError(`${isOneOfMany ? `${name}: ` : ""}${NOT_JSON}`);
    if (as === "rows") await rows.write(isOneOfMany ? `{"file":${JSON.stringify(name)},${row.slice(1)}` : row);
    else if (faults.length === 0)
      await (as === "text" ? output.writeText(`${linesOf(JSON.parse(row))}\n`) : output.writeJson(row));
    if (faults.length > 0) return false;
    const isFinished = endingOf(body, api) !== "truncated";
    if (!isFinished) printError(`${isOneOfMany ? `${name}: ` : ""}truncated: ${UNFINISHED_BODY}`);
    return isFinished;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new InputError(name, new Error(`the body isn't valid JSON: ${error.message}`));
  } finally {
    reader.free();
  }
}

/**
 * Returns the ending of a body, read like a stream as for the other formats: the row doesn't contain it.
 *
 * @param {Buffer} body
 * @param {string | undefined} api
 */
function endingOf(body, api) {
  const accumulator = new StreamAccumulator(/** @type {import("respool").StreamAccumulatorOptions} */ ({ api: api ?? "auto" }));
  try {
    accumulator.pushBytes(body);
    return accumulator.finish().ending;
  } finally {
    accumulator.free();
  }
}

/**
 * Replaces line breaks in a body by spaces. A line break in valid JSON is never inside a string.
 *
 * @param {Buffer} body
 * @throws {SyntaxError} if it isn't valid JSON
 */
function inOneLine(body) {
  JSON.parse(body.toString());
  return Buffer.from(body).map((byte) => (byte === LINE_FEED || byte === CARRIAGE_RETURN ? SPACE : byte));
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

/** Prints a row once the stream is over: --format. */
class StreamRow {
  #rows;
  #file;
  #agent;

  /**
   * @param {Rows} rows
   * @param {{ file: string | undefined, agent: Agent | undefined }} context
   */
  constructor(rows, { file, agent }) {
    this.#rows = rows;
    this.#file = file;
    this.#agent = agent;
  }

  delta() {}

  /** @param {StreamResult} result */
  end(result) {
    const hasValue = expectsJson(this.#agent) && isJson(result.text);
    return this.#rows.write(rowOfStream(result, { file: this.#file, expectsJson: hasValue }));
  }
}
