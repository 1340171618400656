// The package without some globals. Each test runs in its own worker thread, which has its own globals.
import { ok, equal } from "../expect.mjs";
import { once } from "node:events";
import { Worker } from "node:worker_threads";

/** The missing globals, and the outcome: an answer, or an error. Buffer replaces missing encoders and decoders. */
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
