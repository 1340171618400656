// Every example in the documentation comments of the interface does what it says, and has the right types.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { ROOT } from "../../scripts/paths.mjs";
import { promisedBy, SnippetFolder, snippetsIn, withoutStars } from "./snippets.mjs";

describe("js/api.d.ts", () => {
  const snippets = snippetsIn(withoutStars(readFileSync(join(ROOT, "js", "api.d.ts"), "utf8")));
  const folder = new SnippetFolder("api");

  test("has examples", () => assert.ok(snippets.length >= 6, `only ${snippets.length} were found`));

  for (const snippet of snippets) {
    test(`line ${snippet.line}`, async () => {
      assert.notEqual(promisedBy(snippet).length, 0, "an example says what it prints");
      assert.deepEqual(await folder.run(snippet), promisedBy(snippet));
    });
  }

  test("types", async () => assert.equal(await folder.check(snippets), ""));
});
