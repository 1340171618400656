// A thousand requests at once on one process, one in ten with a fault: each ends as it should, and memory stays flat.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";

const ROUNDS = 10;

test("ten rounds of a thousand", async () => {
  const script = join(import.meta.dirname, "load.mjs");
  const { stdout } = await promisify(execFile)(process.execPath, ["--expose-gc", script, "1000", String(ROUNDS)]);
  const rounds = JSON.parse(stdout);
  assert.equal(rounds.length, ROUNDS);
  // The first rounds warm up: code is compiled, pools are filled.
  const [warm, last] = [rounds[2], rounds.at(-1)];
  assert.ok(last.heap < warm.heap * 1.1, `bytes of the heap: ${rounds.map(({ heap }) => heap)}`);
  assert.equal(last.module, warm.module);
  assert.deepEqual(rounds.map(({ timers }) => timers), Array(ROUNDS).fill(0));
});
