// Where the package last passed its tests: api/runtimes.json, and the table in docs/runtimes.md that is generated from it.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../paths.mjs";

const RECORD = join(ROOT, "api", "runtimes.json");
const PAGE = join(ROOT, "docs", "runtimes.md");
const TABLE = /(<!-- runtimes -->\n)(.*?)(<!-- \/runtimes -->)/s;

/** The rows of the table in order, with a note on each runtime. @type {Record<string, string>} */
const NOTES = {
  Node: "the `node` condition selects the build optimised for speed",
  Deno: "`npm:respool`; needs no permissions",
  Bun: "uses the `node` condition too",
  workerd: "Cloudflare Workers; the `workerd` condition imports the `.wasm` file",
  Wrangler: "as workerd",
  "edge-runtime": "Vercel; the `edge-light` condition imports the `.wasm` file",
  "Next.js": "with Turbopack",
  Chromium: "under a Content Security Policy",
  Firefox: "under a Content Security Policy",
  Vite: "the module is inlined; `respool/slim` loads it as a file",
  webpack: "as Vite",
  esbuild: "as Vite",
  Rollup: "as Vite, with `@rollup/plugin-node-resolve`",
  Jest: "snapshots of results and errors are the same in both environments",
  Vitest: "as Jest",
  tsx: "TypeScript as ES modules and as CommonJS",
  TypeScript: "type tests per `moduleResolution`, with `skipLibCheck: false`",
};

/** Runtimes of any installed version. Their version is recorded but not compared. */
const ANY_VERSION = ["Chromium", "Firefox"];

/** A way to run the package. @typedef {{ runtime: string, version: string, form: string }} Run */

/** @typedef {Run & { result: "passed" | "failed" | "skipped" }} Outcome */

/** An accepted outcome and the npm script that produced it. @typedef {Outcome & { command: string }} RecordEntry */

/**
 * Compares the outcomes of `command` with the record and prints the differences. With `accept`, writes them to the record
 * instead. `isPart` says that only some runtimes ran: then the entries of the others stay.
 *
 * @param {string} command
 * @param {Outcome[]} outcomes
 * @param {{ accept: boolean, isPart: boolean }} options
 * @returns {boolean} whether the record is up to date
 */
export function settle(command, outcomes, { accept, isPart }) {
  const record = readRecord();
  if (accept) {
    write(updated(record, command, outcomes, isPart));
    return true;
  }
  const differences = differencesTo(record, isPart ? undefined : command, outcomes);
  if (differences.length === 0) return true;
  console.log(["The outcomes differ from api/runtimes.json:", ...differences].join("\n  "));
  console.log(`If that is intended, run \`npm run ${command} -- --accept\`.`);
  return false;
}

/**
 * One line for each difference between outcomes and record. Patch versions may differ.
 *
 * @param {RecordEntry[]} record
 * @param {string | undefined} command whose entries must all be among the outcomes
 * @param {Outcome[]} outcomes
 */
export function differencesTo(record, command, outcomes) {
  const lines = [];
  for (const outcome of outcomes) {
    if (outcome.result === "skipped") continue;
    const known = record.find((entry) => isSame(entry, outcome));
    if (known === undefined) lines.push(`${titleOf(outcome)}: ${outcome.result}, but not in the record`);
    else if (known.result !== outcome.result) {
      lines.push(`${titleOf(outcome)}: ${outcome.result}, but ${known.result} in the record`);
    }
  }
  for (const entry of record.filter((each) => each.command === command)) {
    if (!outcomes.some((outcome) => isSame(outcome, entry))) lines.push(`${titleOf(entry)}: in the record, but didn't run`);
  }
  return lines;
}

/**
 * The record with the outcomes of `command`. Entries that it skipped stay, and with `isPart` those that it left out.
 *
 * @param {RecordEntry[]} record
 * @param {string} command
 * @param {Outcome[]} outcomes
 * @param {boolean} [isPart]
 * @returns {RecordEntry[]}
 */
export function updated(record, command, outcomes, isPart = false) {
  const isReplaced = isPart ? (/** @type {Run} */ entry) => outcomes.some((outcome) => isSame(outcome, entry)) : () => true;
  const others = record.filter((entry) => entry.command !== command || !isReplaced(entry));
  const current = outcomes.flatMap((outcome) => {
    if (outcome.result !== "skipped") return [{ command, ...outcome }];
    return record.filter((entry) => entry.command === command && isSame(entry, outcome));
  });
  return [...others, ...current].sort((a, b) => rowOf(a) - rowOf(b) || compare(a.version, b.version) || compare(a.form, b.form));
}

/**
 * One row for each runtime with its versions and forms. A form that fails names the versions.
 *
 * @param {RecordEntry[]} record
 */
export function tableOf(record) {
  const rows = Object.entries(NOTES).flatMap(([runtime, note]) => {
    const entries = record.filter((entry) => entry.runtime === runtime);
    if (entries.length === 0) return [];
    const versions = unique(entries.map(({ version }) => minorOf(version)));
    const forms = unique(entries.map(({ form }) => form)).map((form) => {
      const failed = entries.filter((entry) => entry.form === form && entry.result !== "passed");
      return failed.length === 0 ? `✓ ${form}` : `✗ ${form} (${failed.map(({ version }) => minorOf(version)).join(", ")})`;
    });
    return [`| ${runtime} | ${versions.join(", ")} | ${forms.join("<br>")} | ${note} |`];
  });
  return ["| Runtime | Versions | Tested with | Notes |", "|---|---|---|---|", ...rows, ""].join("\n");
}

/** @returns {RecordEntry[]} */
const readRecord = () => JSON.parse(readFileSync(RECORD, "utf8"));

/** Writes the record and the table in docs/runtimes.md. @param {RecordEntry[]} record */
function write(record) {
  const lines = record.map((entry) => `  ${JSON.stringify(entry)}`);
  writeFileSync(RECORD, `[\n${lines.join(",\n")}\n]\n`);
  const page = readFileSync(PAGE, "utf8");
  writeFileSync(
    PAGE,
    page.replace(TABLE, (_, begin, _table, end) => begin + tableOf(record) + end),
  );
}

/** Fails when the table in docs/runtimes.md differs from the record. */
export function checkTable() {
  const table = readFileSync(PAGE, "utf8").replaceAll("\r\n", "\n").match(TABLE)?.[2];
  if (table === undefined) throw new Error("docs/runtimes.md has no table between <!-- runtimes --> and <!-- /runtimes -->.");
  if (table !== tableOf(readRecord())) {
    throw new Error("The table in docs/runtimes.md differs from api/runtimes.json. Run `npm run test:runtimes -- --accept`.");
  }
}

/** @param {Run} run */
const titleOf = ({ runtime, version, form }) => `${runtime} ${minorOf(version)}, ${form}`;

/** Returns the version without its patch, as in the table. @param {string} version */
const minorOf = (version) => version.split(".").slice(0, 2).join(".");

/** @param {Run} one @param {Run} other */
function isSame(one, other) {
  if (one.runtime !== other.runtime || one.form !== other.form) return false;
  return ANY_VERSION.includes(one.runtime) || minorOf(one.version) === minorOf(other.version);
}

/** @param {Run} run */
const rowOf = ({ runtime }) => Object.keys(NOTES).indexOf(runtime);
/** @param {string} a @param {string} b */
const compare = (a, b) => a.localeCompare(b, "en", { numeric: true });
/** @param {string[]} values */
const unique = (values) => [...new Set(values)];
