// The table of repairs in docs/outputs.md: every row is true.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { repairJson } from "respool";
import { ROOT } from "../../scripts/paths.mjs";

/** Returns the cells of each row under the heading "Repair". */
function rows() {
  const [, section] = readFileSync(join(ROOT, "docs", "outputs.md"), "utf8").split("\n## Repair\n");
  const lines = section
    .split("\n## ")[0]
    .split("\n")
    .filter((line) => line.startsWith("| `"));
  return lines.map((line) => line.slice(2, -2).split(" | ").map(codeOf));
}

/** Returns the code in backticks, and the text after it. A symbol stands for a line break. */
function codeOf(cell) {
  const [, , , code = "", note = "complete"] = /^(`+)( ?)(.*?)\2\1(?:, (.*))?$/.exec(cell.trim()) ?? [];
  return { code: code.replaceAll("⏎", "\n"), note };
}

describe("docs/outputs.md", () => {
  const table = rows();
  test("has rows", () => assert.ok(table.length >= 30, `${table.length}`));

  for (const [text, value, how] of table) {
    test(text.code, () => {
      if (how.code === "invalid-json") {
        assert.throws(() => repairJson(text.code), { name: "OutputParseError", code: "invalid-json" });
        return;
      }
      const repaired = repairJson(text.code);
      assert.deepEqual(repaired.value, JSON.parse(value.code));
      assert.deepEqual([repaired.repair, repaired.status], [how.code, how.note]);
    });
  }
});
