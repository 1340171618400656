// Runs the same steps with and without templates.
import assert from "node:assert/strict";
import { StreamAccumulator } from "respool";

/** Returns the result of a call, or its error. */
function outcome(call) {
  try {
    return call();
  } catch (error) {
    return { thrown: `${error.name} ${error.code}: ${error.message}` };
  }
}

/**
 * Runs the same steps with and without templates. A step is bytes, or a function that creates a chunk: each accumulator
 * gets its own, so that a getter's value doesn't depend on earlier calls.
 */
export function compare(steps, options) {
  const [on, off] = [true, false].map((templates) => new StreamAccumulator({ ...options, templates }));
  steps.forEach((step, at) => {
    const push = (accumulator) =>
      outcome(() => (typeof step === "function" ? accumulator.push(step()) : accumulator.pushBytes(step)));
    assert.deepEqual(push(on), push(off), `step ${at}`);
  });
  const results = [on, off].map((accumulator) => accumulator.finish());
  assert.deepEqual(results[0], results[1]);
  assert.deepEqual(on.takeDeltas(), off.takeDeltas());
  const late = steps.find((step) => typeof step === "function");
  if (late) {
    const [first, second] = [on, off].map((accumulator) => outcome(() => accumulator.push(late())));
    assert.match(first.thrown, /stream-finished/);
    assert.deepEqual(first, second);
  }
  on.free();
  off.free();
  return results[0];
}
