// A worker that reads blocks of lines of a batch result file.
import { parentPort, workerData } from "node:worker_threads";
import { BatchReader } from "./reader.js";

const reader = new BatchReader(workerData);

parentPort?.on("message", (/** @type {Uint8Array<ArrayBuffer>} */ block) => {
  const batch = reader.read(block);
  // The memory of the block goes back to be reused.
  parentPort?.postMessage({ batch, room: block.buffer }, [batch.results.buffer, block.buffer]);
});
