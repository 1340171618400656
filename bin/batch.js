// Reads batch result files: workers read blocks of lines, and the results are printed in the order of the lines.

/** @import { Progress } from "./progress.js" */
/** @import { Batch, Position, ReaderOptions } from "./reader.js" */
/** @import { Rows } from "./rows.js" */

import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { printError } from "./ending.js";
import { MAX_BODY_BYTES } from "../js/limits.js";
import { countLines, lineBlocks } from "./lines.js";
import { BatchReader } from "./reader.js";

/** Number of blocks queued per worker, so that none is idle while results are written. */
const BLOCKS_PER_WORKER = 3;
/** Maximum number of faults to print. All others are only counted. */
const MAX_PRINTED_FAULTS = 100;

const TOO_LONG = { code: "limit-exceeded", message: `The line is longer than the limit of ${MAX_BODY_BYTES} bytes` };

/** A pool with one worker per processor. Workers are started as blocks arrive; a single block is read without a worker. */
export class BatchPool {
  #options;
  /** @type {BatchWorker[]} */
  #workers = [];
  /** @type {BatchReader | undefined} */
  #reader;
  #next = 0;
  /**
   * The memory of finished blocks, to be reused.
   *
   * @type {ArrayBuffer[]}
   */
  #spares = [];

  /** @param {ReaderOptions} options */
  constructor(options) {
    this.#options = options;
  }

  /** Number of blocks to read at the same time. */
  get depth() {
    return availableParallelism() * BLOCKS_PER_WORKER;
  }

  /**
   * Returns memory of at least this size.
   *
   * @param {number} size
   */
  makeRoom(size) {
    const spare = this.#spares.pop();
    return new Uint8Array(spare !== undefined && spare.byteLength >= size ? spare : new ArrayBuffer(size));
  }

  /**
   * Reads a block in this thread.
   *
   * @param {Uint8Array} block
   * @param {Position} start
   */
  readHere(block, start) {
    this.#reader ??= new BatchReader(this.#options);
    return this.#reader.read(block, start);
  }

  /**
   * Passes a block to a worker. Each worker returns its batches in order.
   *
   * @param {Uint8Array<ArrayBuffer>} block
   * @param {Position} start
   * @returns {Promise<Batch>}
   */
  read(block, start) {
    const index = this.#next++ % availableParallelism();
    const worker = this.#workers[index] ?? new BatchWorker(this.#options, this.#spares);
    this.#workers[index] = worker;
    return worker.read(block, start);
  }

  async end() {
    this.#reader?.free();
    await Promise.all(this.#workers.map((worker) => worker.end()));
  }
}

class BatchWorker {
  #worker;
  /** @type {{ resolve: (batch: Batch) => void, reject: (error: Error) => void }[]} */
  #pending = [];

  /**
   * @param {ReaderOptions} options
   * @param {ArrayBuffer[]} spares
   */
  constructor(options, spares) {
    this.#worker = new Worker(new URL("./worker.js", import.meta.url), { workerData: options });
    this.#worker.on("message", ({ batch, room }) => {
      spares.push(room);
      this.#pending.shift()?.resolve(batch);
    });
    this.#worker.on("error", (error) => {
      for (const { reject } of this.#pending.splice(0)) reject(error);
    });
  }

  /**
   * @param {Uint8Array<ArrayBuffer>} block
   * @param {Position} start
   * @returns {Promise<Batch>}
   */
  read(block, start) {
    return new Promise((resolve, reject) => {
      this.#pending.push({ resolve, reject });
      this.#worker.postMessage({ block, start }, [block.buffer]);
    });
  }

  end() {
    return this.#worker.terminate();
  }
}

/**
 * @param {{ name: string, reads: AsyncIterable<Buffer>, isOneOfMany: boolean }} job
 * @param {BatchPool} pool
 * @param {Rows} rows
 * @param {Progress} progress
 * @param {AbortSignal} signal
 * @returns {Promise<boolean>} whether all lines have answers
 */
export async function readBatchFile({ name, reads, isOneOfMany }, pool, rows, progress, signal) {
  const faults = new Faults(name, progress);
  const file = isOneOfMany ? { file: name } : {};
  /** @type {(Batch | Promise<Batch>)[]} */
  const pending = [];
  let line = 1;
  let filled = 0;
  const finishFirst = async () => {
    const batch = await pending.shift();
    if (batch === undefined) return;
    for (const { line: number, error } of batch.faults) faults.add(number, error);
    filled += batch.lines - batch.blank;
    await rows.write(batch.results);
    progress.addLines(batch.lines);
  };
  let last;
  for await (const block of lineBlocks(reads, { makeRoom: (size) => pool.makeRoom(size) })) {
    if (last !== undefined) {
      const lines = last === "too long" ? 1 : countLines(last);
      pending.push(startBlock(last, { ...file, line }, pool));
      line += lines;
    }
    last = block;
    while (pending.length >= pool.depth) await finishFirst();
  }
  if (last !== undefined) {
    const start = { ...file, line };
    const isOnlyBlock = line === 1;
    pending.push(isOnlyBlock && last !== "too long" ? pool.readHere(last, start) : startBlock(last, start, pool));
  }
  while (pending.length > 0 && !signal.aborted) await finishFirst();
  faults.printCount(filled);
  return faults.count === 0 && !signal.aborted;
}

/**
 * @param {Uint8Array<ArrayBuffer> | "too long"} block
 * @param {Position} start
 * @param {BatchPool} pool
 * @returns {Batch | Promise<Batch>}
 */
function startBlock(block, start, pool) {
  if (block !== "too long") return pool.read(block, start);
  const results = Buffer.from(`${JSON.stringify({ ...start, error: TOO_LONG })}\n`);
  return { results, lines: 1, blank: 0, faults: [{ line: start.line, error: TOO_LONG }] };
}

/** Prints the lines without an answer on standard error. */
class Faults {
  count = 0;
  #name;
  #progress;

  /**
   * @param {string} name
   * @param {Progress} progress
   */
  constructor(name, progress) {
    this.#name = name;
    this.#progress = progress;
  }

  /**
   * @param {number} line
   * @param {{ code: string, message: string }} error
   */
  add(line, { code, message }) {
    this.count += 1;
    if (this.count > MAX_PRINTED_FAULTS) return;
    this.#progress.pause();
    printError(`${this.#name}:${line}: ${code}: ${message}`);
  }

  /** @param {number} lines */
  printCount(lines) {
    if (this.count === 0) return;
    this.#progress.pause();
    const all = `${this.count.toLocaleString("en")} of ${lines.toLocaleString("en")} lines have no answer`;
    const note = this.count > MAX_PRINTED_FAULTS ? `; the first ${MAX_PRINTED_FAULTS} are listed above` : "";
    printError(`${this.#name}: ${all}${note}`);
  }
}
