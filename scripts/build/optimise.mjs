// wasm/respool_bg.wasm → respool.wasm in the folder of a build, by Binaryen. That takes some twenty seconds, so results
// are cached.
import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { runCommand } from "../run-command.mjs";
import { ROOT, TOOLS } from "../paths.mjs";

const STRIP = ["--strip-debug", "--strip-producers", "--strip-target-features"];
const CACHE = join(TOOLS, "optimised");
const KEPT = 12;

/** `folder` and `wasmOpt`: see modules.mjs. */
export async function optimise({ folder, wasmOpt }) {
  const flags = [...wasmOpt, ...STRIP];
  const input = join(ROOT, folder, "wasm", "respool_bg.wasm");
  const cached = join(CACHE, `${keyOf(input, flags)}.wasm`);
  if (!existsSync(cached)) {
    mkdirSync(CACHE, { recursive: true });
    const unfinished = `${cached}.${process.pid}`;
    await runBinaryen([...flags, input, "-o", unfinished]);
    renameSync(unfinished, cached);
    forgetOldest();
  }
  copyChanged(cached, join(ROOT, folder, "respool.wasm"));
}

function copyChanged(from, to) {
  if (!existsSync(to) || !readFileSync(to).equals(readFileSync(from))) copyFileSync(from, to);
}

/** Runs wasm-opt. */
export const runBinaryen = (args) => runCommand(process.execPath, [join(binaryen(), "bin", "wasm-opt"), ...args]);

function binaryen() {
  return dirname(createRequire(import.meta.url).resolve("binaryen/package.json"));
}

function keyOf(input, flags) {
  const version = JSON.parse(readFileSync(join(binaryen(), "package.json"), "utf8")).version;
  const hash = createHash("sha256").update(JSON.stringify([version, flags]));
  return hash.update(readFileSync(input)).digest("hex");
}

function forgetOldest() {
  const modules = readdirSync(CACHE).filter((name) => name.endsWith(".wasm"));
  const files = modules.map((name) => join(CACHE, name));
  const newestFirst = files.sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  for (const file of newestFirst.slice(KEPT)) rmSync(file, { force: true });
}
