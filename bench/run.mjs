// respool against the packages that one would use instead. See --help; npm run bench sets up and builds before.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { USAGE, readOptions } from "./options.mjs";

/** Enough for every kind of event, and done at once. */
const CHECK_SCALE = 0.02;

let options;
try {
  options = readOptions(process.argv.slice(2));
} catch (error) {
  console.error(`${error.message}\n\n${USAGE}`);
  process.exit(2);
}
if (options.help) {
  console.log(USAGE);
} else if (globalThis.gc === undefined) {
  // One contender's garbage is not to be collected on another's time.
  const args = ["--expose-gc", fileURLToPath(import.meta.url), ...process.argv.slice(2)];
  process.exitCode = spawnSync(process.execPath, args, { stdio: "inherit" }).status ?? 1;
} else {
  const { WrongAnswer } = await import("./check.mjs");
  try {
    await run(options);
  } catch (error) {
    if (!(error instanceof WrongAnswer)) throw error;
    console.error(`\n${error.message}`);
    process.exitCode = 1;
  }
}

async function run({ filter, against, plan, check, markdown, json }) {
  const [{ CASES }, { CONTENDERS }, { checkCase, takers }, { measureCase }] = await Promise.all([
    import("./workloads/index.mjs"),
    import("./contenders/index.mjs"),
    import("./check.mjs"),
    import("./measure.mjs"),
  ]);
  const { HEADLINES } = await import("./headlines.mjs");
  const { caseLines, machineLines, markdownTable } = await import("./report.mjs");
  const has = (name, texts) => texts.length === 0 || texts.some((text) => name.includes(text));
  const quoted = new Set(HEADLINES.map(({ work }) => work));
  const cases = CASES.filter(({ name }) => has(name, filter) && (!markdown || quoted.has(name)));
  const contenders = CONTENDERS.filter(({ name }) => name.startsWith("respool") || has(name, against));

  for (const benchCase of cases) await checkCase(benchCase, contenders, CHECK_SCALE);
  console.log(`${cases.length} cases: everybody comes to the same answer.`);
  if (check) return;

  const { describeMachine } = await import("./machine.mjs");
  const machine = describeMachine();
  const clock = plan.cpuTime ? " Time is that of the processor." : "";
  console.log(
    `${machineLines(machine).join("\n")}\n× is how many times as long it takes, in the same round; in brackets the middle half of the rounds.${clock}\n`,
  );
  const results = [];
  for (const benchCase of cases) {
    const result = await measureCase(benchCase, takers(contenders, benchCase), plan);
    console.log(`${caseLines(result).join("\n")}\n`);
    results.push(result);
  }
  if (markdown) console.log(markdownTable(results, HEADLINES).join("\n"));
  if (json !== undefined) writeFileSync(json, `${JSON.stringify({ machine, plan, results }, null, 2)}\n`);
}
