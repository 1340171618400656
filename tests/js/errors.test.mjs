// Invalid input leads to a typed error, and the module works afterwards.
import assert from "node:assert/strict";
import { afterEach, describe, test } from "node:test";
import {
  DecodeError,
  decode,
  detectApi,
  LimitError,
  process,
  ProviderError,
  RespoolError,
  StreamAccumulator,
  tap,
} from "respool";
import { chatBody } from "./answers.mjs";

const LEVELS = 10_000;
const nested = (levels = LEVELS) => Array.from({ length: levels }).reduce((inner) => [inner], []);
const nestedText = "[".repeat(LEVELS) + "]".repeat(LEVELS);

/** Returns the error that a call throws. */
function thrownBy(call) {
  try {
    call();
  } catch (error) {
    return error;
  }
  return assert.fail("nothing was thrown");
}

describe("input that isn't a response", () => {
  afterEach(() => assert.equal(process({}, chatBody("still here")), "still here"));

  const CASES = [
    ["null", null, "unknown-response", /null/],
    ["undefined", undefined, "unknown-response", /undefined/],
    ["a number", 5, "unknown-response", /number/],
    ["a boolean", true, "unknown-response", /boolean/],
    ["a bigint", 5n, "unknown-response", /bigint/],
    ["a symbol", Symbol("s"), "unknown-response", /symbol/],
    ["a function", () => {}, "unknown-response", /function/],
    ["an empty object", {}, "unknown-response", /choices/],
    ["an empty array", [], "unknown-response", /choices/],
    ["no text", "", "invalid-json", /byte 0/],
    ["no bytes", new Uint8Array(), "invalid-json", /byte 0/],
    ["truncated text", '{"choices":[{"mess', "invalid-json", /byte 18/],
    ["truncated bytes", new TextEncoder().encode('{"choices":['), "invalid-json", /byte 12/],
    ["a page", "<html>Bad gateway</html>", "invalid-json", /byte 0/],
    ["10,000 nested arrays", nested(), "unknown-response", /choices/],
  ];
  for (const [name, response, code, message] of CASES) {
    for (const read of [(value) => process({}, value), decode]) {
      test(`${name}, ${read === decode ? "decode" : "process"}`, () => {
        const error = thrownBy(() => read(response));
        assert.ok(error instanceof DecodeError && error instanceof RespoolError && error instanceof Error);
        assert.equal(error.name, "DecodeError");
        assert.equal(error.code, code);
        assert.match(error.message, message);
      });
    }
  }

  test("10,000 nested arrays as text", () => {
    for (const text of [nestedText, `{"choices":${nestedText}}`]) {
      const error = thrownBy(() => process({}, text));
      assert.ok(error instanceof LimitError);
      assert.equal(error.code, "limit-exceeded");
    }
  });

  test("10,000 nested arrays in a parsed answer", () => {
    const body = { ...chatBody("hello"), extension: nested() };
    assert.equal(process({}, body), "hello");
    // decode loses nothing, so it reports what it couldn't keep.
    assert.throws(
      () => decode(body),
      (error) => error instanceof DecodeError && error.code === "invalid-json",
    );
    assert.equal(decode(chatBody("hello")).message, "hello");
  });

  test("arguments in a parsed chunk that are nested too deeply are truncated", () => {
    const calls = [{ index: 0, id: "a", function: { name: "f", arguments: { list: nested(100_000) } } }];
    const item = { type: "function_call", id: "i", call_id: "a", name: "f", arguments: { list: nested(100_000) } };
    const response = { object: "response", id: "r", status: "completed", output: [item] };
    for (const events of [
      [{ choices: [{ index: 0, delta: { tool_calls: calls }, finish_reason: "tool_calls" }] }],
      [{ choices: [{ index: 0, message: { tool_calls: calls }, finish_reason: "tool_calls" }] }],
      [
        { type: "response.output_item.done", output_index: 0, item },
        { type: "response.completed", response },
      ],
    ]) {
      const accumulator = new StreamAccumulator();
      for (const event of events) accumulator.push(event);
      assert.deepEqual(accumulator.finish().toolCallStatus, ["truncated"]);
      accumulator.free();
    }
  });

  test("detectApi never throws", () => {
    for (const [, response] of CASES) assert.equal(detectApi(response), undefined);
    assert.equal(detectApi(nestedText), undefined);
  });

  test("a getter that throws", () => {
    const body = {
      get choices() {
        throw new TypeError("gone");
      },
    };
    const error = thrownBy(() => process({}, body));
    assert.equal(error.code, "unknown-response");
    assert.match(error.message, /gone/);
  });

  test("invalid options", () => {
    for (const [options, message] of [
      [{ textBlock: "first" }, /textBlock.*textBlocks/],
      [{ textBlocks: "second" }, /all, first/],
      [{ vectors: 32 }, /array, float32, float64/],
      ["first", /object/],
    ]) {
      const error = thrownBy(() => process({}, chatBody("x"), options));
      assert.ok(error instanceof RespoolError);
      assert.equal(error.code, "invalid-option");
      assert.match(error.message, message);
    }
  });
});

describe("an API's error body", () => {
  const CASES = [
    [
      "OpenAI",
      { error: { message: "No such model", type: "invalid_request_error", code: "model_not_found" } },
      "invalid_request_error",
      "model_not_found",
    ],
    [
      "Anthropic",
      { type: "error", error: { type: "overloaded_error", message: "No such model" } },
      "overloaded_error",
      undefined,
    ],
    ["Gemini", [{ error: { code: 429, message: "No such model", status: "RESOURCE_EXHAUSTED" } }], "RESOURCE_EXHAUSTED", "429"],
    ["a word", { error: "No such model" }, undefined, undefined],
    ["FastAPI", { detail: [{ loc: ["body"], msg: "No such model" }] }, undefined, undefined],
    [
      "Responses",
      { object: "response", status: "failed", output: [], error: { code: "server_error", message: "No such model" } },
      undefined,
      "server_error",
    ],
  ];
  for (const [name, body, providerType, providerCode] of CASES) {
    test(name, () => {
      for (const form of [body, JSON.stringify(body)]) {
        const error = thrownBy(() => process({}, form));
        assert.ok(error instanceof ProviderError);
        assert.equal(error.code, "provider-error");
        assert.equal(error.message, "No such model");
        assert.equal(error.providerType, providerType);
        assert.equal(error.providerCode, providerCode);
      }
    });
  }
});

test("a promise that is refused doesn't become an unhandled rejection", async () => {
  const REFUSED = {
    decode,
    process: (source) => process({}, source),
    tap,
    push: (source) => new StreamAccumulator().push(source),
  };
  for (const [name, read] of Object.entries(REFUSED)) {
    assert.throws(() => read(Promise.reject(new Error("no network"))), { name: /Error$/, message: /await it first/ }, name);
    await new Promise((resolve) => setImmediate(resolve)); // an unhandled rejection would fail the test
  }
});
