// The slim entry as a file of its own each time: not every runtime takes a query for another module.
import { copyFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

let copies = 0;

/** Loads a copy of `entry`, the URL of `respool/slim`, that nothing else has loaded. */
export async function freshCopy(entry) {
  copies += 1;
  const copy = entry.replace(/\.js$/, `-${copies}.js`);
  copyFileSync(fileURLToPath(entry), fileURLToPath(copy));
  return import(copy);
}
