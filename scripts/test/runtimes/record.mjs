// What ran where, as it was last accepted: api/runtimes.json, and the table in the README that is made of it.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../paths.mjs";

const RECORD = join(ROOT, "api", "runtimes.json");
const README = join(ROOT, "README.md");
const TABLE = /(<!-- runtimes -->\n)(.*?)(<!-- \/runtimes -->)/s;

/** The order of the rows, and what is to be known of each runtime. */
const NOTES = {
  Node: "the condition `node` takes the module compiled for speed",
  Deno: "`npm:respool`; needs no permission",
  Bun: "takes the condition `node`, too",
  workerd: "Cloudflare Workers: the condition `workerd` takes the `.wasm` file",
  Wrangler: "as workerd",
  "edge-runtime": "Vercel: the condition `edge-light` takes the `.wasm` file",
  "Next.js": "by Turbopack",
  Chromium: "under a Content Security Policy",
  Firefox: "under a Content Security Policy",
  Vite: "the module is part of the bundle; or a file, by `respool/slim`",
  webpack: "the same",
  esbuild: "the same",
  Rollup: "the same, with `@rollup/plugin-node-resolve`",
  TypeScript: "the tests of the types, by `moduleResolution`, with `skipLibCheck: false`",
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
  return ["| runtime | version | passes with | |", "|---|---|---|---|", ...rows, ""].join("\n");
}

const readRecord = () => JSON.parse(readFileSync(RECORD, "utf8"));

/** Writes the record, and the table of the README. */
function write(record) {
  const lines = record.map((entry) => `  ${JSON.stringify(entry)}`);
  writeFileSync(RECORD, `[\n${lines.join(",\n")}\n]\n`);
  writeFileSync(
    README,
    readFileSync(README, "utf8").replace(TABLE, (_, begin, table, end) => begin + tableOf(record) + end),
  );
}

/** Fails when the table of the README is not the one of the record. */
export function checkReadme() {
  const table = readFileSync(README, "utf8").replaceAll("\r\n", "\n").match(TABLE)?.[2];
  if (table === undefined) throw new Error("README.md has no table between <!-- runtimes --> and <!-- /runtimes -->.");
  if (table !== tableOf(readRecord())) {
    throw new Error("The runtimes in README.md are not those of api/runtimes.json: run `npm run test:runtimes -- --accept`.");
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
