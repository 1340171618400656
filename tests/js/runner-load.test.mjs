// Many requests at once in one process, one in ten with a fault: each ends as it should, and memory stays flat. 40 by
// default; REQUESTS=1000 in .ci/run.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";

const COUNT = Number(process.env.REQUESTS ?? 40);
const ROUNDS = 10;

test(`ten rounds of ${COUNT}`, async () => {
  const script = join(import.meta.dirname, "load.mjs");
  const { stdout } = await promisify(execFile)(process.execPath, ["--expose-gc", script, String(COUNT), String(ROUNDS)]);
  const rounds = JSON.parse(stdout);
  assert.equal(rounds.length, ROUNDS);
  // The first rounds compile code and fill pools.
  const [warm, last] = [rounds[2], rounds.at(-1)];
  assert.ok(last.heap < warm.heap * 1.1, `bytes of the heap: ${rounds.map(({ heap }) => heap)}`);
  // An open accumulator takes less than 4 KB. How many are open at once is random.
  assert.ok(last.module < (2 << 20) + COUNT * 4096, `bytes of the module: ${rounds.map(({ module }) => module)}`);
  assert.deepEqual(
    rounds.map(({ timers }) => timers),
    Array(ROUNDS).fill(0),
  );
});
