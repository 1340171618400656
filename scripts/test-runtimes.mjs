// npm run test:runtimes: tests the packed package in every runtime except browsers, and compares the outcomes with
// api/runtimes.json.
// Runtimes that passed, here or in npm test, run again once the package or the suite has changed.
//
//   npm run test:runtimes -- --accept           writes the outcomes to api/runtimes.json and docs/runtimes.md
//   npm run test:runtimes -- --all              also runs those that passed
//   npm run test:runtimes -- --only TEXT|TEXT   runs only names that contain one of these
import "./built.mjs";

const { parseArgs } = await import("node:util");
const { values } = parseArgs({
  options: { only: { type: "string" }, accept: { type: "boolean", default: false }, all: { type: "boolean" } },
});
const { packAndInstall } = await import("../tests/package/consumer.mjs");
const { runStep, summaryOf } = await import("./test/step.mjs");
const { inputsOfRuntimes, nameOf, RUNTIMES, runRuntime } = await import("./test/runtimes/table.mjs");
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
    const name = nameOf(runtime);
    if (values.only !== undefined && !values.only.split("|").some((text) => name.includes(text))) continue;
    const result = await runStep({ name, run: () => runRuntime(runtime, consumer), inputs: inputsOfRuntimes }, tally);
    outcomes.push({ runtime: runtime.runtime, version: runtime.version, form: runtime.form, result });
  }
}
await Promise.all([work(), work()]);
console.log(`\n${summaryOf(tally)}`);
const isSettled = settle("test:runtimes", outcomes, { accept: values.accept, isPart: values.only !== undefined });
process.exitCode = tally.failed === 0 && isSettled ? 0 : 1;
