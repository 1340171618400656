// Without free(), an unreachable accumulator is collected, and its memory in the module released.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { chunk } from "./answers.mjs";
import { StreamAccumulator, memoryBytes } from "./memory.mjs"; // imported before the package, to see its memory
import { SseDecoder } from "respool";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc");

/** Collects garbage, and lets finalisation registries run. */
async function collected() {
  for (let turn = 0; turn < 3; turn++) {
    collect();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Creates accumulators that nobody references, each with more text than the module has memory at first. */
function forget(count, text) {
  for (let nth = 0; nth < count; nth++) {
    const accumulator = new StreamAccumulator();
    accumulator.push(chunk(text));
    new SseDecoder().push(new TextEncoder().encode("data: half"));
  }
}

test("unreferenced accumulators are collected", async () => {
  const text = "x".repeat(1 << 19);
  forget(20, text);
  await collected();
  const needed = memoryBytes();
  assert.ok(needed > 5 << 20, "it is the memory of the module that is looked at");
  for (let round = 0; round < 10; round++) {
    forget(20, text);
    await collected();
  }
  assert.ok(memoryBytes() < 2 * needed, `${memoryBytes()} bytes after 220 accumulators, ${needed} after 20`);
});

test("an accumulator in use isn't collected", async () => {
  const accumulator = new StreamAccumulator();
  accumulator.push(chunk("a"));
  await collected();
  accumulator.push(chunk("b"));
  assert.equal(accumulator.finish().text, "ab");
});
