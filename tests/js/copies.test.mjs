// Two copies of the package in one program, imported and required, recognise each other's errors and results.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { join } from "node:path";
import { describe, test } from "node:test";
import * as imported from "respool";
import { PKG } from "../../scripts/paths.mjs";
import { chatBody, chunk } from "./answers.mjs";

const required = createRequire(import.meta.url)(join(PKG, "index.cjs"));
const COPIES = { imported, required };

function errorOf(copy) {
  try {
    copy.process({}, null);
  } catch (error) {
    return error;
  }
  return assert.fail("nothing was thrown");
}

describe("two copies of the package", () => {
  test("are separate", () => assert.notEqual(imported.RespoolError, required.RespoolError));

  test("export the same", () => {
    const names = (copy) =>
      Object.keys(copy)
        .filter((name) => name !== "default" && name !== "module.exports" && name !== "__esModule")
        .sort();
    assert.deepEqual(names(imported), names(required));
  });

  for (const [from, thrower] of Object.entries(COPIES)) {
    for (const [to, asked] of Object.entries(COPIES)) {
      test(`isInstance of the ${to} accepts errors of the ${from}`, () => {
        const error = errorOf(thrower);
        assert.equal(asked.RespoolError.isInstance(error), true);
        assert.equal(asked.DecodeError.isInstance(error), true);
        assert.equal(asked.ProviderError.isInstance(error), false);
        assert.equal(error instanceof asked.DecodeError, from === to);
      });
    }
  }

  test("isInstance of other values", () => {
    for (const value of [null, undefined, 5, "DecodeError", {}, new Error("x"), { name: "DecodeError", code: "invalid-json" }]) {
      assert.equal(imported.RespoolError.isInstance(value), false);
    }
  });

  test("a subclass", () => {
    class MyError extends imported.DecodeError {}
    const error = new MyError("mine", "message", { cause: 5 });
    assert.deepEqual([error.code, error.message, error.cause], ["mine", "message", 5]);
    assert.equal(required.DecodeError.isInstance(error), true);
  });

  test("RAW_JSON is the same symbol", () => {
    const result = imported.process({ outputs: [{}] }, chatBody('{"a":1}'));
    assert.equal(result[required.RAW_JSON], '{"a":1}');
  });

  test("accumulators of both copies side by side", () => {
    const [one, other] = [new imported.StreamAccumulator(), new required.StreamAccumulator()];
    one.push(chunk("a"));
    other.push(chunk("b"));
    assert.deepEqual([one.finish().text, other.finish().text], ["a", "b"]);
  });
});
