// The entry for Node, in a bundle for a runtime without all of Node.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";

const PROGRAM = `
  globalThis.Buffer = undefined;
  const { decode } = await import("respool");
  console.log(decode({ choices: [{ message: { content: "Ready." } }] }).message);
`;

test("decodes its module without Buffer", () => {
  const output = execFileSync(process.execPath, ["--input-type=module", "--eval", PROGRAM], { encoding: "utf8" });
  assert.equal(output, "Ready.\n");
});
