// Readers can find every guide: the README links to the index, and the index to each page. The Markdown check covers all
// other links.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ROOT } from "../../scripts/paths.mjs";

const read = (path) => readFileSync(join(ROOT, path), "utf8");

test("the index links to every guide", () => {
  const guides = readdirSync(join(ROOT, "docs")).filter((name) => name.endsWith(".md") && name !== "README.md");
  const index = read("docs/README.md");
  assert.deepEqual(
    guides.filter((name) => !new RegExp(`\\]\\(${name}[)#]`).test(index)),
    [],
  );
});

test("the README links to the index", () => assert.match(read("README.md"), /\]\(docs\/README\.md\)/));
