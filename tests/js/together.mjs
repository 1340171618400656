// Runs the test files of together.json in one process: separately, they would spend most of their time starting Node and
// compiling the module. Files that change globals, or measure time or memory, stay out. Each file also runs alone.
import { readFileSync } from "node:fs";

const files = JSON.parse(readFileSync(new URL("together.json", import.meta.url), "utf8"));
for (const file of files) await import(`./${file}`);
