// Measures respool against the packages that people use instead. `npm run bench` builds what is missing first; see --help.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { USAGE, readOptions } from "./options.mjs";

/** Large enough for every kind of event, and quick. */
const CHECK_SCALE = 0.02;

/** @import { Options } from "./options.mjs" */

const options = optionsOrExit();
if (options.help) {
  console.log(USAGE);
} else if (globalThis.gc === undefined) {
  // With this flag, measure.mjs can collect one contender's garbage before it times the next.
  const args = ["--expose-gc", fileURLToPath(import.meta.url), ...process.argv.slice(2)];
  process.exitCode = spawnSync(process.execPath, args, { stdio: "inherit" }).status ?? 1;
} else {
  const { WrongResult } = await import("./check.mjs");
  try {
    await run(options);
  } catch (error) {
    if (!(error instanceof WrongResult)) throw error;
    console.error(`\n${error.message}`);
    process.exitCode = 1;
  }
}

function optionsOrExit() {
  try {
    return readOptions(process.argv.slice(2));
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
    return process.exit(2);
  }
}

/** @param {Options} options */
async function run({ filter, against, plan, check, markdown, json }) {
  const [{ CASES }, { CONTENDERS }, { checkCase, entrantsFor }, { measureCase }] = await Promise.all([
    import("./workloads/index.mjs"),
    import("./contenders/index.mjs"),
    import("./check.mjs"),
    import("./measure.mjs"),
  ]);
  const { HEADLINES } = await import("./headlines.mjs");
  const { caseLines, machineLines, markdownTable } = await import("./report.mjs");
  const matches = (/** @type {string} */ name, /** @type {string[]} */ texts) =>
    texts.length === 0 || texts.some((text) => name.includes(text));
  const headlines = new Set(HEADLINES.map(({ work }) => work));
  const cases = CASES.filter(({ name }) => matches(name, filter) && (!markdown || headlines.has(name)));
  const contenders = CONTENDERS.filter(({ name }) => name.startsWith("respool") || matches(name, against));

  for (const benchCase of cases) await checkCase(benchCase, contenders, CHECK_SCALE);
  console.log(`${cases.length} cases: all contenders return the same results.`);
  if (check) return;

  const { describeMachine } = await import("./machine.mjs");
  const machine = describeMachine();
  const clock = plan.cpuTime ? " Processor time." : "";
  console.log(
    `${machineLines(machine).join("\n")}\n× is the time divided by the reference's in the same round: the median, with the middle half of the rounds in brackets.${clock}\n`,
  );
  const results = [];
  for (const benchCase of cases) {
    const result = await measureCase(benchCase, entrantsFor(contenders, benchCase), plan);
    console.log(`${caseLines(result).join("\n")}\n`);
    results.push(result);
  }
  if (markdown) console.log(markdownTable(results, HEADLINES).join("\n"));
  if (json !== undefined) writeFileSync(json, `${JSON.stringify({ machine, plan, results }, null, 2)}\n`);
}
