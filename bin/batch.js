// Batch result files: blocks of lines go to workers, and their results out in the order of the lines.
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { complain } from "./ending.js";
import { LONGEST } from "./input.js";
import { lineBlocks } from "./lines.js";
import { BatchReader } from "./reader.js";

/** So many blocks may wait for each worker, so that none is idle while results are written. */
const BLOCKS_PER_WORKER = 3;
/** So many faults are told; the others are only counted. */
const TOLD_FAULTS = 100;

const TOO_LONG = { code: "limit-exceeded", message: `the line has more than ${LONGEST} bytes` };

/** As many workers as there are processors. They are started as blocks come: one block is read right here. */
export class BatchPool {
  #options;
  #workers = [];
  #reader;
  #next = 0;
  /** Memory of blocks that have been read. @type {ArrayBuffer[]} */
  #spares = [];

  constructor(options) {
    this.#options = options;
  }

  /** How many blocks there should be under way. */
  get depth() {
    return availableParallelism() * BLOCKS_PER_WORKER;
  }

  /** Memory of at least this size. */
  makeRoom(size) {
    const spare = this.#spares.pop();
    return new Uint8Array(spare?.byteLength >= size ? spare : size);
  }

  /** Reads a block at once. */
  readHere(block) {
    this.#reader ??= new BatchReader(this.#options);
    return this.#reader.read(block);
  }

  /** Hands a block over; each worker answers in the order in which it is asked. */
  read(block) {
    const at = this.#next++ % availableParallelism();
    this.#workers[at] ??= new BatchWorker(this.#options, this.#spares);
    return this.#workers[at].read(block);
  }

  async end() {
    this.#reader?.free();
    await Promise.all(this.#workers.map((worker) => worker.end()));
  }
}

class BatchWorker {
  #worker;
  #waiting = [];

  constructor(options, spares) {
    this.#worker = new Worker(new URL("./worker.js", import.meta.url), { workerData: options });
    this.#worker.on("message", ({ batch, room }) => {
      spares.push(room);
      this.#waiting.shift().resolve(batch);
    });
    this.#worker.on("error", (error) => this.#waiting.splice(0).forEach(({ reject }) => reject(error)));
  }

  read(block) {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#worker.postMessage(block, [block.buffer]);
    });
  }

  end() {
    return this.#worker.terminate();
  }
}

/** @returns {Promise<boolean>} whether all lines have answers */
export async function readBatchFile({ name, reads }, pool, output, progress, signal) {
  const faults = new Faults(name, progress);
  const underWay = [];
  let lines = 0;
  let filled = 0;
  const finishFirst = async () => {
    const batch = await underWay.shift();
    for (const { line, error } of batch.faults) faults.add(lines + line + 1, error);
    lines += batch.lines;
    filled += batch.lines - batch.blank;
    await output.writeJson(batch.results);
    progress.addLines(batch.lines);
  };
  let held;
  for await (const block of lineBlocks(reads, { makeRoom: (size) => pool.makeRoom(size) })) {
    if (held !== undefined) underWay.push(startBlock(held, pool));
    held = block;
    while (underWay.length >= pool.depth) await finishFirst();
  }
  // The only block is read without starting a worker.
  if (held !== undefined)
    underWay.push(lines + underWay.length === 0 && held !== "too long" ? pool.readHere(held) : startBlock(held, pool));
  while (underWay.length > 0 && !signal.aborted) await finishFirst();
  faults.tellCount(filled);
  return faults.count === 0 && !signal.aborted;
}

function startBlock(block, pool) {
  if (block !== "too long") return pool.read(block);
  const results = Buffer.from(`${JSON.stringify({ error: TOO_LONG })}\n`);
  return { results, lines: 1, blank: 0, faults: [{ line: 0, error: TOO_LONG }] };
}

/** Lines without an answer, told on standard error. */
class Faults {
  count = 0;
  #name;
  #progress;

  constructor(name, progress) {
    this.#name = name;
    this.#progress = progress;
  }

  add(line, { code, message }) {
    this.count += 1;
    if (this.count > TOLD_FAULTS) return;
    this.#progress.pause();
    complain(`${this.#name}:${line}: ${code}: ${message}`);
  }

  tellCount(lines) {
    if (this.count === 0) return;
    this.#progress.pause();
    const all = `${this.count.toLocaleString("en")} of ${lines.toLocaleString("en")} lines have no answer`;
    complain(`${this.#name}: ${all}${this.count > TOLD_FAULTS ? `; the first ${TOLD_FAULTS} are told above` : ""}`);
  }
}
