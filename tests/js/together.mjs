// Runs the test files of together.json in one process, because apart, starting Node and compiling the module anew is most of
// their time. Files that change anything global, or measure time or memory, stay out; each of these also runs on its own.
import { readFileSync } from "node:fs";

const files = JSON.parse(readFileSync(new URL("together.json", import.meta.url), "utf8"));
for (const file of files) await import(`./${file}`);
