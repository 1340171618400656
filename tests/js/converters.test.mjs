// The converters that ModelResponseConverter accepts: names, codecs, and converters of a user.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ModelResponseConverter, registerCodec, ResponseConverter, RespoolError } from "respool";
import { invoke } from "./converter-answers.mjs";
import { collect } from "./sources.mjs";

describe("converters", () => {
  const UNSUPPORTED = [
    "bedrock",
    "",
    "openai-embeddings",
    5,
    null,
    undefined,
    {},
    { convertResponse() {} },
    Object.create(null),
    Symbol("a"),
  ];
  for (const converter of UNSUPPORTED) {
    test(`unsupported: ${typeof converter} ${JSON.stringify(converter)}`, () => {
      assert.throws(
        () => new ModelResponseConverter({}, converter),
        (error) => {
          assert.match(error.message, /^Unsupported converter: /);
          return RespoolError.isInstance(error) && error.code === "invalid-option";
        },
      );
    });
  }

  test("the error names the converter", () =>
    assert.throws(() => new ResponseConverter("bedrock"), {
      message: /^Unsupported converter: bedrock; pass auto, openai-chat, .*codec/,
    }));

  test("a custom converter", async () => {
    const seen = [];
    const converter = {
      async convertResponse(response) {
        return { answer: response };
      },
      async *convertStreamingResponse(...args) {
        seen.push(args);
        yield { delta: false };
      },
    };
    const answer = new ModelResponseConverter(async () => "raw", converter);
    assert.deepEqual(await answer.invoke(), { answer: "raw" });
    assert.deepEqual(await collect(answer.stream({ threadId: "t" }, "agent", { a: 1 })), [{ delta: false }]);
    assert.deepEqual(seen, [[{ threadId: "t" }, "agent", "raw", { a: 1 }]]);
  });

  test("a codec", async (t) => {
    t.after(
      registerCodec({
        name: "parrot",
        detect: (value) => "squawk" in Object(value),
        decode: ({ squawk }) => [{ type: "text", text: squawk }, { type: "done" }],
      }),
    );
    for (const converter of ["parrot", "auto"]) {
      const { content, metadata } = await invoke({ squawk: "Hello" }, converter);
      assert.deepEqual([content, metadata.provider], [[{ type: "text", text: "Hello" }], "parrot"]);
      const messages = await collect(new ModelResponseConverter([{ squawk: "Hel" }, { squawk: "lo" }], converter).stream());
      assert.deepEqual([messages.length, messages.at(-1).content], [3, [{ type: "text", text: "Hello" }]]);
    }
  });

  test("options of the built-in converter", async () => {
    assert.throws(() => new ResponseConverter("openai-chat", { api: "gemini" }), {
      code: "invalid-option",
      message: /options\.api/,
    });
    const converter = new ResponseConverter("openai-chat", { limits: { maxToolCalls: 1 } });
    const call = (id, index) => ({
      choices: [{ delta: { tool_calls: [{ index, id, function: { name: "f", arguments: "{}" } }] } }],
    });
    await assert.rejects(collect(converter.convertStreamingResponse({}, "n", [call("a", 0), call("b", 1)])), {
      code: "limit-exceeded",
    });
    await assert.rejects(converter.convertResponse([call("a", 0), call("b", 1)]), { code: "limit-exceeded" });
  });
});
