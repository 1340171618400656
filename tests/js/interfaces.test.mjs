// js/interfaces.js is the table of interfaces. The compiler compares it with the module's; these tests compare all other
// lists with it.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { INTERFACES } from "../../js/interfaces.js";
import { ROOT } from "../../scripts/paths.mjs";

const ALL = Object.keys(INTERFACES);
const WITH_MESSAGES = ALL.filter((api) => INTERFACES[api]);
/** Workers AI is only read: it has no requests of its own. */
const WITH_TOOLS = WITH_MESSAGES.filter((api) => api !== "workers-ai");

/** Returns the first names in code of each row of a file's tables, in one column. @param {string} path @param {number} column */
function namesIn(path, column) {
  const rows = readFileSync(join(ROOT, path), "utf8").matchAll(/^\|(.*)\|$/gm);
  const cells = [...rows].map(([, row]) => row.split("|")[column] ?? "");
  return cells.map((cell) => cell.match(/^ `"?([\w-]+)"?`/)?.[1]).filter((name) => ALL.includes(name));
}

const TABLES = [
  ["README.md", 3, ALL],
  ["docs/providers.md", 0, ALL],
  ["docs/request-runner.md", 0, WITH_TOOLS],
];
for (const [path, column, expected] of TABLES) {
  test(`${path} has a row for each interface`, () => assert.deepEqual(namesIn(path, column).sort(), [...expected].sort()));
}

test("docs/converters.md names each interface with messages", () => {
  const text = readFileSync(join(ROOT, "docs", "converters.md"), "utf8");
  for (const api of WITH_MESSAGES) assert.ok(text.includes(`\`"${api}"\``), api);
});

test("each interface has fixtures", () => {
  const folders = readdirSync(join(ROOT, "tests", "fixtures"));
  for (const api of ALL) assert.ok(folders.includes(api), api);
});

test("CONTRIBUTING.md names each file that has lines for one of the providers", () => {
  const [, section] = /^## Add a provider$(.*?)^## /ms.exec(readFileSync(join(ROOT, "CONTRIBUTING.md"), "utf8"));
  const files = ["src", "js"].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true }).map((path) => `${folder}/${path.replaceAll("\\", "/")}`),
  );
  const ofCohere = files.filter((path) => {
    if (!/\.(rs|[jt]s)$/.test(path) || path.startsWith("src/provider/cohere_chat/")) return false;
    return /cohere[-_]chat|CohereChat|"cohere"/.test(readFileSync(join(ROOT, path), "utf8"));
  });
  assert.ok(ofCohere.length > 5, ofCohere.join());
  for (const path of [...ofCohere, "Cargo.toml"]) assert.ok(section.includes(`\`${path}\``), path);
});
