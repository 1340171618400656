// Passes odd values to every public function, which must return a result or throw a typed error, and work afterwards.
// boundary-fuzz.test.mjs combines such values at random.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as respool from "respool";
import { chunk } from "./answers.mjs";
import { ODD_VALUES } from "./odd-values.mjs";
import { NOT_USED, OF_ANSWERS, OF_PROGRAMS, OF_TEXT, unexpectedError } from "./uses.mjs";

const USES = { ...OF_ANSWERS, ...OF_TEXT, ...OF_PROGRAMS };

/** Whether awaiting a value rejects: then the error is its creator's, not the package's. */
async function failsAsPromise(value) {
  try {
    if (typeof value?.then !== "function") return false;
    await value;
    return false;
  } catch {
    return true;
  }
}

/** A function that loads a ModelResponseConverter's response may throw anything. */
const isLoader = (use, value) => /^ModelResponseConverter (invoke|stream)/.test(use) && typeof value === "function";

test("every export has a use", () => {
  const used = new Set(Object.keys(USES).map((name) => name.split(" ")[0]));
  assert.deepEqual(
    Object.keys(respool).filter((name) => !used.has(name) && !NOT_USED.includes(name)),
    [],
  );
});

describe("odd values", () => {
  const open = new respool.StreamAccumulator();
  open.push(chunk("a"));

  for (const [name, use] of Object.entries(USES)) {
    test(name, async () => {
      const wrong = [];
      for (const [what, make] of Object.entries(ODD_VALUES)) {
        if ((await failsAsPromise(readable(make))) || isLoader(name, make())) continue;
        const error = await unexpectedError(use, make());
        if (error) wrong.push(`${what}: ${textOf(error)}`);
      }
      assert.deepEqual(wrong, []);
      assert.equal(respool.process({}, { choices: [{ message: { content: "Ready." } }] }), "Ready.");
    });
  }

  test("a stream that was open all the time still works", () => {
    assert.deepEqual(open.push(chunk("b")), [{ type: "text", text: "b" }]);
    assert.equal(open.finish().text, "ab");
  });
});

/** Returns the value, or undefined if even reading `then` throws: that must be a typed error. */
function readable(make) {
  const value = make();
  try {
    void value?.then;
    return value;
  } catch {
    return undefined;
  }
}

function textOf(error) {
  try {
    return String(error.stack ?? error).slice(0, 600);
  } catch {
    return "an error that cannot be read";
  }
}
