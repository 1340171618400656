// npm run test:runtimes: tests the packed package in every runtime except browsers, and compares the outcomes with
// api/runtimes.json.
//
//   npm run test:runtimes -- --accept           writes the outcomes to api/runtimes.json and docs/runtimes.md
//   npm run test:runtimes -- --only TEXT|TEXT   runs only names that contain one of these
import "./built.mjs";

const { parseArgs } = await import("node:util");
const { values } = parseArgs({ options: { only: { type: "string" }, accept: { type: "boolean", default: false } } });
const { packAndInstall } = await import("../tests/package/consumer.mjs");
const { runStep, summaryOf } = await import("./test/step.mjs");
const { nameOf, RUNTIMES, runRuntime } = await import("./test/runtimes/table.mjs");
const { settle } = await import("./test/runtimes/record.mjs");

/** @import { Outcome } from "./test/runtimes/record.mjs" */

const consumer = await packAndInstall();
const tally = { passed: 0, failed: 0, skipped: 0 };
/** @type {Outcome[]} */
const outcomes = [];
const queue = RUNTIMES.values();
/** Runs one runtime after the other until none is left. Two workers share the queue. */
async function work() {
  for (const runtime of queue) {
    const version = await runtime.version();
    const name = `${nameOf(runtime)}, ${version}`;
    if (values.only !== undefined && !values.only.split("|").some((text) => name.includes(text))) continue;
    const result = await runStep({ name, run: () => runRuntime(runtime, consumer) }, tally);
    outcomes.push({ runtime: runtime.runtime, version, form: runtime.form, result });
  }
}
await Promise.all([work(), work()]);
console.log(`\n${summaryOf(tally)}`);
const isSettled = settle("test:runtimes", outcomes, { accept: values.accept, isPart: values.only !== undefined });
process.exitCode = tally.failed === 0 && isSettled ? 0 : 1;
