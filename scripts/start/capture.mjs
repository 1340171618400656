// Where the bytes come from: the bundled capture, a file, or standard input.
import { createReadStream, fstatSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ROOT } from "../paths.mjs";

const SAMPLE = join(ROOT, "samples", "chat-tool-calls.sse");
// Small and odd, so that reads end inside events and characters, as they do on a network.
const SAMPLE_READ = 331;
const SAMPLE_DELAY_MS = 15;
// npm start may be run with a standard input that nobody ever writes to: a test runner's, an editor's.
const STDIN_PATIENCE_MS = 1200;

/** @returns {Promise<{ name: string, reads: AsyncIterable<Uint8Array> }>} */
export async function openCapture([file]) {
  if (file === "-") return { name: "standard input", reads: process.stdin };
  if (file !== undefined) return { name: file, reads: readsOf(fromWhereNpmWasRun(file)) };
  if (stdinIsPiped()) {
    const reads = await readsOfStdin();
    if (reads !== undefined) return { name: "standard input", reads };
    console.error("Nothing came on standard input, so here is the bundled capture (`npm start -- -` would have waited).\n");
  }
  return { name: "samples/chat-tool-calls.sse", reads: slowly(readsOf(SAMPLE, SAMPLE_READ)) };
}

/** npm runs scripts in the root of the package, wherever it was called. */
function fromWhereNpmWasRun(file) {
  return resolve(process.env.INIT_CWD ?? "", file);
}

function stdinIsPiped() {
  try {
    const stdin = fstatSync(0);
    return stdin.isFile() || stdin.isFIFO() || stdin.isSocket();
  } catch {
    return false; // closed
  }
}

/** The reads of standard input, or undefined when it is empty or stays silent. */
async function readsOfStdin() {
  const reads = process.stdin[Symbol.asyncIterator]();
  const patience = new AbortController();
  const first = await Promise.race([
    reads.next(),
    sleep(STDIN_PATIENCE_MS, { done: true }, { signal: patience.signal }).catch(() => {}),
  ]);
  patience.abort();
  if (first.done) {
    process.stdin.destroy(); // or it would keep the process alive
    return undefined;
  }
  return (async function* () {
    yield first.value;
    yield* { [Symbol.asyncIterator]: () => reads };
  })();
}

/** Opens the file when it is read, so that a missing one fails there and not in the open air. */
async function* readsOf(file, highWaterMark = 64 * 1024) {
  yield* createReadStream(file, { highWaterMark });
}

async function* slowly(reads) {
  for await (const read of reads) {
    yield read;
    await sleep(SAMPLE_DELAY_MS);
  }
}
