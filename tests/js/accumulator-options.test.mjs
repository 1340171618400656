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

  describe("coalesce, with interleaved texts", () => {
    /** Returns the deltas in a short form. */
    const summaryOf = (deltas) =>
      deltas.map(({ type, index, text, arguments: args, choice, usage }) =>
        [type, index, text ?? args, choice, usage?.promptTokens].filter((value) => value !== undefined).join(" "),
      );
    const wire = (events) => new TextEncoder().encode(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""));
    const add = (index, args) => callChunk({ index, function: { arguments: args } });
    const PORTS = ["Bergen, Florø", "Måløy, Ålesund", "Kristiansund"];
    const turns = (from, to) =>
      Array.from({ length: to - from }, (_, at) => PORTS.map((port, index) => add(index, port.charAt(from + at) || " "))).flat();
    const starts = PORTS.map((_, index) => callChunk({ index, id: `c${index}`, function: { name: "f", arguments: '{"' } }));
    const piecesOf = (deltas, index) => deltas.filter((delta) => delta.type === "tool-call-delta" && delta.index === index);
    /** An accumulator that has read the first pieces, so that it takes the fast path for all others. */
    const begun = (extend = (event) => event, options = undefined) => {
      const accumulator = new StreamAccumulator(options);
      accumulator.pushBytes(wire([...starts, ...turns(0, 4)].map(extend)));
      return accumulator;
    };

    test("calls have one delta per read", () => {
      const accumulator = begun();
      assert.deepEqual(
        summaryOf(accumulator.pushBytes(wire(turns(4, 12)))),
        PORTS.map((port, index) => `tool-call-delta ${index} ${port.slice(4, 12)}`),
      );
      const { toolCalls } = accumulator.finish();
      assert.deepEqual(
        toolCalls.map((call) => call.arguments),
        PORTS.map((port) => `{"${port.slice(0, 12)}`),
      );
    });

    test("usage in each chunk is emitted once, and nothing is lost", () => {
      const extend = (event, at) => ({ ...event, usage: { prompt_tokens: 7, completion_tokens: at + 1 } });
      const accumulator = begun(extend);
      const deltas = accumulator.pushBytes(wire(turns(4, 12).map((event, at) => extend(event, at + 100))));
      const usage = deltas.filter(({ type }) => type === "usage");
      assert.deepEqual(
        usage.map((delta) => delta.usage.completionTokens),
        [124],
      );
      for (const [index, port] of PORTS.entries()) {
        const pieces = piecesOf(deltas, index).map((delta) => delta.arguments);
        assert.equal(pieces.join(""), port.slice(4, 12));
      }
    });

    test("without coalesce, each piece is a delta", () => {
      const accumulator = begun(undefined, { coalesce: false });
      assert.deepEqual(
        summaryOf(accumulator.pushBytes(wire(turns(4, 6)))),
        turns(4, 6).map(({ choices: [{ delta }] }) => {
          const [{ index, function: called }] = delta.tool_calls;
          return `tool-call-delta ${index} ${called.arguments}`;
        }),
      );
    });

    test("text keeps its place among the pieces of calls", () => {
      const accumulator = begun();
      accumulator.pushBytes(wire([chunk("x"), chunk("y"), ...turns(4, 8)]));
      const pieces = [add(0, "d"), add(1, "e"), add(0, "f"), chunk("x"), chunk("y"), add(1, "g"), add(0, "h"), add(1, "i")];
      const deltas = accumulator.pushBytes(wire(pieces));
      const types = deltas.map(({ type }) => type);
      assert.deepEqual([types.indexOf("text"), types.lastIndexOf("text")], [2, 2]);
      for (const [index, before, after] of [
        [0, "df", "h"],
        [1, "e", "gi"],
      ]) {
        const textOf = (part) =>
          piecesOf(part, index)
            .map((delta) => delta.arguments)
            .join("");
        assert.deepEqual([textOf(deltas.slice(0, 2)), textOf(deltas.slice(3))], [before, after]);
      }
    });

    test("choices have one delta per read", () => {
      const of = (index, content) => ({ choices: [{ index, delta: { content } }] });
      const events = [..."abcdef"].map((letter, at) => of(at % 2, letter));
      const accumulator = new StreamAccumulator();
      accumulator.pushBytes(wire(events));
      assert.deepEqual(summaryOf(accumulator.pushBytes(wire(events))), ["text ace", "text bdf 1"]);
    });
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
