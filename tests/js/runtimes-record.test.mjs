// Comparing outcomes with the record of runtimes, and generating the table from it.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { differencesTo, tableOf, updated } from "../../scripts/test/runtimes/record.mjs";

const entry = (runtime, version, form, result = "passed") => ({ runtime, version, form, result });
const recorded = (...entries) => entries.map((each) => ({ command: "test:runtimes", ...each }));
const NODES = [entry("Node", "20.20.2", "`import`"), entry("Node", "22.23.3", "`import`")];

describe("a run and the record", () => {
  const differences = (...outcomes) => differencesTo(recorded(...NODES), "test:runtimes", outcomes);

  test("match if only a patch version differs", () => {
    assert.deepEqual(differences(NODES[0], entry("Node", "22.23.9", "`import`")), []);
  });

  test("differ in a version, a form, a result or a missing entry", () => {
    assert.deepEqual(differences(NODES[0], entry("Node", "22.24.0", "`import`")), [
      "Node 22.24, `import`: passed, but not in the record",
      "Node 22.23, `import`: in the record, but didn't run",
    ]);
    assert.deepEqual(differences(...NODES, entry("Bun", "1.4.5", "`import`")), [
      "Bun 1.4, `import`: passed, but not in the record",
    ]);
    assert.deepEqual(differences(NODES[0], { ...NODES[1], result: "failed" }), [
      "Node 22.23, `import`: failed, but passed in the record",
    ]);
    assert.deepEqual(differences(NODES[0]), ["Node 22.23, `import`: in the record, but didn't run"]);
  });

  test("match if an entry was skipped, which stays in the record", () => {
    const skipped = { ...NODES[1], result: "skipped" };
    assert.deepEqual(differences(NODES[0], skipped), []);
    assert.deepEqual(updated(recorded(...NODES), "test:runtimes", [NODES[0], skipped]), recorded(...NODES));
  });

  test("merge if only some runtimes ran", () => {
    const newer = entry("Node", "22.23.9", "`import`");
    const worker = entry("Node", "22.23.9", "a worker thread");
    assert.deepEqual(updated(recorded(...NODES), "test:runtimes", [newer, worker], true), recorded(NODES[0], newer, worker));
  });

  test("leave the entries of another command alone", () => {
    const page = { command: "test:browser", ...entry("Chromium", "150.0.1", "a page") };
    const record = [page, ...recorded(...NODES)];
    assert.deepEqual(differencesTo(record, "test:runtimes", NODES), []);
    assert.deepEqual(updated(record, "test:runtimes", [NODES[0]]), [...recorded(NODES[0]), page]);
  });
});

describe("the table", () => {
  const rowsOf = (...entries) =>
    tableOf(recorded(...entries))
      .split("\n")
      .slice(2, -1);

  test("has a row for each runtime, with its versions and forms", () => {
    const [node, bun, ...others] = rowsOf(entry("Bun", "1.4.5", "`import`"), ...NODES, entry("Node", "22.23.3", "`require`"));
    assert.match(node, /^\| Node \| 20\.20, 22\.23 \| ✓ `import`<br>✓ `require` \|/);
    assert.match(bun, /^\| Bun \| 1\.4 \| ✓ `import` \|/);
    assert.deepEqual(others, []);
  });

  test("names the versions in which a form fails", () => {
    const [node] = rowsOf(NODES[0], { ...NODES[1], result: "failed" });
    assert.match(node, /✗ `import` \(22\.23\)/);
  });
});
