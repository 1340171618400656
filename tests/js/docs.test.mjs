// Every example in README.md, the guides and the declarations prints what it promises, and has the right types.
import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { ROOT } from "../../scripts/paths.mjs";
import { checkTypes, testSnippets, withoutStars } from "./snippets.mjs";

const read = (path) => readFileSync(join(ROOT, path), "utf8");

/** Returns the files in a folder and its subfolders, as paths from the root. */
function filesUnder(folder, ending) {
  if (!existsSync(join(ROOT, folder))) return [];
  return readdirSync(join(ROOT, folder), { recursive: true })
    .filter((name) => name.endsWith(ending))
    .sort()
    .map((name) => `${folder}/${name.replaceAll("\\", "/")}`);
}

const GUIDES = filesUnder("docs", ".md").map((path) => [path, read(path)]);
const DECLARATIONS = filesUnder("js", ".d.ts").map((path) => [path, withoutStars(read(path))]);
const TEXTS = [["README.md", read("README.md")], ...GUIDES, ...DECLARATIONS];

const files = [];
for (const [path, text] of TEXTS) {
  if (/^```(?:js|ts)$/m.test(text)) describe(path, () => void files.push(...testSnippets(text, path.replace(/\W+/g, "-"))));
}

test("types", async () => assert.equal(await checkTypes(files), ""));
