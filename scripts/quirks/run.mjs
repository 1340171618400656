// Checks the table in docs/quirks.md against the last build, or writes it with --accept.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../paths.mjs";
import { tableOf, withTable } from "./table.mjs";

const PAGE = join(ROOT, "docs", "quirks.md");

const page = readFileSync(PAGE, "utf8").replaceAll("\r\n", "\n");
const current = withTable(page, await tableOf());
if (process.argv.includes("--accept")) {
  writeFileSync(PAGE, current);
} else if (current !== page) {
  console.error("The tables in docs/quirks.md are out of date. Run `npm run quirks -- --accept`.");
  process.exitCode = 1;
}
