// The steps of npm test. Each prints one line, and its output only if it fails.
import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { basename, join } from "node:path";
import { buildPlanted } from "../build/quick.mjs";
import { build } from "../build/steps.mjs";
import { buildReference } from "../docs/reference.mjs";
import { declarations, published, ROOT, sources } from "../paths.mjs";
import { runCommand } from "../run-command.mjs";
import { checkTypes } from "./api.mjs";
import { checkMarkdown } from "./markdown.mjs";
import { checkModules, checkPages, modules } from "./size.mjs";
import { packageSteps } from "./package.mjs";
import { checkTable } from "./runtimes/record.mjs";
import { runInOrder, runStep, summaryOf } from "./step.mjs";

/** @import { Step } from "./step.mjs" */

const DENY_WARNINGS = ["--", "-D", "warnings"];
/** The benchmarks have neither tests nor documentation, and criterion takes long to compile. */
const ALL_BUT_BENCHES = ["--workspace", "--exclude", "respool-benches"];
/** @param {string[]} args @param {Record<string, string>} [env] */
const cargo = (args, env = {}) => runCommand("cargo", args, { cwd: ROOT, env });
/** @param {string[]} args */
const node = (args) => runCommand(process.execPath, args, { cwd: ROOT });
/** @param {string} name @param {string[]} args */
const tool = (name, args) => node([join("node_modules", ...name.split("/")), ...args]);

/** All files: tests repeat their random seeds, so unchanged files lead to the same result. */
const everything = () => {
  const files = sources();
  return files && [...files, ...published()];
};

/** Returns the files that the crates' tests and documentation depend on: no JavaScript. */
const ofRust = () => sources()?.filter((name) => RUST_SOURCES.test(name) && !name.endsWith(".mjs"));
const RUST_SOURCES =
  /^(src|tests|benches|bindgen|module-text|proptest-regressions|\.cargo)\/|^(Cargo\.(toml|lock)|rust-toolchain\.toml|docs\/rust\.md)$/;

/** All steps except the Rust ones need the build. @type {Step} */
const BUILD = { name: "build", run: build };

/** Run one after the other, because cargo locks its target folder. @type {Step[]} */
const RUST = [
  { name: "cargo fmt", run: () => checkFormat("Cargo.toml", "bindgen/Cargo.toml") },
  { name: "clippy", run: () => cargo(["clippy", "--workspace", "--all-targets", ...DENY_WARNINGS]) },
  {
    name: "clippy, wasm32",
    run: async () => {
      for (const features of ["--all-features", "--no-default-features"]) {
        await cargo(["clippy", ...ALL_BUT_BENCHES, "--lib", "--target", "wasm32-unknown-unknown", features, ...DENY_WARNINGS]);
      }
    },
  },
  { name: "cargo test", run: () => cargo(["test", ...ALL_BUT_BENCHES]), inputs: ofRust },
  {
    name: "cargo doc",
    run: () => cargo(["doc", ...ALL_BUT_BENCHES, "--no-deps"], { RUSTDOCFLAGS: "-Dwarnings" }),
    inputs: ofRust,
  },
];

/** The projects with JavaScript to check, and what they import from elsewhere. @type {Record<string, string[]>} */
const PROJECTS = {
  js: ["pkg/module.js", "pkg/module-core.js", "pkg/module-encode.js", "pkg/module-fast-text.js", "package.json"],
  bin: ["js"],
  scripts: ["bench", "tests/browser", "tests/fixtures/quirks", "tests/package"],
  www: [],
  bench: ["tests/fixtures/quirks"],
};

/** @type {Step[]} */
const JAVASCRIPT = [
  { name: "Biome", run: () => tool("@biomejs/biome/bin/biome", ["ci", "--error-on-warnings", "."]) },
  ...Object.keys(PROJECTS).map(typesOf),
  { name: "size of the modules", run: checkModules, inputs: modules },
  { name: "size of pages", run: checkPages, inputs: published },
  { name: "public interface", run: checkTypes, inputs: () => [...declarations(), "api"] },
  { name: "reference", run: buildReference },
  { name: "Markdown", run: checkMarkdown, inputs: everything },
  { name: "table of runtimes", run: checkTable },
  {
    name: "table of quirks",
    run: () => node([join("scripts", "quirks", "run.mjs")]),
    inputs: () => [...published(), "bench/quirks", "tests/fixtures/quirks", "docs/quirks.md"],
  },
  { name: "JavaScript tests", run: testJavaScript, inputs: everything },
  { name: "set-up", run: () => testFolder("tests/setup"), inputs: everything },
  { name: "command line", run: () => testFolder("tests/cli"), inputs: everything },
  { name: "planted faults", run: testFaults, inputs: everything },
  {
    name: "types, bundler",
    run: () => checkProject("tests/types/tsconfig.bundler.json"),
    inputs: () => [...declarations(), "tests/types"],
  },
  {
    name: "types, nodenext",
    run: () => checkProject("tests/types/tsconfig.nodenext.json"),
    inputs: () => [...declarations(), "tests/types"],
  },
  {
    name: "types, exact",
    run: () => checkProject("tests/types/exact"),
    inputs: () => [...declarations(), "tests/types"],
  },
];

/** Runs all steps and resolves with the exit code. */
export async function runSteps() {
  process.env.NO_COLOR = "1"; // some programs colour their output even in a pipe
  const tally = { passed: 0, failed: 0, skipped: 0 };
  const built = async () => {
    if ((await runStep(BUILD, tally)) !== "passed") return;
    await Promise.all([JAVASCRIPT, packageSteps()].map((steps) => runInOrder(steps, tally)));
  };
  await Promise.all([runInOrder(RUST, tally), built()]);
  console.log(`\n${summaryOf(tally)}`);
  return tally.failed === 0 ? 0 : 1;
}

/** @param {string} project a folder with a tsconfig.json, or such a file */
const checkProject = (project) => tool("typescript-native/bin/tsc", ["--project", project]);

/** @param {string} project @returns {Step} */
function typesOf(project) {
  const inputs = () => [...declarations(), "pkg/wasm/respool.d.ts", "tsconfig.base.json", project, ...PROJECTS[project]];
  return { name: `types, ${project}`, run: () => checkProject(project), inputs };
}

/** @param {string[]} manifests */
async function checkFormat(...manifests) {
  for (const manifest of manifests)
    await cargo(["fmt", "--manifest-path", manifest, "--all", "--check", "--", "--color", "never"]);
}

async function testFaults() {
  await buildPlanted();
  await testFolder("tests/faults");
}

/** Many files share a process: see tests/js/together.mjs. */
function testJavaScript() {
  /** @type {string[]} */
  const together = JSON.parse(readFileSync(join(ROOT, "tests", "js", "together.json"), "utf8"));
  const others = filesIn(join("tests", "js"), ".test.mjs").filter((path) => !together.includes(basename(path)));
  return runTests([join("tests", "js", "together.mjs"), ...others]);
}

/** @param {string} folder */
const testFolder = (folder) => runTests(filesIn(folder, ".test.mjs"));

/**
 * Some tests wait for timers and sockets: with its default concurrency, the test runner leaves a processor idle. This reporter
 * repeats the failures at the end, where they are easy to find among thousands of tests.
 *
 * @param {string[]} files
 */
function runTests(files) {
  return node(["--test", "--test-reporter=spec", `--test-concurrency=${availableParallelism()}`, ...files]);
}

/** Node 20's test runner doesn't support globs. @param {string} folder @param {string} ending */
function filesIn(folder, ending) {
  const files = readdirSync(join(ROOT, folder)).filter((name) => name.endsWith(ending));
  return files.sort().map((name) => join(folder, name));
}
