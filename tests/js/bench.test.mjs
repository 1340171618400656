// The benchmark works: all contenders return the results that the workloads expect.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { WrongResult, checkCase } from "../../bench/check.mjs";
import { HEADLINES } from "../../bench/headlines.mjs";
import { CASES } from "../../bench/workloads/index.mjs";
import { ROOT } from "../../scripts/paths.mjs";

const RUN = join(ROOT, "bench", "run.mjs");
const run = (...args) => promisify(execFile)(process.execPath, [RUN, ...args]);

test("all contenders return the same results", async () => {
  const { stdout } = await run("--check");
  assert.equal(stdout, `${CASES.length} cases: all contenders return the same results.\n`);
});

test("a wrong result stops the run", async () => {
  const [benchCase] = CASES;
  const right = benchCase.make(0.02).expected;
  const contender = (outcome) => [{ name: "somebody", takes: benchCase.takes, run: () => outcome, outcome: (answer) => answer }];
  await checkCase(benchCase, contender(right), 0.02);
  for (const member of Object.keys(right)) {
    await assert.rejects(checkCase(benchCase, contender({ ...right, [member]: undefined }), 0.02), (error) => {
      assert.ok(error instanceof WrongResult);
      assert.match(error.message, new RegExp(`${benchCase.name}: somebody returned another ${member}\\.`));
      return true;
    });
  }
});

test("every case in docs/benchmarks.md is measured", () => {
  const names = new Set(CASES.map(({ name }) => name));
  assert.deepEqual(
    HEADLINES.filter(({ work }) => !names.has(work)),
    [],
  );
});

test("a misspelt option is an error", async () => {
  await assert.rejects(run("--quik"), ({ code, stderr }) => code === 2 && stderr.includes("--quik"));
  await assert.rejects(run("--rounds", "0"), ({ code, stderr }) => code === 2 && stderr.includes("--rounds"));
});
