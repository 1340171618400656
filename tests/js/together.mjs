// Runs the small test files of together.json in one process, because apart most of their time is the start of Node. Files that
// change anything global, or measure time or memory, stay apart; each of these runs apart too.
import { readFileSync } from "node:fs";

const files = JSON.parse(readFileSync(new URL("together.json", import.meta.url), "utf8"));
for (const file of files) await import(`./${file}`);
