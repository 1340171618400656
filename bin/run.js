// Reads the inputs, each in its form, and returns the exit code.

/** @import { Job } from "./answer.js" */
/** @import { BatchPool } from "./batch.js" */
/** @import { Output } from "./output.js" */
/** @import { RowFormat } from "./arguments.js" */
/** @import { Rows } from "./rows.js" */
/** @import { Source } from "./sources.js" */

import { readAgentFile } from "./agent.js";
import { printError } from "./ending.js";
import { isFailure } from "./http_status.js";
import { InputError } from "./input_error.js";
import { Progress } from "./progress.js";
import { CsvRows, JsonRows, TextRows } from "./rows.js";
import { batchLines, singleBody, sniff } from "./sniff.js";
import { sourcesOf } from "./sources.js";

/**
 * @param {import("./arguments.js").Arguments} args
 * @param {Output} output
 * @param {AbortSignal} signal
 * @returns {Promise<0 | 1>}
 */
export async function run({ files, input: form, agent: agentFile, to, ...options }, output, signal) {
  const agent = agentFile === undefined ? undefined : readAgentFile(agentFile);
  const progress = new Progress(files, output);
  const batches = new LazyBatches();
  /** @type {Rows | undefined} */
  let rows;
  let hasFailed = false;
  const onRead = (/** @type {number} */ count) => progress.advance(count);
  const onError = (/** @type {InputError} */ error) => {
    progress.pause();
    printError(error.message);
    hasFailed = true;
  };
  try {
    for await (const source of sourcesOf(files, { isSingle: to !== undefined, signal, onRead, onError })) {
      rows ??= rowsIn(options.format ?? "jsonl", output, source.isOneOfMany);
      try {
        const isOnlyStatus = source.isEmpty && isFailure(source.status);
        if (isOnlyStatus && to !== undefined) continue;
        const input = isOnlyStatus ? { form: "stream", reads: source.reads } : await inputOf(form, source);
        const job = { ...source, ...input, agent, ...options };
        /** @type {boolean} */
        let isComplete;
        if (to !== undefined) isComplete = await translate({ ...job, to }, output, signal);
        else if (input.form === "batch") isComplete = await batches.read(job, rows, progress, signal);
        else isComplete = await readOne(job, output, rows, signal);
        hasFailed ||= !isComplete;
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        onError(error);
      }
    }
  } finally {
    progress.end();
    await batches.end();
  }
  return hasFailed ? 1 : 0;
}

/**
 * @param {string} form
 * @param {Source} source
 */
const inputOf = async (form, { reads, name }) =>
  form === "auto" ? sniff(reads) : { form, reads: await readsOf(form, reads, name) };

/**
 * Returns the reads of an input whose form is given.
 *
 * @param {string} form
 * @param {AsyncIterable<Buffer>} reads
 * @param {string} name
 */
async function readsOf(form, reads, name) {
  if (form === "batch") return batchLines(reads);
  const body = form === "body" ? await singleBody(reads) : reads;
  if (body) return body;
  const several = "contains several bodies, but --input body reads one: use --input batch, or leave --input out";
  throw new InputError(name, new Error(several));
}

/**
 * @param {RowFormat} format
 * @param {Output} output
 * @param {boolean} hasFiles whether rows name their file
 * @returns {Rows}
 */
function rowsIn(format, output, hasFiles) {
  if (format === "csv") return new CsvRows(output, hasFiles);
  return format === "text" ? new TextRows(output) : new JsonRows(output);
}

/**
 * @param {Job} job
 * @param {Output} output
 * @param {Rows} rows
 * @param {AbortSignal} signal
 */
async function readOne(job, output, rows, signal) {
  const { showAnswer } = await import("./answer.js");
  return showAnswer(job, output, rows, signal);
}

/**
 * @param {import("./translation.js").Job} job
 * @param {Output} output
 * @param {AbortSignal} signal
 */
async function translate(job, output, signal) {
  const { showTranslation } = await import("./translation.js");
  return showTranslation(job, output, signal);
}

/** Starts workers for the first batch, and reads all batches with them. */
class LazyBatches {
  /** @type {BatchPool | undefined} */
  #pool;

  /**
   * @param {Job & { reads: AsyncIterable<Buffer> }} job
   * @param {Rows} rows
   * @param {Progress} progress
   * @param {AbortSignal} signal
   */
  async read(job, rows, progress, signal) {
    const { BatchPool, readBatchFile } = await import("./batch.js");
    this.#pool ??= new BatchPool({ api: job.api, agent: job.agent, whole: job.as === "result" });
    return readBatchFile(job, this.#pool, rows, progress, signal);
  }

  async end() {
    await this.#pool?.end();
  }
}
