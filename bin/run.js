// Reads each input in its format, and resolves with the exit code.

/** @import { Job } from "./answer.js" */
/** @import { BatchPool } from "./batch.js" */
/** @import { Output } from "./output.js" */

import { readAgentFile } from "./agent.js";
import { printError } from "./ending.js";
import { InputError, nameOf, open } from "./input.js";
import { Progress } from "./progress.js";
import { sniff } from "./sniff.js";

/**
 * @param {import("./arguments.js").Arguments} args
 * @param {Output} output
 * @param {AbortSignal} signal
 * @returns {Promise<0 | 1>}
 */
export async function run({ files, format, agent: agentFile, ...options }, output, signal) {
  const agent = agentFile === undefined ? undefined : readAgentFile(agentFile);
  const progress = new Progress(files, output);
  const batches = new LazyBatches();
  let hasFailed = false;
  try {
    for (const file of files) {
      if (signal.aborted) break;
      const name = nameOf(file);
      try {
        const reads = open(file, signal, (count) => progress.advance(count));
        const input = format === "auto" ? await sniff(reads) : { format, reads };
        const job = { ...input, name, agent, ...options, isOneOfMany: files.length > 1 };
        const isComplete = await (input.format === "batch"
          ? batches.read(job, output, progress, signal)
          : readOne(job, output, signal));
        hasFailed ||= !isComplete;
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        progress.pause();
        printError(error.message);
        hasFailed = true;
      }
    }
  } finally {
    progress.end();
    await batches.end();
  }
  return hasFailed ? 1 : 0;
}

/**
 * @param {Job} job
 * @param {Output} output
 * @param {AbortSignal} signal
 */
async function readOne(job, output, signal) {
  const { showAnswer } = await import("./answer.js");
  return showAnswer(job, output, signal);
}

/** Starts workers for the first batch, which then read all batches. */
class LazyBatches {
  /** @type {BatchPool | undefined} */
  #pool;

  /**
   * @param {Job & { reads: AsyncIterable<Buffer> }} job
   * @param {Output} output
   * @param {Progress} progress
   * @param {AbortSignal} signal
   */
  async read(job, output, progress, signal) {
    const { BatchPool, readBatchFile } = await import("./batch.js");
    this.#pool ??= new BatchPool({ api: job.api, agent: job.agent, whole: job.as === "result" });
    return readBatchFile(job, this.#pool, output, progress, signal);
  }

  async end() {
    await this.#pool?.end();
  }
}
