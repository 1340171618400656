// What npm test checks, in which order, and how it is shown: a line for each step, its output only when it fails.
import { readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { buildPlanted } from "../build/quick.mjs";
import { build } from "../build/steps.mjs";
import { buildReference } from "../docs/reference.mjs";
import { ROOT } from "../paths.mjs";
import { runCommand } from "../run-command.mjs";
import { checkApi } from "./api.mjs";
import { checkMarkdown } from "./markdown.mjs";
import { checkSize } from "./size.mjs";
import { packageSteps } from "./package.mjs";
import { checkTable } from "./runtimes/record.mjs";
import { runInOrder, runStep, summaryOf } from "./step.mjs";

const DENY_WARNINGS = ["--", "-D", "warnings"];
const cargo = (args, env) => runCommand("cargo", args, { cwd: ROOT, env });
const node = (args) => runCommand(process.execPath, args, { cwd: ROOT });
const tool = (name, args) => node([join("node_modules", ...name.split("/")), ...args]);

/** Everything else reads what the build makes. */
const BUILD = { name: "build", run: build };

/** Cargo locks its target folder, so its steps follow one another. */
const RUST = [
  { name: "cargo fmt", run: () => checkFormat("Cargo.toml", "bindgen/Cargo.toml") },
  { name: "clippy", run: () => cargo(["clippy", "--workspace", "--all-targets", ...DENY_WARNINGS]) },
  {
    name: "clippy, wasm32",
    run: () =>
      cargo(["clippy", "--workspace", "--lib", "--target", "wasm32-unknown-unknown", "--all-features", ...DENY_WARNINGS]),
  },
  { name: "cargo test", run: () => cargo(["test", "--workspace"]) },
  { name: "cargo doc", run: () => cargo(["doc", "--workspace", "--no-deps"], { RUSTDOCFLAGS: "-Dwarnings" }) },
];

const JAVASCRIPT = [
  { name: "Biome", run: () => tool("@biomejs/biome/bin/biome", ["ci", "--error-on-warnings", "."]) },
  { name: "types, sources", run: checkSources },
  { name: "size", run: checkSize },
  { name: "public interface", run: checkApi },
  { name: "reference", run: buildReference },
  { name: "Markdown", run: checkMarkdown },
  { name: "table of runtimes", run: checkTable },
  { name: "JavaScript tests", run: () => testFolder("tests/js") },
  { name: "set-up", run: () => testFolder("tests/setup") },
  { name: "command line", run: () => testFolder("tests/cli") },
  { name: "planted faults", run: testFaults },
  { name: "types, bundler", run: () => tool("typescript/bin/tsc", ["--project", "tests/types/tsconfig.bundler.json"]) },
  { name: "types, nodenext", run: () => tool("typescript/bin/tsc", ["--project", "tests/types/tsconfig.nodenext.json"]) },
];

/** Runs all steps and resolves with the exit code. */
export async function runSteps() {
  process.env.NO_COLOR = "1"; // for the programs that would colour their output even in a pipe
  const tally = { passed: 0, failed: 0, skipped: 0 };
  if ((await runStep(BUILD, tally)) === "passed") {
    await Promise.all([RUST, JAVASCRIPT, packageSteps()].map((steps) => runInOrder(steps, tally)));
  }
  console.log(`\n${summaryOf(tally)}`);
  return tally.failed === 0 ? 0 : 1;
}

/** The sources need the types of the built module. */
async function checkSources() {
  for (const project of ["js", "bin"]) await tool("typescript/bin/tsc", ["--project", project]);
}

async function checkFormat(...manifests) {
  for (const manifest of manifests)
    await cargo(["fmt", "--manifest-path", manifest, "--all", "--check", "--", "--color", "never"]);
}

async function testFaults() {
  await buildPlanted();
  await testFolder("tests/faults");
}

/** By itself the test runner leaves a processor idle; some tests wait for timers and sockets. */
function testFolder(folder) {
  return node(["--test", `--test-concurrency=${availableParallelism()}`, ...filesIn(folder, ".test.mjs")]);
}

/** Node 20's test runner knows no globs. */
function filesIn(folder, ending) {
  const files = readdirSync(join(ROOT, folder)).filter((name) => name.endsWith(ending));
  return files.sort().map((name) => join(folder, name));
}
