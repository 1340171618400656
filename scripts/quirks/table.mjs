// The table of docs/quirks.md: a row per quirk, a column per library.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ADAPTERS } from "../../bench/quirks/index.mjs";
import respool from "../../bench/quirks/respool.mjs";
import { readQuirks } from "../../tests/fixtures/quirks/cases.mjs";
import { runQuirks } from "../../tests/fixtures/quirks/check.mjs";
import { whenChanged } from "../build/stamp.mjs";
import { ROOT } from "../paths.mjs";

/** @import { Adapter, Outcome } from "../../tests/fixtures/quirks/check.mjs" */
/** @import { Quirk } from "../../tests/fixtures/quirks/cases.mjs" */

/** @typedef {{ adapter: Adapter, outcomes: Outcome[] }} Column */

/** The inputs that the outcomes of the other libraries depend on. */
const INPUTS = ["bench/machine.mjs", "bench/quirks", "tests/fixtures/quirks", "scripts/quirks", "package-lock.json"];

const TABLE = /(<!-- quirks -->\n).*?(<!-- \/quirks -->)/s;

/** Runs all cases with all libraries, and resolves with the table. */
export async function tableOf() {
  const quirks = readQuirks();
  /** @type {Column[]} */
  const columns = [];
  for (const adapter of ADAPTERS) columns.push({ adapter, outcomes: await outcomesOf(adapter, quirks) });
  return [...totals(columns), "", ...details(quirks, columns), ""].join("\n");
}

/**
 * Runs all cases with a library. Libraries other than respool run only if their adapters, versions or the cases have changed.
 *
 * @param {Adapter} adapter
 * @param {Quirk[]} quirks
 * @returns {Promise<Outcome[]>}
 */
async function outcomesOf(adapter, quirks) {
  if (adapter === respool) return quietly(() => runQuirks(adapter, quirks));
  const file = `target/quirks/${adapter.name.replace(/\W+/g, "-")}.json`;
  await whenChanged(`quirks ${adapter.name} ${process.version}`, { inputs: INPUTS, outputs: [file] }, async () => {
    const outcomes = await quietly(() => runQuirks(adapter, quirks));
    mkdirSync(dirname(join(ROOT, file)), { recursive: true });
    writeFileSync(join(ROOT, file), JSON.stringify(outcomes));
  });
  return JSON.parse(readFileSync(join(ROOT, file), "utf8"));
}

/** @param {string} page @param {string} table */
export function withTable(page, table) {
  if (!TABLE.test(page)) throw new Error("docs/quirks.md has no table between <!-- quirks --> and <!-- /quirks -->.");
  return page.replace(TABLE, (_, begin, end) => `${begin}\n${table}\n${end}`);
}

/** @param {Column[]} columns */
function totals(columns) {
  const rows = columns.map(({ adapter: { name, version }, outcomes }) => {
    const [passed, failed, others] = ["passed", "failed", "not applicable"].map((verdict) => count(outcomes, verdict));
    return `| ${name} ${version} | ${passed} | ${failed} | ${others} |`;
  });
  return ["| Library | Passed | Failed | Not applicable |", "|---|--:|--:|--:|", ...rows];
}

/** @param {Quirk[]} quirks @param {Column[]} columns */
function details(quirks, columns) {
  const names = columns.map(({ adapter: { name } }) => name.split(",")[0]);
  const rows = quirks.map(({ number, title }) => {
    const cells = columns.map(({ outcomes }) => cell(outcomes.filter((outcome) => outcome.number === number)));
    return `| ${[number, title, ...cells].join(" | ")} |`;
  });
  return [`| | Quirk | ${names.join(" | ")} |`, `|--:|---|${names.map(() => ":-:|").join("")}`, ...rows];
}

/** @param {Outcome[]} outcomes */
function cell(outcomes) {
  const passed = count(outcomes, "passed");
  const applicable = passed + count(outcomes, "failed");
  if (applicable === 0) return "–";
  if (passed === applicable) return "✓";
  return passed === 0 ? "✗" : `${passed}/${applicable}`;
}

/** @param {Outcome[]} outcomes @param {string} verdict */
const count = (outcomes, verdict) => outcomes.filter((outcome) => outcome.verdict === verdict).length;

/** Runs without console output, because some libraries print warnings. @template T @param {() => Promise<T>} run */
async function quietly(run) {
  const { log, warn, error } = console;
  Object.assign(console, { log() {}, warn() {}, error() {} });
  try {
    return await run();
  } finally {
    Object.assign(console, { log, warn, error });
  }
}
