// Opens the capture to play: the bundled one, a file or standard input.
import { createReadStream, fstatSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ROOT } from "../paths.mjs";

const SAMPLE = join(ROOT, "samples", "chat-tool-calls.sse");
// Chunks of this size end inside events and characters, as they do on a network.
const SAMPLE_CHUNK_BYTES = 331;
const SAMPLE_DELAY_MS = 15;
// Test runners and editors may run npm start with a standard input that nobody writes to.
const STDIN_PATIENCE_MS = 1200;

/** @typedef {{ name: string, chunks: AsyncIterable<Uint8Array> }} Capture */

/** @param {string[]} args of the command line @returns {Promise<Capture>} */
export async function openCapture([file]) {
  if (file === "-") return { name: "standard input", chunks: process.stdin };
  if (file !== undefined) return { name: file, chunks: chunksOf(fromWhereNpmWasRun(file)) };
  if (stdinIsPiped()) {
    const chunks = await stdinChunks();
    if (chunks !== undefined) return { name: "standard input", chunks };
    console.error("Standard input is silent: playing the bundled capture (`npm start -- -` waits for input).\n");
  }
  return { name: "samples/chat-tool-calls.sse", chunks: slowly(chunksOf(SAMPLE, SAMPLE_CHUNK_BYTES)) };
}

/** npm runs scripts in the root of the package, wherever the user is. @param {string} file */
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

/** Returns the chunks of standard input, or undefined if it is empty or stays silent. */
async function stdinChunks() {
  /** @type {AsyncIterator<Uint8Array, undefined>} */
  const chunks = process.stdin[Symbol.asyncIterator]();
  const patience = new AbortController();
  const first = await Promise.race([
    chunks.next(),
    sleep(STDIN_PATIENCE_MS, undefined, { signal: patience.signal }).catch(() => undefined),
  ]);
  patience.abort();
  if (first === undefined || first.done) {
    process.stdin.destroy(); // otherwise it keeps the process alive
    return undefined;
  }
  return (async function* () {
    yield first.value;
    yield* { [Symbol.asyncIterator]: () => chunks };
  })();
}

/** A generator, so that a missing file throws where the chunks are read. @param {string} file */
async function* chunksOf(file, highWaterMark = 64 * 1024) {
  yield* createReadStream(file, { highWaterMark });
}

/** @param {AsyncIterable<Uint8Array>} chunks */
async function* slowly(chunks) {
  for await (const chunk of chunks) {
    yield chunk;
    await sleep(SAMPLE_DELAY_MS);
  }
}
