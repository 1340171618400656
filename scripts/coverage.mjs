// npm run coverage: which lines of the core the Rust tests cover, for each file in src/.
//
//   npm run coverage -- --lines   also lists the uncovered lines
//
// It needs cargo-llvm-cov, which it builds if it is missing, and rustup's component llvm-tools. It skips with a message
// if they can't be installed. src/wasm/ compiles only for WebAssembly, so the JavaScript tests cover it.
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { installTool } from "./install-tool.mjs";
import { ROOT, TOOLS } from "./paths.mjs";
import { announced } from "./progress.mjs";
import { CommandError, runCommand } from "./run-command.mjs";

/** The lowest percentage of covered lines that passes. */
const MINIMUM = 95;

/** @typedef {{ count: number, covered: number, percent: number }} Lines */

/** The start of a region: line, column, count, whether it has a count, whether a region begins. @typedef {[number, number, number, boolean, boolean]} Segment */

/** @typedef {{ filename: string, summary: { lines: Lines }, segments: Segment[] }} CoveredFile */

const { values } = parseArgs({ options: { lines: { type: "boolean", default: false } } });
const env = { PATH: `${join(TOOLS, "bin")}:${process.env.PATH}` };
const report = join(tmpdir(), `respool-coverage-${process.pid}.json`);

try {
  await announced("Installing llvm-tools", () => runCommand("rustup", ["component", "add", "llvm-tools"], { cwd: ROOT }));
  await installTool("cargo-llvm-cov", "0.9.1");
} catch (error) {
  if (!(error instanceof CommandError)) throw error;
  console.log(`Coverage skipped, because its tools can't be installed: ${error.message}`);
  process.exit(0);
}

const args = ["llvm-cov", "--tests", "--json", "--output-path", report];
await announced("Running the tests", () => runCommand("cargo", args, { cwd: ROOT, env }));
/** @type {{ data: [{ files: CoveredFile[], totals: { lines: Lines } }] }} */
const {
  data: [{ files, totals }],
} = JSON.parse(readFileSync(report, "utf8"));
const core = files.map((file) => ({ ...file, path: relative(ROOT, file.filename) })).filter(({ path }) => path.startsWith("src"));
for (const { path, summary, segments } of core) {
  console.log(rowOf(summary.lines, path));
  if (values.lines && summary.lines.covered < summary.lines.count) {
    console.log(`${" ".repeat(22)}${uncoveredIn(segments).join(", ")}`);
  }
}
console.log(rowOf(totals.lines, "total"));
if (totals.lines.percent < MINIMUM) {
  console.error(`Coverage is below ${MINIMUM} %: \`npm run coverage -- --lines\` lists the uncovered lines.`);
  process.exitCode = 1;
}

/** @param {Lines} lines @param {string} name */
function rowOf({ percent, covered, count }, name) {
  return `${percent.toFixed(1).padStart(6)} % ${`${covered} of ${count}`.padStart(12)}  ${name}`;
}

/** Returns the ranges of uncovered lines. @param {Segment[]} segments */
function uncoveredIn(segments) {
  return segments.flatMap(([line, , count, hasCount, isEntry], index) => {
    if (!hasCount || count > 0 || !isEntry) return [];
    const end = segments[index + 1]?.[0] ?? line;
    return end > line ? `${line}–${end}` : `${line}`;
  });
}
