// A worker that reads blocks of lines of a batch result file.

/** @import { Position } from "./reader.js" */

import { parentPort, workerData } from "node:worker_threads";
import { BatchReader } from "./reader.js";

/** @typedef {{ block: Uint8Array<ArrayBuffer>, start: Position }} Task */

const reader = new BatchReader(workerData);

parentPort?.on("message", (/** @type {Task} */ { block, start }) => {
  const batch = reader.read(block, start);
  // Returns the block's memory for reuse.
  parentPort?.postMessage({ batch, room: block.buffer }, [batch.results.buffer, block.buffer]);
});
