// The package where globals are missing: each test has a worker thread of its own, because that has its own globals.
import { ok, equal } from "../expect.mjs";
import { once } from "node:events";
import { Worker } from "node:worker_threads";

/** The globals, and what a program that needs them gets: an answer, or an error. Buffer takes the place of encoders. */
const OUTCOMES = {
  TextEncoder: "an answer",
  TextDecoder: "an answer",
  TransformStream: "an answer",
  ReadableStream: "an answer",
  "TextDecoder Buffer": "respool needs the global TextDecoder, which is not defined here",
  "TextEncoder Buffer": "respool needs the global TextEncoder, which is not defined here",
  WebAssembly: "respool needs the global WebAssembly, which is not defined here",
};
const ENTRIES = ["index.js", "index.cjs", "node.js", "node.cjs", "slim.js", "slim.cjs"];

let count = 0;
for (const [missing, expected] of Object.entries(OUTCOMES)) {
  const worker = new Worker(new URL("./without.mjs", import.meta.url), {
    workerData: { missing: missing.split(" "), entries: ENTRIES },
  });
  const [outcomes] = await once(worker, "message");
  for (const [at, { message, code }] of outcomes.entries()) {
    const what = `${ENTRIES[at]} without ${missing}`;
    equal(message, expected, what);
    ok(code === (expected === "an answer" ? undefined : "missing-global"), `${what}: no code ${code}`);
    count += 1;
  }
}
console.log(`ok: ${count} checks`);
