// The entry for Node, in a bundle for a runtime without all of Node.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { ROOT } from "../../scripts/paths.mjs";

const PROGRAM = `
  globalThis.Buffer = undefined;
  const { decode } = await import("respool");
  console.log(decode({ choices: [{ message: { content: "Ready." } }] }).message);
`;

test("decodes its module without Buffer", () => {
  const output = execFileSync(process.execPath, ["--input-type=module", "--eval", PROGRAM], { encoding: "utf8" });
  assert.equal(output, "Ready.\n");
});

test("reads its module from a file", () => {
  const resolve = `console.log(import.meta.resolve("#module-fast"))`;
  const options = { cwd: ROOT, encoding: "utf8" };
  // Tools that trace a deployment's files support `module-sync`, but not Node's other conditions, such as `node-addons`.
  for (const flags of [[], ["--no-addons"]]) {
    const args = [...flags, "--input-type=module", "--eval", resolve];
    assert.match(execFileSync(process.execPath, args, options), /module-fast-file\.js\n$/);
  }
  const bundler = ["--conditions=module", "--input-type=module", "--eval", resolve];
  assert.match(execFileSync(process.execPath, bundler, options), /module-fast\.js\n$/);
});
