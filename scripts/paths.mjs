// Where things are.
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
export const TOOLS = join(ROOT, ".tools");
export const PKG = join(ROOT, "pkg");

/** The files that are published, as paths relative to the root. */
export const published = () =>
  readdirSync(PKG)
    .filter((name) => name !== "wasm")
    .sort()
    .map((name) => `pkg/${name}`);
