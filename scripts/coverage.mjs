// npm run coverage: which lines of the core the Rust tests run, for each file of src/.
//
//   npm run coverage -- --lines   says besides which lines they do not run
//
// It needs cargo-llvm-cov, which is built first where it is missing, and rustup's component llvm-tools; where they
// cannot be had it says so, and skips. The boundary in src/wasm/ is compiled for WebAssembly only: the JavaScript
// tests run it.
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { ROOT, TOOLS } from "./paths.mjs";
import { installTool } from "./install-tool.mjs";
import { announced } from "./progress.mjs";
import { runCommand } from "./run-command.mjs";

/** So many of a hundred lines have to be run. */
const LEAST = 95;

const { values } = parseArgs({ options: { lines: { type: "boolean", default: false } } });
const env = { PATH: `${join(TOOLS, "bin")}:${process.env.PATH}` };
const report = join(tmpdir(), `respool-coverage-${process.pid}.json`);

try {
  await announced("Looking for llvm-tools", () => runCommand("rustup", ["component", "add", "llvm-tools"], { cwd: ROOT }));
  await installTool("cargo-llvm-cov", "0.9.1");
} catch (error) {
  console.log(`Coverage is skipped, because its tools cannot be installed here: ${error.message}`);
  process.exit(0);
}

const args = ["llvm-cov", "--tests", "--json", "--output-path", report];
await announced("Running the tests", () => runCommand("cargo", args, { cwd: ROOT, env }));
const [{ files, totals }] = JSON.parse(readFileSync(report, "utf8")).data;
const core = files.map((file) => ({ ...file, path: relative(ROOT, file.filename) })).filter(({ path }) => path.startsWith("src"));
for (const { path, summary, segments } of core) {
  console.log(`${percentOf(summary.lines)} ${`${summary.lines.covered} of ${summary.lines.count}`.padStart(12)}  ${path}`);
  if (values.lines && summary.lines.covered < summary.lines.count)
    console.log(`${" ".repeat(22)}${missedIn(segments).join(", ")}`);
}
console.log(`${percentOf(totals.lines)} ${`${totals.lines.covered} of ${totals.lines.count}`.padStart(12)}  in all`);
if (totals.lines.percent < LEAST) {
  console.error(`At least ${LEAST} % of the lines have to be run: see npm run coverage -- --lines.`);
  process.exitCode = 1;
}

function percentOf({ percent }) {
  return `${percent.toFixed(1).padStart(6)} %`;
}

/** The ranges of lines that no test runs. A segment is [line, column, count, has a count, begins a region, …]. */
function missedIn(segments) {
  const ranges = [];
  segments.forEach(([line, , count, hasCount, isEntry], at) => {
    if (!hasCount || count > 0 || !isEntry) return;
    const end = segments[at + 1]?.[0] ?? line;
    ranges.push(end > line ? `${line}–${end}` : `${line}`);
  });
  return ranges;
}
