// StreamAccumulator.push: an invalid argument is the caller's error; a malformed chunk is a warning.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { collect, RespoolError, runRequest, StreamAccumulator } from "respool";
import { ANTHROPIC_STREAM, CHAT_STREAM, callChunk, chunk, RESPONSES_STREAM } from "./answers.mjs";

/** Pushes chunks, and returns all deltas and the result. */
function pushed(chunks, options) {
  const accumulator = new StreamAccumulator(options);
  const deltas = chunks.flatMap((each) => accumulator.push(each));
  const result = accumulator.finish();
  accumulator.free();
  return { deltas, result };
}

const typesOf = (deltas) => deltas.map(({ type }) => type);

describe("a whole answer without a finish reason", () => {
  const chat = { choices: [{ index: 0, message: { role: "assistant", content: "Hi" } }] };
  const cases = {
    "is complete": ["complete", [chat]],
    "of Workers AI": ["complete", [{ response: "Hi", usage: {} }]],
    "is not complete if more follows": ["truncated", [chat, chat]],
    "but text of Workers AI alone may be a piece": ["truncated", [{ response: "Hi" }]],
    "and so may legacy text": ["truncated", [{ choices: [{ index: 0, text: "Hi" }] }]],
    "and a choice that says nothing": ["truncated", [{ choices: [{ index: 0, finish_reason: null }] }]],
  };
  for (const [name, [ending, chunks]] of Object.entries(cases)) {
    test(name, async () => {
      assert.equal(pushed(chunks).result.ending, ending);
      assert.equal((await collect(chunks)).ending, ending);
      const saving = new StreamAccumulator();
      for (const each of chunks) saving.push(each);
      assert.equal(StreamAccumulator.restore(saving.save()).finish().ending, ending);
      const { state } = await runRequest({ messages: [], transport: () => chunks }).result();
      assert.equal(state, ending === "complete" ? "completed" : "failed");
    });
  }
});

describe("chunks", () => {
  test("chat", () => {
    const { deltas, result } = pushed(CHAT_STREAM);
    assert.deepEqual(typesOf(deltas), ["text", "text", "finish", "usage"]);
    assert.equal(result.text, "The ferry leaves at 9:35.");
    assert.equal(result.ending, "complete");
    assert.equal(result.usage.totalTokens, 15);
    assert.equal(result.usage.reasoningTokens, undefined, "an unreported count is undefined");
  });

  test("Responses", () => {
    const { result } = pushed(RESPONSES_STREAM);
    assert.equal(result.text, "The ferry leaves at 9:35.");
    assert.deepEqual([result.ending, result.rawFinishReason], ["complete", "completed"]);
  });

  test("Anthropic", () => {
    const { deltas, result } = pushed(ANTHROPIC_STREAM);
    const call = { id: "toolu_7", name: "timetable", arguments: '{"port":"Skjervøy"}' };
    assert.deepEqual(
      deltas.filter(({ type }) => type.startsWith("tool-call")),
      [
        { type: "tool-call-start", index: 0, id: "toolu_7", name: "timetable" },
        { type: "tool-call-delta", index: 0, id: "toolu_7", arguments: '{"port":' },
        { type: "tool-call-delta", index: 0, id: "toolu_7", arguments: '"Skjervøy"}' },
        { type: "tool-call-end", index: 0, toolCall: call, status: "complete" },
      ],
    );
    assert.deepEqual(result.toolCalls, [call]);
    assert.equal(result.finishReason, "tool_use");
  });

  test("a call ends once, although its arguments continue after the finish reason", () => {
    const accumulator = new StreamAccumulator();
    const chunks = [
      callChunk({ id: "a", function: { name: "tide", arguments: '{"n":' } }),
      chunk("", "tool_calls"),
      callChunk({ function: { arguments: "1}" } }),
    ];
    const deltas = chunks.flatMap((each) => accumulator.push(each));
    const { toolCalls, toolCallStatus, ending } = accumulator.finish();
    deltas.push(...accumulator.takeDeltas());
    accumulator.free();
    assert.deepEqual([toolCalls[0].arguments, toolCallStatus, ending], ['{"n":1}', ["complete"], "complete"]);
    const ends = deltas
      .filter(({ type }) => type === "tool-call-end")
      .map(({ toolCall, status }) => [toolCall.arguments, status]);
    assert.deepEqual(ends, [['{"n":1}', "complete"]]);
  });

  test("deltas of later choices have a choice index", () => {
    const { deltas, result } = pushed([
      {
        choices: [
          { index: 1, delta: { content: "B" } },
          { index: 0, delta: { content: "A" } },
        ],
      },
    ]);
    assert.deepEqual(deltas, [
      { type: "text", text: "B", choice: 1 },
      { type: "text", text: "A" },
    ]);
    assert.equal(result.text, "A");
    assert.deepEqual(
      result.response.choices.map(({ message }) => message),
      ["A", "B"],
    );
  });

  test("every object has its own deltas, with and without coalesce", () => {
    assert.deepEqual(pushed(CHAT_STREAM, { coalesce: false }), pushed(CHAT_STREAM, { coalesce: true }));
  });
});

test("a warning about a rejected call comes with the text that decides it", () => {
  const options = { textToolCalls: { tools: [{ name: "f" }] } };
  const deltas = (templates) => {
    const accumulator = new StreamAccumulator({ ...options, templates });
    const pushes = Array.from("it <function=f>Prose </function> of", (text) => accumulator.push(chunk(text)));
    accumulator.free();
    return pushes;
  };
  const alone = deltas(false);
  assert.deepEqual(typesOf(alone.find((each) => each.length > 1)), ["text", "warning"]);
  assert.deepEqual(deltas(true), alone);
});

describe("an invalid chunk", () => {
  for (const [name, junk] of Object.entries({
    null: null,
    undefined,
    number: 5,
    boolean: true,
    string: "x",
    array: [],
    function: () => {},
    symbol: Symbol("s"),
  })) {
    test(name, () => {
      const accumulator = new StreamAccumulator();
      accumulator.push(chunk("a"));
      assert.throws(
        () => accumulator.push(junk),
        (error) => error instanceof RespoolError && error.code === "invalid-chunk",
      );
      assert.deepEqual(accumulator.push(chunk("b", "stop"))[0], { type: "text", text: "b" });
      assert.equal(accumulator.finish().text, "ab");
    });
  }
});

describe("a malformed chunk", () => {
  const BROKEN = {
    "of no interface": { hello: "world" },
    "choices that aren't a list": { choices: 5 },
    "a member whose getter throws": {
      choices: [
        {
          delta: {
            get content() {
              throw new Error("boom");
            },
          },
        },
      ],
    },
    "a getter that throws nothing in particular": {
      choices: [
        {
          delta: {
            get content() {
              // biome-ignore lint/style/useThrowOnlyError: callers' getters may throw anything
              throw null;
            },
          },
        },
      ],
    },
    "an extra member that is cyclic": (() => {
      const cyclic = { choices: [] };
      cyclic.self = cyclic;
      return cyclic;
    })(),
    "an extra member whose toJSON throws": {
      choices: [],
      odd: {
        toJSON() {
          throw new Error("odd");
        },
      },
    },
  };
  for (const [name, broken] of Object.entries(BROKEN)) {
    test(`${name}: a warning`, () => {
      const { deltas, result } = pushed([chunk("a"), broken, chunk("b", "stop")]);
      assert.deepEqual(typesOf(deltas), ["text", "warning", "text", "finish"]);
      assert.equal(result.text, "ab");
      assert.equal(result.ending, "complete");
      assert.deepEqual(
        result.warnings,
        deltas.filter(({ type }) => type === "warning").map(({ code, message }) => ({ code, message })),
      );
      assert.ok(["invalid-event", "unknown-event"].includes(result.warnings[0].code));
      assert.notEqual(result.warnings[0].message, "");
    });
  }

  const HARMLESS = {
    "choices of other kinds": { choices: [5, null, "x", {}, { delta: 7 }] },
    "content of other kinds": { choices: [{ delta: { content: { x: 1 }, tool_calls: "x", refusal: 5 } }] },
    "an index that isn't a number": { choices: [{ index: "zero", delta: {} }] },
    "a list with nothing in its places": { choices: [{ delta: { content: [], tool_calls: new Array(1000) } }] },
    "a chunk with no members": {},
  };
  for (const [name, harmless] of Object.entries(HARMLESS)) {
    test(`${name}: no deltas`, () => {
      const { result } = pushed([chunk("a"), harmless, chunk("b", "stop")]);
      assert.deepEqual([result.text, result.ending, result.toolCalls], ["ab", "complete", []]);
    });
  }

  test("a getter that throws doesn't affect the rest of its chunk", () => {
    const delta = {
      content: "kept",
      get audio() {
        throw new Error("boom");
      },
    };
    const { result } = pushed([{ choices: [{ delta, finish_reason: "stop" }] }]);
    assert.deepEqual([result.text, result.finishReason], ["kept", "complete"]);
    assert.match(result.warnings[0].message, /boom/);
  });

  test("a getter that uses the accumulator while it reads gets an error, and the stream continues", () => {
    const accumulator = new StreamAccumulator();
    const delta = {
      get content() {
        return accumulator.snapshot().text;
      },
    };
    class Chunk {
      choices = [{ delta }];
      get usage() {
        return null;
      }
    }
    assert.deepEqual(typesOf(accumulator.push(new Chunk())), ["warning"]);
    assert.deepEqual(accumulator.push(chunk("b")), [{ type: "text", text: "b" }]);
    assert.deepEqual(accumulator.push({ choices: [{ delta }] }), [{ type: "text", text: "b" }]);
  });

  test("a getter may push another chunk to the accumulator", () => {
    const accumulator = new StreamAccumulator();
    let asked = 0;
    const deltas = accumulator.push({
      id: "outer",
      get model() {
        asked += 1;
        if (asked === 1) assert.deepEqual(accumulator.push(chunk("a")), [{ type: "text", text: "a" }]);
        return "m";
      },
      choices: [{ index: 0, delta: { content: "b" } }],
    });
    assert.deepEqual(deltas, [{ type: "text", text: "b" }]);
    const { text, response } = accumulator.finish();
    assert.deepEqual([text, response.model], ["ab", "m"]);
  });
});

describe("fragments that don't identify their call", () => {
  const chunkOf = (entry) => ({
    id: "c",
    model: "m",
    choices: [{ index: 0, delta: { tool_calls: [entry] }, finish_reason: null }],
  });
  const start = (id, name) => chunkOf({ id, type: "function", function: { name, arguments: "" } });
  const piece = (text, id) => chunkOf({ ...(id && { id }), function: { arguments: text } });
  const STREAMS = {
    "after two calls": [start("a", "f"), start("b", "g"), piece('{"x":'), piece("1}"), piece('{"y":'), piece("2}")],
    "between those that do": [start("a", "f"), start("b", "g"), piece('{"x":'), piece("1", "a"), piece("2"), piece("3")],
  };
  for (const [name, chunks] of Object.entries(STREAMS)) {
    test(`${name}: the same result with and without templates`, () => {
      const [compared, read] = [true, false].map((templates) => pushed(chunks, { templates }).result);
      assert.deepEqual(compared, read);
    });
  }
});

describe("values without a JSON form", () => {
  test("BigInts in extra fields keep all digits", () => {
    const { result } = pushed([{ choices: [], big: 2n ** 64n }]);
    assert.equal(result.response.extra.big, "18446744073709551616");
    assert.deepEqual(result.warnings, []);
  });

  test("BigInts as token counts", () => {
    const { result } = pushed([{ choices: [], usage: { prompt_tokens: 7n, completion_tokens: 2 } }]);
    assert.deepEqual([result.usage.promptTokens, result.usage.completionTokens], [7, 2]);
  });

  test("a surrogate pair split across two chunks", () => {
    const { deltas, result } = pushed([chunk("a\ud83d"), chunk("\ude00b", "stop")]);
    assert.equal(result.text, "a😀b");
    assert.deepEqual(
      deltas.slice(0, 2).map(({ text }) => text),
      ["a", "😀b"],
    );
  });

  test("a surrogate pair split across two argument fragments", () => {
    const fragment = (text) => ({ function: { arguments: text } });
    const { result } = pushed([
      callChunk({ id: "c", function: { name: "f", arguments: '{"a":"\ud83d' } }),
      callChunk(fragment('\ude00"}'), "tool_calls"),
    ]);
    assert.equal(result.toolCalls[0].arguments, '{"a":"😀"}');
    assert.deepEqual(result.toolCallStatus, ["complete"]);
  });

  test("a lone surrogate becomes the replacement character", () => {
    assert.equal(pushed([chunk("x\udc00y"), chunk("z\ud83d", "stop")]).result.text, "x\ufffdyz\ufffd");
  });

  test("names of JavaScript's prototypes", () => {
    const names = JSON.parse('{"__proto__":{"admin":true},"constructor":{"name":"x"}}');
    const { result } = pushed([
      { ...chunk("a", "stop"), ...names },
      callChunk({ id: "__proto__", function: { name: "constructor", arguments: "{}" } }),
    ]);
    assert.deepEqual(result.toolCalls, [{ id: "__proto__", name: "constructor", arguments: "{}" }]);
    assert.equal({}.admin, undefined);
    assert.equal(Object.getPrototypeOf(result.response.extra), Object.prototype);
  });
});
