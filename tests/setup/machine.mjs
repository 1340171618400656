// A simulated machine: a copy of the scripts, and fake programs.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "../../scripts/paths.mjs";

/** The files that the commands read before the first program runs. */
const FILES = ["scripts", "package.json", "package-lock.json", "rust-toolchain.toml", "Cargo.toml", "Cargo.lock"];

/**
 * Runs a script of this project on a machine that has only these programs, each with its name and its shell script, which
 * can use nothing but the shell itself.
 *
 * @param {string} script a path from the root
 * @param {Record<string, string>} programs
 * @param {{ node?: string }} options `node`: the version that Node pretends to have
 */
export function runOn(script, programs, { node } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "respool-setup-"));
  try {
    for (const file of FILES) cpSync(join(ROOT, file), join(folder, file), { recursive: true });
    const path = join(folder, "programs");
    for (const each of [path, join(folder, "node_modules")]) mkdirSync(each);
    for (const [name, lines] of Object.entries(programs)) {
      writeFileSync(join(path, name), `#!/bin/sh\n${lines}\n`, { mode: 0o755 });
    }
    const pretending = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${node}" } });`;
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [...(node === undefined ? [] : ["--import", `data:text/javascript,${pretending}`]), script],
      { cwd: folder, encoding: "utf8", env: { PATH: path, FOLDER: folder } },
    );
    return { status, stdout, stderr };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
