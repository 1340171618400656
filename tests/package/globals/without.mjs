// Deletes globals, then imports entries of the package and reads an answer with each.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { parentPort, workerData } from "node:worker_threads";

const require = createRequire(import.meta.url);
const PKG = new URL("../node_modules/respool/pkg/", import.meta.url);
const JSON_TEXT = '{"choices":[{"message":{"content":"Tromsø ⛴️"},"finish_reason":"stop"}]}';
const EVENT = Buffer.from('data: {"choices":[{"delta":{"content":"Tromsø ⛴️"},"finish_reason":"stop"}]}\n\n');
const module = readFileSync(new URL("respool.wasm", PKG));

for (const name of workerData.missing) delete globalThis[name];

/** @param {string} entry */
async function use(entry) {
  const address = new URL(entry, PKG);
  const respool = entry.endsWith(".cjs") ? require(fileURLToPath(address)) : await import(address);
  respool.initSync?.(module);
  if (respool.decode(JSON_TEXT).message !== "Tromsø ⛴️") throw new Error("another message");
  const accumulator = new respool.StreamAccumulator();
  accumulator.pushBytes(EVENT);
  if (accumulator.finish().text !== "Tromsø ⛴️") throw new Error("another text");
  await import(new URL("ai-sdk.js", PKG));
  await import(new URL("ag-ui.js", PKG));
  await import(new URL("core.js", PKG));
  await import(new URL("encode.js", PKG));
  return { message: "an answer" };
}

const outcomes = [];
for (const entry of workerData.entries) {
  outcomes.push(await use(entry).catch(({ message, code }) => ({ message, code })));
}
parentPort.postMessage(outcomes);
