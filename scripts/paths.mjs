// The paths of folders and files.
import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
export const TOOLS = join(ROOT, ".tools");
export const PKG = join(ROOT, "pkg");

/** Returns the files that are published, as paths relative to the root. */
export const published = () =>
  readdirSync(PKG)
    .filter((name) => name !== "wasm")
    .sort()
    .map((name) => `pkg/${name}`);

/** Returns the types that are published, as paths relative to the root. */
export const declarations = () => published().filter((name) => /\.d\.c?ts$/.test(name));

/** Returns the files of the repository, also new ones, as paths relative to the root; `undefined` without Git. */
export function sources() {
  try {
    const list = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
      cwd: ROOT,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    return list.split("\0").filter(Boolean);
  } catch {
    return undefined;
  }
}
