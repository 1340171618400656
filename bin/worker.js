// Reads blocks of lines of a batch result file, each as it is handed over.
import { parentPort, workerData } from "node:worker_threads";
import { BatchReader } from "./reader.js";

const reader = new BatchReader(workerData);

parentPort.on("message", (block) => {
  const batch = reader.read(block);
  // The memory of the block goes back, for another one.
  parentPort.postMessage({ batch, room: block.buffer }, [batch.results.buffer, block.buffer]);
});
