// Rust → the `wasm` folder of a build: the module as wasm-bindgen leaves it, its JavaScript glue, and the generated types.
import { existsSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { runCommand } from "../run-command.mjs";
import { ROOT, WASM_BINDGEN } from "../paths.mjs";
import { whenChanged } from "./stamp.mjs";

const TARGET = "wasm32-unknown-unknown";

/** `folder` and `cargo`: see modules.mjs. */
export async function compile({ folder, cargo }) {
  await whenChanged(
    `compile ${folder}`,
    {
      inputs: ["src", "Cargo.toml", "Cargo.lock", "rust-toolchain.toml", ".cargo", "scripts/build/compile.mjs"],
      outputs: ["respool.js", "respool.d.ts", "respool_bg.wasm"].map((name) => `${folder}/wasm/${name}`),
    },
    async () => {
      const module = await cargoBuild(cargo);
      await runCommand(WASM_BINDGEN, [
        ...["--target", "web", "--omit-default-module-path"],
        // Objects know the instance that they belong to: see js/guard.js.
        "--experimental-reset-state-function",
        ...["--out-dir", join(ROOT, folder, "wasm"), "--out-name", "respool", module],
      ]);
    },
  );
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
export async function cargoBuild(options) {
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
