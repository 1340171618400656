// The slim entry as a file of its own each time: not every runtime takes a query for another module.
import { copyFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Loads a copy of `entry`, the URL of `respool/slim`, that nothing else has loaded. */
export async function freshCopy(entry) {
  const copy = entry.replace(/\.js$/, `-${crypto.randomUUID()}.js`);
  copyFileSync(fileURLToPath(entry), fileURLToPath(copy));
  return import(copy);
}
