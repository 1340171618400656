// The module as text, and the small module that unpacks it, both made by the crate in module-text/.
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../paths.mjs";
import { runCommand } from "../run-command.mjs";
import { cargoBuild } from "./compile.mjs";
import { runBinaryen } from "./optimise.mjs";
import { whenChanged } from "./stamp.mjs";

const CRATE = "respool-module-text";
const UNPACKER = "target/module-text/unpack.wasm";

/** Everything that the text depends on, besides the module. */
export const INPUTS = ["module-text", "Cargo.toml", "Cargo.lock", "rust-toolchain.toml", ".cargo"];

export async function compileUnpacker() {
  await whenChanged("unpacker", { inputs: INPUTS, outputs: [UNPACKER] }, async () => {
    const module = await cargoBuild(["--release", "--package", CRATE]);
    mkdirSync(join(ROOT, UNPACKER, ".."), { recursive: true });
    const flags = ["-Oz", "--strip-debug", "--strip-producers", "--strip-target-features"];
    await runBinaryen([...flags, module, "-o", join(ROOT, UNPACKER)]);
  });
}

/** Returns the module in `file`, packed for js/entries/module_text.js. @param {string} file */
export async function textOf(file) {
  const pack = ["run", "--quiet", "--package", CRATE, "--", join(ROOT, file)];
  /** @type {{ order: number[], sizes: number[] }} */
  const { order, sizes, ...rest } = JSON.parse(await runCommand("cargo", pack, { cwd: ROOT, stdoutIsData: true }));
  const header = Buffer.alloc(order.length + 4 * sizes.length);
  header.set(order);
  for (const [index, size] of sizes.entries()) header.writeUInt32LE(size, order.length + 4 * index);
  const unpacker = readFileSync(join(ROOT, UNPACKER)).toString("base64");
  return { unpacker, header: header.toString("base64"), size: sizes.reduce((sum, size) => sum + size), ...rest };
}
