// npm run test:runtimes: the packed package in every runtime that is no browser. What ran has to be what api/runtimes.json
// says; -- --accept writes it there, and into docs/runtimes.md. -- --only TEXT|TEXT runs what has one of these in its name.
import "./built.mjs";

const { parseArgs } = await import("node:util");
const { values } = parseArgs({ options: { only: { type: "string" }, accept: { type: "boolean", default: false } } });
const { packAndInstall } = await import("../tests/package/consumer.mjs");
const { runStep, summaryOf } = await import("./test/step.mjs");
const { nameOf, RUNTIMES, runRuntime } = await import("./test/runtimes/table.mjs");
const { settle } = await import("./test/runtimes/record.mjs");

const consumer = await packAndInstall();
const tally = { passed: 0, failed: 0, skipped: 0 };
const outcomes = [];
const left = RUNTIMES.values();
/** Takes one after the other until none is left: two such lanes share them. */
async function runLane() {
  for (const each of left) {
    const version = await each.version();
    const name = `${nameOf(each)}, ${version}`;
    if (values.only !== undefined && !values.only.split("|").some((text) => name.includes(text))) continue;
    const result = await runStep({ name, run: () => runRuntime(each, consumer) }, tally);
    outcomes.push({ runtime: each.runtime, version, form: each.form, result });
  }
}
await Promise.all([runLane(), runLane()]);
console.log(`\n${summaryOf(tally)}`);
const isSettled = settle("test:runtimes", outcomes, { accept: values.accept, isPart: values.only !== undefined });
process.exitCode = tally.failed === 0 && isSettled ? 0 : 1;
