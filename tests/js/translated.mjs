// Shared helpers for the tests of translateResponse and translateStream.
import assert from "node:assert/strict";
import { after } from "node:test";

export const SSE = { "content-type": "text/event-stream" };
export const JSON_TYPE = { "content-type": "application/json" };

/** Fails the test file that calls this if there is an unhandled rejection. */
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

/** Returns a callback that records its arguments. */
export function recorder() {
  const calls = [];
  return { calls, onEnd: (end) => calls.push(end) };
}
