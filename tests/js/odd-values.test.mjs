// Odd values, one after the other, in all places where a program can put them: a result or a typed error, and all works
// afterwards. boundary-fuzz.test.mjs puts them together at random.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as respool from "respool";
import { chunk } from "./answers.mjs";
import { ODD_VALUES } from "./odd-values.mjs";
import { NOT_USED, OF_ANSWERS, OF_PROGRAMS, OF_TEXT, whatIsWrong } from "./uses.mjs";

const USES = { ...OF_ANSWERS, ...OF_TEXT, ...OF_PROGRAMS };

/** What a promise rejects with is the error of whoever made it: a value that says it is one, and fails, does so. */
async function failsAsPromise(value) {
  try {
    if (typeof value?.then !== "function") return false;
    await value;
    return false;
  } catch {
    return true;
  }
}

/** The function that loads the response of a ModelResponseConverter throws what it likes. */
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
        const error = await whatIsWrong(use, make());
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

/** The value, or undefined for one that cannot be asked whether it is a promise: that has to come to a typed error. */
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
