// Options of StreamAccumulator: misspelt or invalid ones are rejected at once, and limits hold.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { RespoolError, StreamAccumulator } from "respool";
import { callChunk, chunk, sseBytes } from "./answers.mjs";

describe("options", () => {
  for (const options of [
    undefined,
    null,
    {},
    { api: "auto" },
    { api: undefined, limits: {}, coalesce: true, partialJson: false },
    { limits: { maxDepth: Infinity } },
  ]) {
    test(`valid: ${JSON.stringify(options)}`, () => {
      const accumulator = new StreamAccumulator(options);
      accumulator.push(chunk("a", "stop"));
      assert.equal(accumulator.finish().text, "a");
    });
  }

  const WRONG = [
    [5, /an object, not 5/],
    ["openai-chat", /an object, not "openai-chat"/],
    [{ coalese: false }, /^Unknown option `coalese`\. Did you mean `coalesce`\? Options: api, /],
    [{ coalesce: "no" }, /options\.coalesce.*true or false/],
    [{ partialJson: 1 }, /options\.partialJson.*true or false/],
    [{ api: "openai" }, /Unknown interface `openai` in `options\.api`\. Interfaces: openai-chat, /],
    [{ api: "openai-embeddings" }, /options\.api/],
    [{ limits: { maxDeph: 5 } }, /`limits\.maxDeph`\. Did you mean `limits\.maxDepth`\?/],
    [{ limits: { maxDepth: 0 } }, /options\.limits\.maxDepth.*above 0/],
    [{ limits: { maxTotalBytes: -1 } }, /maxTotalBytes/],
    [{ limits: { maxEventBytes: 1.5 } }, /maxEventBytes/],
    [{ limits: { maxChoices: "5" } }, /maxChoices/],
    [{ limits: { maxToolCalls: NaN } }, /maxToolCalls/],
  ];
  for (const [options, message] of WRONG) {
    test(`invalid: ${JSON.stringify(options)}`, () => {
      const make = () => new StreamAccumulator(options);
      assert.throws(
        make,
        (error) => error instanceof RespoolError && error.code === "invalid-option" && message.test(error.message),
      );
    });
  }

  test("api disables detection", () => {
    const accumulator = new StreamAccumulator({ api: "anthropic-messages" });
    const [warning] = accumulator.push(chunk("a"));
    assert.deepEqual([warning.type, warning.code], ["warning", "unknown-event"]);
    accumulator.push({ type: "content_block_start", index: 0, content_block: { type: "text", text: "b" } });
    assert.equal(accumulator.finish().text, "b");
  });

  test("coalesce merges the text of one read", () => {
    const bytes = sseBytes([chunk("a"), chunk("b")]);
    assert.deepEqual(new StreamAccumulator().pushBytes(bytes), [{ type: "text", text: "ab" }]);
    const each = new StreamAccumulator({ coalesce: false }).pushBytes(bytes);
    assert.deepEqual(each, [
      { type: "text", text: "a" },
      { type: "text", text: "b" },
    ]);
  });
});

describe("limits", () => {
  const calls = (count) =>
    Array.from({ length: count }, (_, index) => callChunk({ index, id: `c${index}`, function: { name: "f", arguments: "{}" } }));
  const CASES = [
    ["maxEventBytes", 100, [chunk("a"), chunk("b".repeat(100))]],
    ["maxTotalBytes", 200, [chunk("a"), chunk("b".repeat(100))]],
    ["maxDepth", 6, [chunk("a"), { choices: [{ delta: { content: [[[[[]]]]] } }] }]],
    ["maxChoices", 1, [chunk("a"), { choices: [{ index: 1, delta: { content: "b" } }] }]],
    ["maxToolCalls", 3, [chunk("a"), ...calls(4)]],
  ];
  for (const [name, limit, events] of CASES) {
    test(name, () => {
      const accumulator = new StreamAccumulator({ limits: { [name]: limit } });
      const deltas = events.flatMap((event) => accumulator.pushBytes(sseBytes([event]).subarray(0, -14)));
      assert.deepEqual(accumulator.pushBytes(sseBytes([chunk("after")])), [], "nothing is read after it");
      const { text, ending, error, toolCalls } = accumulator.finish();
      assert.deepEqual([text, ending, error.code], ["a", "failed", "limit-exceeded"]);
      assert.match(error.message, new RegExp(`limits\\.${name}`));
      assert.deepEqual(
        deltas.filter(({ type }) => type === "error"),
        [{ type: "error", error }],
      );
      assert.ok(toolCalls.length <= 3);
    });
  }

  test("a large wire index doesn't allocate memory", () => {
    const accumulator = new StreamAccumulator();
    accumulator.push(callChunk({ index: 4_000_000_000, id: "c", function: { name: "f", arguments: "{}" } }, "tool_calls"));
    assert.deepEqual(accumulator.finish().toolCalls, [{ id: "c", name: "f", arguments: "{}" }]);
  });
});
