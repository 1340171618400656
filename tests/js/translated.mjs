// What tests of translateResponse and translateStream share.
import assert from "node:assert/strict";
import { after } from "node:test";

export const SSE = { "content-type": "text/event-stream" };
export const JSON_TYPE = { "content-type": "application/json" };

/** Fails the file that calls this if a promise was rejected that nobody handles. */
export function refuseRejections() {
  const rejections = [];
  const onRejection = (reason) => rejections.push(reason);
  process.on("unhandledRejection", onRejection);
  after(async () => {
    await new Promise(setImmediate);
    process.off("unhandledRejection", onRejection);
    assert.deepEqual(rejections, []);
  });
}

/** A function that remembers what it was called with. */
export function recorder() {
  const calls = [];
  return { calls, onEnd: (end) => calls.push(end) };
}
