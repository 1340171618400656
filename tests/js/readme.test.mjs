// Every example of README.md does what it says, and has the right types.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { ROOT } from "../../scripts/paths.mjs";
import { promisedBy, SnippetFolder, snippetsIn } from "./snippets.mjs";

describe("README.md", () => {
  const snippets = snippetsIn(readFileSync(join(ROOT, "README.md"), "utf8"));
  const folder = new SnippetFolder("readme");

  test("has examples", () => assert.ok(snippets.length >= 8, `only ${snippets.length} were found`));

  for (const snippet of snippets) {
    test(`line ${snippet.line}`, async () => {
      assert.notEqual(promisedBy(snippet).length, 0, "an example says what it prints");
      assert.deepEqual(await folder.run(snippet), promisedBy(snippet));
    });
  }

  test("types", async () => assert.equal(await folder.check(snippets), ""));
});
