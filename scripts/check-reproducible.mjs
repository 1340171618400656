// npm run check:reproducible: builds the package twice from what git knows, in two folders of different names and
// without anything of an earlier build, and compares the files byte by byte.
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ROOT } from "./paths.mjs";
import "./ready.mjs";

const { orExplain } = await import("./explain.mjs");
const { announced } = await import("./progress.mjs");
const { runCommand } = await import("./run-command.mjs");

const tracked = (await runCommand("git", ["ls-files", "-z"], { cwd: ROOT })).split("\0").filter((path) => path !== "");

/** Builds in a new folder of this name; the hashes of what it made, by file. */
async function buildIn(parent, name) {
  const folder = join(parent, name);
  for (const path of tracked) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(ROOT, path), join(folder, path));
  }
  // The tools are the same for both, and no part of what is compared; their caches are not shared.
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"), "junction");
  mkdirSync(join(folder, ".tools"));
  mkdirSync(join(ROOT, ".tools", "bindgen"), { recursive: true });
  symlinkSync(join(ROOT, ".tools", "bindgen"), join(folder, ".tools", "bindgen"), "junction");
  await announced(`Building in ${folder}`, () =>
    runCommand(process.execPath, ["scripts/build.mjs"], { cwd: folder, env: { CARGO_TARGET_DIR: join(folder, "target") } }),
  );
  const files = readdirSync(join(folder, "pkg")).filter((file) => statSync(join(folder, "pkg", file)).isFile());
  const hash = (file) =>
    createHash("sha256")
      .update(readFileSync(join(folder, "pkg", file)))
      .digest("hex");
  return new Map(files.sort().map((file) => [file, hash(file)]));
}

const parent = mkdtempSync(join(tmpdir(), "respool-reproducible-"));
try {
  const first = await orExplain(() => buildIn(parent, "one"));
  const second = await orExplain(() => buildIn(parent, "another-one-with-a-longer-name"));
  const files = new Set([...first.keys(), ...second.keys()]);
  const different = [...files].filter((file) => first.get(file) !== second.get(file));
  for (const [file, hash] of first) console.log(`${hash}  ${file}`);
  if (different.length > 0 || !files.has("respool.wasm")) {
    console.error(`\nNot the same in both builds: ${different.join(", ") || "there is no module"}`);
    process.exitCode = 1;
  } else {
    console.log(`\nThe ${files.size} files of both builds are the same.`);
  }
} finally {
  rmSync(parent, { recursive: true, force: true });
}
