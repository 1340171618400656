// Copies of the slim entry, each in its own file: not every runtime loads a URL with another query as a new module.
import { copyFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Loads a fresh copy of `entry`, the URL of `respool/slim`. */
export async function freshCopy(entry) {
  const copy = entry.replace(/\.js$/, `-${crypto.randomUUID()}.js`);
  copyFileSync(fileURLToPath(entry), fileURLToPath(copy));
  return import(copy);
}
