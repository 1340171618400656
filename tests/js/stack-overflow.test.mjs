import assert from "node:assert/strict";
import { test } from "node:test";

import { collect, decode, StreamAccumulator } from "respool";

const BODY = { choices: [{ message: { content: "Low tide" }, finish_reason: "stop" }] };
const CHUNK = { choices: [{ delta: { content: "Low tide" }, finish_reason: "stop" }] };
const BYTES = new TextEncoder().encode(`data: ${JSON.stringify(CHUNK)}\n\ndata: [DONE]\n\n`);

/**
 * Fills the stack except for some frames, and calls a function there again and again.
 *
 * @type {(call: () => void, frames: number) => void}
 */
function overflow(call, frames) {
  const walk = (/** @type {number} */ left) => {
    if (left > 0) return walk(left - 1);
    call();
    walk(0);
  };
  assert.throws(() => walk(frames));
}

/** @type {Record<string, () => () => void>} */
const CALLS = {
  decode: () => () => decode(BODY),
  pushBytes() {
    const accumulator = new StreamAccumulator();
    return () => accumulator.pushBytes(BYTES.subarray(0, 5));
  },
  "push and snapshot"() {
    const accumulator = new StreamAccumulator();
    return () => {
      accumulator.push(CHUNK);
      accumulator.snapshot();
    };
  },
  StreamAccumulator: () => () => new StreamAccumulator().finish(),
};

for (const [name, make] of Object.entries(CALLS)) {
  test(`after a stack overflow around ${name}, new objects read everything`, async () => {
    for (let frames = 0; frames < 40; frames++) {
      overflow(make(), frames);
      assert.equal(decode(BODY).message, "Low tide");
      const accumulator = new StreamAccumulator();
      accumulator.push(CHUNK);
      assert.equal(accumulator.finish().text, "Low tide");
      const { text, ending } = await collect(new Response(BYTES));
      assert.deepEqual({ text, ending }, { text: "Low tide", ending: "complete" });
    }
  });
}
