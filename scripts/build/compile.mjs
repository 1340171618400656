// Rust → the `wasm` folder of a build: the output of wasm-bindgen, which is the module, its JavaScript glue and its types.
import { existsSync, readdirSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import { ROOT, TOOLS } from "../paths.mjs";
import { runCommand } from "../run-command.mjs";
import { whenChanged } from "./stamp.mjs";

/** @import { Module } from "./modules.mjs" */

/** Receives progress messages. @typedef {(progress: string) => void} Report */

/** Cargo's message about a compiled crate. @typedef {{ filenames: string[], executable: string | null, fresh: boolean }} Artifact */

const TARGET = "wasm32-unknown-unknown";

/** @param {Module} module @param {Report} [report] */
export async function compile({ folder, cargo }, report) {
  await whenChanged(
    `compile ${folder}`,
    {
      inputs: ["src", "bindgen", "Cargo.toml", "Cargo.lock", "rust-toolchain.toml", ".cargo", "scripts/build/compile.mjs"],
      outputs: ["respool.js", "respool.d.ts", "respool_bg.wasm"].map((name) => `${folder}/wasm/${name}`),
    },
    async () => {
      const [module, bindgen] = await Promise.all([cargoBuild(cargo, report), builtBindgen()]);
      await runCommand(bindgen, [module, join(ROOT, folder, "wasm")]);
    },
  );
}

/** @type {Promise<string> | undefined} */
let bindgen;

/** Returns the path of the tool in bindgen/, compiled once for all modules. Its own target folder lets cargo compile it in parallel. */
function builtBindgen() {
  bindgen ??= build([
    ...["build", "--manifest-path", join(ROOT, "bindgen", "Cargo.toml"), "--locked"],
    ...["--target-dir", join(TOOLS, "bindgen")],
  ]).then((artifacts) => {
    const executable = artifacts.findLast((artifact) => artifact.executable !== null)?.executable;
    if (executable == null) throw new Error("cargo built no executable from bindgen/");
    return executable;
  });
  return bindgen;
}

/**
 * Panic messages contain the paths of source files. Without the folders of this machine they are shorter, and two machines
 * build the same module. Cargo adds these flags to those in .cargo/config.toml.
 */
function anonymousPaths() {
  const sources = join(process.env.CARGO_HOME ?? join(homedir(), ".cargo"), "registry", "src");
  const registries = existsSync(sources) ? readdirSync(sources).map((name) => join(sources, name)) : [];
  return [...registries, ROOT].map((folder) => `--remap-path-prefix=${folder}/=`);
}

/** js/guard.js resets the stack pointer after a failed call. */
const STACK_POINTER = "-Clink-arg=--export=__stack_pointer";

/**
 * Compiles a library.
 *
 * @param {string[]} options of cargo build
 * @param {Report} [report]
 * @returns {Promise<string>} the path of its module, which depends on the user's settings
 */
export async function cargoBuild(options, report) {
  // The folders of the sources are unknown before they are fetched.
  await runCommand("cargo", ["fetch", "--locked", "--target", TARGET], { cwd: ROOT });
  const all = [
    // Cargo optimises across crates only if it builds no other crate type: the manifest also requests a Rust library.
    ...["rustc", "--crate-type", "cdylib", ...options, "--target", TARGET, "--lib"],
    ...["--config", `target.${TARGET}.rustflags=${JSON.stringify([...anonymousPaths(), STACK_POINTER])}`],
  ];
  const artifacts = await build(all, report);
  const module = moduleOf(artifacts);
  if (!module.isFresh) return module.file;
  // Builds with different features write the same file, so it may be another build's. Cargo writes it again once it is gone.
  for (const folder of ["", "deps"]) rmSync(join(dirname(module.file), folder, basename(module.file)), { force: true });
  return moduleOf(await build(all)).file;
}

/** Returns the module that cargo built, and whether it was up to date already. @param {Artifact[]} artifacts */
function moduleOf(artifacts) {
  const isModule = (/** @type {string} */ file) => file.endsWith(".wasm");
  const artifact = artifacts.findLast(({ filenames }) => filenames.some(isModule));
  const file = artifact?.filenames.find(isModule);
  if (file === undefined) throw new Error("cargo built no WebAssembly module: is the crate type still cdylib?");
  return { file, isFresh: artifact?.fresh === true };
}

/** Runs a command of cargo that builds. @param {string[]} options @param {Report} [report] @returns {Promise<Artifact[]>} */
async function build(options, report = () => {}) {
  let crates = 0;
  const messages = await runCommand("cargo", [...options, "--message-format", "json-render-diagnostics"], {
    cwd: ROOT,
    stdoutIsData: true,
    onLine: (line) => {
      if (!/^\s*Compiling /.test(line)) return;
      crates += 1;
      report(`${crates} crates`);
    },
  });
  return messages
    .split("\n")
    .filter((line) => line.startsWith('{"reason":"compiler-artifact"'))
    .map((line) => JSON.parse(line));
}
