// Rust → the `wasm` folder of a build: the module as wasm-bindgen leaves it, its JavaScript glue, and the generated types.
import { existsSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { ROOT, TOOLS } from "../paths.mjs";
import { runCommand } from "../run-command.mjs";
import { whenChanged } from "./stamp.mjs";

const TARGET = "wasm32-unknown-unknown";

/** `folder` and `cargo`: see modules.mjs. `report` gets the progress. */
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

let bindgen;

/** The path of the tool in bindgen/, compiled once for all modules. It has a target folder of its own, so that cargo compiles it beside them. */
function builtBindgen() {
  bindgen ??= build([
    ...["--manifest-path", join(ROOT, "bindgen", "Cargo.toml"), "--locked"],
    ...["--target-dir", join(TOOLS, "bindgen")],
  ]).then((artifacts) => artifacts.findLast(({ executable }) => executable !== null).executable);
  return bindgen;
}

/**
 * Panics name source files. Without the folders of this machine the names are shorter, and two machines make the
 * same module. Cargo adds these flags to those in .cargo/config.toml.
 */
function anonymousPaths() {
  const sources = join(process.env.CARGO_HOME ?? join(homedir(), ".cargo"), "registry", "src");
  const registries = existsSync(sources) ? readdirSync(sources).map((name) => join(sources, name)) : [];
  return [...registries, ROOT].map((folder) => `--remap-path-prefix=${folder}/=`);
}

/** With it, what is left on the stack by a call that failed can be taken off: see js/guard.js. */
const STACK_POINTER = "-Clink-arg=--export=__stack_pointer";

/** Compiles a library, and resolves with the path of its module: that depends on the user's settings. */
export async function cargoBuild(options, report) {
  // The sources must be there before their folders can be named.
  await runCommand("cargo", ["fetch", "--locked", "--target", TARGET], { cwd: ROOT });
  const artifacts = await build(
    [
      ...[...options, "--target", TARGET, "--lib"],
      ...["--config", `target.${TARGET}.rustflags=${JSON.stringify([...anonymousPaths(), STACK_POINTER])}`],
    ],
    report,
  );
  const module = artifacts.flatMap(({ filenames }) => filenames).findLast((file) => file.endsWith(".wasm"));
  if (module === undefined) throw new Error("cargo build made no WebAssembly module: is the crate type still cdylib?");
  return module;
}

/** Runs cargo build, and resolves with its messages on what it has compiled. */
async function build(options, report = () => {}) {
  let crates = 0;
  const messages = await runCommand("cargo", ["build", ...options, "--message-format", "json-render-diagnostics"], {
    cwd: ROOT,
    stdoutIsData: true,
    onLine: (line) => {
      if (/^\s*Compiling /.test(line)) report(`${++crates} crates`);
    },
  });
  return messages
    .split("\n")
    .filter((line) => line.startsWith('{"reason":"compiler-artifact"'))
    .map((line) => JSON.parse(line));
}
