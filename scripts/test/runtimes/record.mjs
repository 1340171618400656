// Where the package last passed its tests: api/runtimes.json, and the table in docs/runtimes.md that is generated from it.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../paths.mjs";

const RECORD = join(ROOT, "api", "runtimes.json");
const PAGE = join(ROOT, "docs", "runtimes.md");
const TABLE = /(<!-- runtimes -->\n)(.*?)(<!-- \/runtimes -->)/s;

/** The order of the rows, and what is to be known of each runtime. */
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
  TypeScript: "type tests per `moduleResolution`, with `skipLibCheck: false`",
};

/** These are as old or new as those of the machine: their version is told, and not held against the record. */
const AS_INSTALLED = ["Chromium", "Firefox"];

/**
 * @typedef {object} Outcome - of one runtime and form
 * @property {string} runtime
 * @property {string} version
 * @property {string} form
 * @property {"passed" | "failed" | "skipped"} result
 */

/**
 * Holds what `command` saw against the record, and says in what they differ; with `accept` it is the record from now on.
 * With `isPart` not all was run. Answers whether all is in order.
 */
export function settle(command, outcomes, { accept, isPart }) {
  const record = readRecord();
  if (accept) {
    if (isPart) throw new Error("Only all that was run can be accepted: leave out --only.");
    write(updated(record, command, outcomes));
    return true;
  }
  const differences = differencesTo(record, isPart ? undefined : command, outcomes);
  if (differences.length === 0) return true;
  console.log(["This is not what api/runtimes.json says:", ...differences].join("\n  "));
  console.log(`If that is what you want, run \`npm run ${command} -- --accept\`.`);
  return false;
}

/** What differs between what ran and what was accepted, a line each; a patch of a version is no difference. */
export function differencesTo(record, command, outcomes) {
  const lines = [];
  for (const { runtime, version, form, result } of outcomes) {
    if (result === "skipped") continue;
    const what = `${runtime} ${minorOf(version)}, ${form}`;
    const known = record.find((entry) => isSame(entry, { runtime, version, form }));
    if (known === undefined) lines.push(`${what}: ${result}, and not in the record`);
    else if (known.result !== result) lines.push(`${what}: ${result}, and ${known.result} in the record`);
  }
  for (const entry of record.filter((each) => each.command === command)) {
    if (!outcomes.some((outcome) => isSame(outcome, entry))) {
      lines.push(`${entry.runtime} ${minorOf(entry.version)}, ${entry.form}: in the record, and not among what ran`);
    }
  }
  return lines;
}

/** The record after `command` saw this; what it skipped stays as it was. */
export function updated(record, command, outcomes) {
  const kept = record.filter((entry) => entry.command !== command);
  const seen = outcomes.flatMap(({ result, ...outcome }) => {
    if (result !== "skipped") return [{ command, ...outcome, result }];
    return record.filter((entry) => entry.command === command && isSame(entry, outcome));
  });
  return [...kept, ...seen].sort((a, b) => placeOf(a) - placeOf(b) || compare(a.version, b.version) || compare(a.form, b.form));
}

/** The rows: a runtime each, with all versions and forms; a form that fails says where. */
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

const readRecord = () => JSON.parse(readFileSync(RECORD, "utf8"));

/** Writes the record, and the table in docs/runtimes.md. */
function write(record) {
  const lines = record.map((entry) => `  ${JSON.stringify(entry)}`);
  writeFileSync(RECORD, `[\n${lines.join(",\n")}\n]\n`);
  const page = readFileSync(PAGE, "utf8");
  writeFileSync(
    PAGE,
    page.replace(TABLE, (_, begin, table, end) => begin + tableOf(record) + end),
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

/** Versions as the table has them: without the patch. */
function minorOf(version) {
  return version.split(".").slice(0, 2).join(".");
}

function isSame(one, other) {
  if (one.runtime !== other.runtime || one.form !== other.form) return false;
  return AS_INSTALLED.includes(one.runtime) || minorOf(one.version) === minorOf(other.version);
}

const placeOf = ({ runtime }) => Object.keys(NOTES).indexOf(runtime);
const compare = (a, b) => a.localeCompare(b, "en", { numeric: true });
const unique = (values) => [...new Set(values)];
