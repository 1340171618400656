// Where things are.
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
export const TOOLS = join(ROOT, ".tools");
export const PKG = join(ROOT, "pkg");
