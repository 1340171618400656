// Rust → pkg/wasm: the module as wasm-bindgen leaves it, its JavaScript glue, and the generated types.
import { existsSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { runCommand } from "../run-command.mjs";
import { GLUE, ROOT, WASM_BINDGEN } from "../paths.mjs";
import { whenChanged } from "./stamp.mjs";

const TARGET = "wasm32-unknown-unknown";

/** The module that everybody loads. */
export const compile = () => compileModule("respool", ["--release"]);

/** The module of the command line, made for speed. */
export const compileBatch = () => compileModule("batch", ["--profile", "batch", "--features", "batch"]);

async function compileModule(name, options) {
  await whenChanged(
    `compile-${name}`,
    {
      inputs: ["src", "Cargo.toml", "Cargo.lock", "rust-toolchain.toml", ".cargo", "scripts/build/compile.mjs"],
      outputs: [`pkg/wasm/${name}.js`, `pkg/wasm/${name}.d.ts`, `pkg/wasm/${name}_bg.wasm`],
    },
    () => compileTo(GLUE, name, options),
  );
}

/** Compiles with these options of cargo, and writes the module and its glue into a folder. */
export async function compileTo(folder, name, options) {
  const module = await cargoBuild(options);
  await runCommand(WASM_BINDGEN, [
    ...["--target", "web", "--omit-default-module-path"],
    // Objects know the instance that they belong to: see js/guard.js.
    "--experimental-reset-state-function",
    ...["--out-dir", folder, "--out-name", name, module],
  ]);
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

/** Compiles, and answers where cargo has put the module: that depends on the user's settings. */
async function cargoBuild(options) {
  // The sources must be there before their folders can be named.
  await runCommand("cargo", ["fetch", "--locked", "--target", TARGET], { cwd: ROOT });
  const messages = await runCommand(
    "cargo",
    [
      ...["build", ...options, "--target", TARGET, "--lib", "--message-format", "json-render-diagnostics"],
      ...["--config", `target.${TARGET}.rustflags=${JSON.stringify([...anonymousPaths(), STACK_POINTER])}`],
    ],
    { cwd: ROOT, stdoutIsData: true },
  );
  const module = messages
    .split("\n")
    .filter((line) => line.startsWith('{"reason":"compiler-artifact"'))
    .flatMap((line) => JSON.parse(line).filenames)
    .findLast((file) => file.endsWith(".wasm"));
  if (module === undefined) throw new Error("cargo build made no WebAssembly module: is the crate type still cdylib?");
  return module;
}
