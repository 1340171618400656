// pkg/wasm/respool_bg.wasm → pkg/respool.wasm and pkg/wasm/names.json, by Binaryen. It takes some twenty seconds, so
// results are kept.
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { runCommand } from "../run-command.mjs";
import { GLUE, PKG, TOOLS } from "../paths.mjs";

// The features in use are named in the module itself by rustc, so none are named here.
// Inlining functions that are called once, and sharing subexpressions, makes the module larger when it is
// compressed. Rust never uses the lowest addresses. Control flow that is laid out anew is smaller, and no slower.
const FLAGS = [
  ...["--flatten", "--rereloop", "-Oz", "--converge"],
  // Inlining what is hardly more than its call: 0.8 KB for a twentieth of the time.
  "--always-inline-max-function-size=8",
  ...["--one-caller-inline-max-function-size=0", "--low-memory-unused", "--skip-pass=local-cse"],
  ...["--strip-debug", "--strip-producers"],
];
// What the module imports and exports has names with hashes in them, which do not compress: see short_names.mjs. Done by
// itself, because everything above is repeated as long as the module gets smaller.
const RENAME = ["--minify-imports-and-exports-and-modules", "--strip-target-features"];
const CACHE = join(TOOLS, "optimised");
const KEPT = 8;

export async function optimise() {
  const input = join(GLUE, "respool_bg.wasm");
  const cached = join(CACHE, `${keyOf(input)}.wasm`);
  if (!existsSync(cached)) {
    mkdirSync(CACHE, { recursive: true });
    const unfinished = `${cached}.${process.pid}`;
    await wasmOpt([...FLAGS, input, "-o", unfinished]);
    const names = await wasmOpt([...RENAME, unfinished, "-o", unfinished]);
    writeFileSync(namesOf(cached), names);
    renameSync(unfinished, cached);
    forgetOldest();
  }
  copyChanged(cached, join(PKG, "respool.wasm"));
  copyChanged(namesOf(cached), join(GLUE, "names.json"));
}

/** Where the new names are that the module's imports and exports have. */
const namesOf = (module) => module.replace(/\.wasm$/, ".json");

function copyChanged(from, to) {
  if (!existsSync(to) || !readFileSync(to).equals(readFileSync(from))) copyFileSync(from, to);
}

const wasmOpt = (args) =>
  runCommand(process.execPath, [join(binaryen(), "bin", "wasm-opt"), ...args], { stdoutIsData: true });

function binaryen() {
  return dirname(createRequire(import.meta.url).resolve("binaryen/package.json"));
}

function keyOf(input) {
  const version = JSON.parse(readFileSync(join(binaryen(), "package.json"), "utf8")).version;
  return createHash("sha256").update(JSON.stringify([version, FLAGS, RENAME])).update(readFileSync(input)).digest("hex");
}

function forgetOldest() {
  const modules = readdirSync(CACHE).filter((name) => name.endsWith(".wasm"));
  const files = modules.map((name) => join(CACHE, name));
  const newestFirst = files.sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  for (const file of newestFirst.slice(KEPT)) for (const one of [file, namesOf(file)]) rmSync(one, { force: true });
}
