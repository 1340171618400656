// pkg/wasm/respool_bg.wasm → pkg/respool.wasm, by Binaryen. It takes some twenty seconds, so results are kept.
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
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
  ...["--strip-debug", "--strip-producers", "--strip-target-features"],
];
const CACHE = join(TOOLS, "optimised");
const KEPT = 8;

export async function optimise() {
  const input = join(GLUE, "respool_bg.wasm");
  const cached = join(CACHE, `${keyOf(input)}.wasm`);
  if (!existsSync(cached)) {
    mkdirSync(CACHE, { recursive: true });
    const unfinished = `${cached}.${process.pid}`;
    await runCommand(process.execPath, [join(binaryen(), "bin", "wasm-opt"), ...FLAGS, input, "-o", unfinished]);
    renameSync(unfinished, cached);
    forgetOldest();
  }
  const output = join(PKG, "respool.wasm");
  if (!existsSync(output) || !readFileSync(output).equals(readFileSync(cached))) copyFileSync(cached, output);
}

function binaryen() {
  return dirname(createRequire(import.meta.url).resolve("binaryen/package.json"));
}

function keyOf(input) {
  const version = JSON.parse(readFileSync(join(binaryen(), "package.json"), "utf8")).version;
  return createHash("sha256").update(JSON.stringify([version, FLAGS])).update(readFileSync(input)).digest("hex");
}

function forgetOldest() {
  const files = readdirSync(CACHE).map((name) => join(CACHE, name));
  const newestFirst = files.sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  newestFirst.slice(KEPT).forEach((file) => rmSync(file));
}
