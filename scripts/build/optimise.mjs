// wasm/respool_bg.wasm → respool.wasm and wasm/names.json in the folder of a build, by Binaryen. It takes some twenty
// seconds, so results are kept.
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
import { BY_NAME, withOrderAsNames } from "./order.mjs";

const STRIP = ["--strip-debug", "--strip-producers"];
// What the module imports and exports has names with hashes in them, which do not compress: see short_names.mjs. Done by
// itself, because everything else may be repeated as long as the module gets smaller.
const RENAME = ["--minify-imports-and-exports-and-modules", "--strip-target-features"];
const ORDER = join(ROOT, "scripts", "build", "order.mjs");
const CACHE = join(TOOLS, "optimised");
const KEPT = 12;

/** `folder`, `wasmOpt` and `isOrdered`: see modules.mjs. */
export async function optimise({ folder, wasmOpt, isOrdered }) {
  const flags = [...wasmOpt, ...STRIP];
  const last = isOrdered ? [...BY_NAME, ...RENAME] : RENAME;
  const input = join(ROOT, folder, "wasm", "respool_bg.wasm");
  const cached = join(CACHE, `${keyOf(input, [flags, last])}.wasm`);
  if (!existsSync(cached)) {
    mkdirSync(CACHE, { recursive: true });
    const unfinished = `${cached}.${process.pid}`;
    await runBinaryen([...flags, input, "-o", unfinished]);
    if (isOrdered) writeFileSync(unfinished, withOrderAsNames(readFileSync(unfinished)));
    writeFileSync(namesOf(cached), await runBinaryen([...last, unfinished, "-o", unfinished]));
    renameSync(unfinished, cached);
    forgetOldest();
  }
  copyChanged(cached, join(ROOT, folder, "respool.wasm"));
  copyChanged(namesOf(cached), join(ROOT, folder, "wasm", "names.json"));
}

/** Where the new names are that the module's imports and exports have. */
const namesOf = (module) => module.replace(/\.wasm$/, ".json");

function copyChanged(from, to) {
  if (!existsSync(to) || !readFileSync(to).equals(readFileSync(from))) copyFileSync(from, to);
}

/** Runs wasm-opt. Resolves with what it prints: the names, when it has made new ones. */
export const runBinaryen = (args) =>
  runCommand(process.execPath, [join(binaryen(), "bin", "wasm-opt"), ...args], { stdoutIsData: true });

function binaryen() {
  return dirname(createRequire(import.meta.url).resolve("binaryen/package.json"));
}

function keyOf(input, flags) {
  const version = JSON.parse(readFileSync(join(binaryen(), "package.json"), "utf8")).version;
  const hash = createHash("sha256").update(JSON.stringify([version, flags]));
  for (const file of [ORDER, input]) hash.update(readFileSync(file));
  return hash.digest("hex");
}

function forgetOldest() {
  const modules = readdirSync(CACHE).filter((name) => name.endsWith(".wasm"));
  const files = modules.map((name) => join(CACHE, name));
  const newestFirst = files.sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  for (const file of newestFirst.slice(KEPT)) for (const one of [file, namesOf(file)]) rmSync(one, { force: true });
}
