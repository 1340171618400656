// npm run check:reproducible: builds the package twice from the files in git, in differently named folders and without
// anything from earlier builds, and compares the results byte by byte.
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ROOT } from "./paths.mjs";
import "./ready.mjs";

const { orExplain } = await import("./explain.mjs");
const { announced } = await import("./progress.mjs");
const { runCommand } = await import("./run-command.mjs");

const tracked = (await runCommand("git", ["ls-files", "-z"], { cwd: ROOT })).split("\0").filter((path) => path !== "");

/**
 * Builds in a new folder.
 *
 * @param {string} parent
 * @param {string} name
 * @returns {Promise<Map<string, string>>} the hash of each built file
 */
async function buildIn(parent, name) {
  const folder = join(parent, name);
  for (const path of tracked) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(ROOT, path), join(folder, path));
  }
  // Both builds share the tools, but not their caches.
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"), "junction");
  mkdirSync(join(folder, ".tools"));
  mkdirSync(join(ROOT, ".tools", "bindgen"), { recursive: true });
  symlinkSync(join(ROOT, ".tools", "bindgen"), join(folder, ".tools", "bindgen"), "junction");
  await announced(`Building in ${folder}`, () =>
    runCommand(process.execPath, ["scripts/build.mjs"], { cwd: folder, env: { CARGO_TARGET_DIR: join(folder, "target") } }),
  );
  const files = readdirSync(join(folder, "pkg")).filter((file) => statSync(join(folder, "pkg", file)).isFile());
  return new Map(files.sort().map((file) => [file, hashOf(join(folder, "pkg", file))]));
}

/** @param {string} path */
const hashOf = (path) => createHash("sha256").update(readFileSync(path)).digest("hex");

const parent = mkdtempSync(join(tmpdir(), "respool-reproducible-"));
try {
  const first = await orExplain(() => buildIn(parent, "one"));
  const second = await orExplain(() => buildIn(parent, "another-one-with-a-longer-name"));
  const files = new Set([...first.keys(), ...second.keys()]);
  const different = [...files].filter((file) => first.get(file) !== second.get(file));
  for (const [file, hash] of first) console.log(`${hash}  ${file}`);
  if (different.length > 0 || !files.has("respool.wasm")) {
    console.error(`\nThe builds differ: ${different.join(", ") || "respool.wasm is missing"}`);
    process.exitCode = 1;
  } else {
    console.log(`\nThe ${files.size} files of both builds are identical.`);
  }
} finally {
  rmSync(parent, { recursive: true, force: true });
}
