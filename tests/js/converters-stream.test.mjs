// ModelResponseConverter.stream: partial messages, then one consolidated message.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ModelResponseConverter, ResponseConverter } from "respool";
import { ANTHROPIC_STREAM, CHAT_STREAM, callChunk, chunk, refusalChunk, sseBytes, sseText } from "./answers.mjs";
import { ANTHROPIC, CALL, CALL_BLOCK } from "./converter-answers.mjs";
import { collect, generated, readable } from "./sources.mjs";

describe("stream", () => {
  const SOURCES = {
    "an array": () => ANTHROPIC_STREAM,
    "an async iterable": () => generated(ANTHROPIC_STREAM),
    "a ReadableStream": () => readable(ANTHROPIC_STREAM),
    "a fetch Response": () => new Response(sseBytes(ANTHROPIC_STREAM)),
    "a function": () => () => ANTHROPIC_STREAM,
    "an async function": () => async () => readable(ANTHROPIC_STREAM),
    "an async generator function": () => () => generated(ANTHROPIC_STREAM),
    "a promise": () => Promise.resolve(ANTHROPIC_STREAM),
    "a complete body": () => ({ ...ANTHROPIC, content: ANTHROPIC.content.slice(1) }),
    "the text of a body": () => JSON.stringify({ ...ANTHROPIC, content: ANTHROPIC.content.slice(1) }),
  };
  for (const [name, make] of Object.entries(SOURCES)) {
    test(name, async () => {
      for (const converter of ["auto", "anthropic-messages"]) {
        const messages = await collect(
          new ModelResponseConverter(make(), converter).stream({ threadId: "t1" }, "agent", { latency: 3 }),
        );
        const consolidated = messages.pop();
        assert.deepEqual(
          messages.map(({ delta, content }) => [delta, content]),
          [
            [true, [{ type: "text", text: "I look it up." }]],
            [true, [CALL_BLOCK]],
          ],
        );
        assert.deepEqual(
          [consolidated.delta, consolidated.content, consolidated.toolCalls],
          [false, [{ type: "text", text: "I look it up." }, CALL_BLOCK], [CALL]],
        );
        for (const { messageId, metadata } of [...messages, consolidated]) {
          assert.equal(messageId, consolidated.messageId);
          assert.deepEqual([metadata.threadId, metadata.nodeName, metadata.latency], ["t1", "agent", 3]);
        }
        assert.equal(consolidated.metadata.provider, "anthropic-messages");
      }
    });
  }

  test("a call once, if its arguments come after the finish reason", async () => {
    const piece = (text, rest) => ({
      choices: [{ delta: { tool_calls: [{ index: 0, ...rest, function: { name: "tide", arguments: text } }] } }],
    });
    const end = { choices: [{ delta: {}, finish_reason: "tool_calls" }] };
    const source = [piece("", { id: "a" }), end, piece('{"port":"Husum"}'), end];
    const messages = await collect(new ModelResponseConverter(source, "auto").stream());
    const call = { id: "a", name: "tide", arguments: '{"port":"Husum"}' };
    assert.deepEqual(
      messages.map(({ delta, toolCalls }) => [delta, toolCalls]),
      [
        [true, [call]],
        [false, [call]],
      ],
    );
  });

  const NOTHING = {
    "an empty object": () => ({}),
    "the text of one": () => "{}",
    "a Response with one": () => new Response("{}", { headers: { "content-type": "application/json" } }),
    "NUL bytes": () => new Response(new Uint8Array(3)),
    "an empty Response": () => new Response(""),
    "an empty stream": () => [],
    "a comment": () => [new TextEncoder().encode(": hello\n\n")],
  };
  for (const [name, make] of Object.entries(NOTHING)) {
    test(`no message for ${name}`, async () => {
      for (const converter of ["auto", "openai-chat", "anthropic-messages"]) {
        const failed = { name: "DecodeError", code: "empty-response", message: /Nothing in the stream could be read/ };
        await assert.rejects(collect(new ModelResponseConverter(make(), converter).stream()), failed);
        await assert.rejects(new ModelResponseConverter(make(), converter).invoke(), { name: "DecodeError" });
      }
    });
  }

  test("an answer that was cut off at its beginning", async () => {
    const began = { id: "c1", choices: [{ delta: { role: "assistant" } }] };
    for (const converter of ["auto", "openai-chat"]) {
      const [message] = await collect(new ModelResponseConverter([began], converter).stream());
      assert.deepEqual([message.content, message.metadata.ending], [[], "truncated"]);
    }
  });

  for (const leave of ["return", "throw"]) {
    test(`left by ${leave}() before the first read`, async () => {
      const own = { convertResponse: () => {}, async *convertStreamingResponse() {} };
      for (const converter of ["auto", own]) {
        for (const open of [(source) => source, (source) => Promise.resolve(source)]) {
          const log = [];
          const messages = new ModelResponseConverter(open(readable(CHAT_STREAM, log)), converter).stream();
          await messages[leave](new Error("left")).catch(() => {});
          await new Promise(setImmediate);
          assert.deepEqual([log, await messages.next()], [["closed"], { done: true, value: undefined }]);
        }
        const request = () => assert.fail("a function that nobody waits for is called");
        await new ModelResponseConverter(request, converter)
          .stream()
          [leave]()
          .catch(() => {});
      }
      const log = [];
      await new ResponseConverter()
        .convertStreamingResponse({}, "agent", readable(CHAT_STREAM, log))
        [leave]()
        .catch(() => {});
      await new Promise(setImmediate);
      assert.deepEqual(log, ["closed"]);
    });
  }

  test("metadata of the consolidated message", async () => {
    const [consolidated] = (
      await collect(new ModelResponseConverter(CHAT_STREAM, "openai-chat").stream({ thread_id: "t2" }, "agent"))
    ).slice(-1);
    assert.deepEqual(consolidated.metadata, {
      provider: "openai-chat",
      nodeName: "agent",
      threadId: "t2",
      finishReason: "complete",
      rawFinishReason: "stop",
      ending: "complete",
    });
    assert.equal(consolidated.usage.totalTokens, 15);
  });

  test("meta takes precedence over the answer's fields", async () => {
    const messages = await collect(new ModelResponseConverter(CHAT_STREAM, "auto").stream({}, undefined, { provider: "mine" }));
    assert.deepEqual(new Set(messages.map(({ metadata }) => metadata.provider)), new Set(["mine"]));
  });

  test("reasoning, a refusal, and the first choice only", async () => {
    const delta = (index, members) => ({ choices: [{ index, delta: members }] });
    const chunks = [
      delta(0, { reasoning_content: "Hm" }),
      delta(0, { reasoning_content: "." }),
      delta(1, { content: "other" }),
      refusalChunk("No."),
      chunk("", "stop"),
    ];
    const messages = await collect(new ModelResponseConverter(chunks, "auto").stream());
    assert.deepEqual(
      messages.map(({ content, reasoning }) => [content, reasoning]),
      [
        [[{ type: "reasoning", text: "Hm" }], "Hm"],
        [[{ type: "reasoning", text: "." }], "."],
        [[{ type: "refusal", text: "No." }], ""],
        [
          [
            { type: "reasoning", text: "Hm." },
            { type: "refusal", text: "No." },
          ],
          "Hm.",
        ],
      ],
    );
  });

  test("a call's id appears in one piece only", async () => {
    const repeated = (fragment) => callChunk({ id: "a", function: { name: "tide", arguments: fragment } });
    const chunks = [repeated('{"port":'), repeated('"Bodø"'), repeated("}"), chunk("", "tool_calls")];
    const messages = await collect(new ModelResponseConverter(chunks, "auto").stream());
    const ids = messages.filter(({ delta }) => delta).flatMap(({ toolCalls }) => toolCalls.map(({ id }) => id));
    assert.deepEqual([ids, messages.at(-1).toolCalls.map(({ id }) => id)], [["a"], ["a"]]);
  });

  test("the consolidated message has the body if it was an object", async () => {
    const body = { choices: [{ message: { content: "a" }, finish_reason: "stop" }] };
    for (const [response, raw] of [
      [body, body],
      [Promise.resolve(body), body],
      [() => body, body],
      [JSON.stringify(body), undefined],
      [new TextEncoder().encode(JSON.stringify(body)), undefined],
      [[body], undefined],
    ]) {
      const messages = await collect(new ModelResponseConverter(response, "auto").stream());
      assert.deepEqual([messages.at(-1).raw, messages[0].raw], [raw, undefined]);
      assert.equal("raw" in messages.at(-1), raw !== undefined);
    }
  });

  test("the consolidated message comes last, and once", async () => {
    let isOver = false;
    async function* source() {
      yield* CHAT_STREAM;
      isOver = true;
    }
    const seen = [];
    for await (const { delta } of new ModelResponseConverter(source(), "auto").stream()) seen.push([delta, isOver]);
    assert.deepEqual(seen.at(-1), [false, true]);
    assert.equal(seen.filter(([delta]) => !delta).length, 1);
  });

  test("the consolidated message of a cut-off stream says so", async () => {
    const messages = await collect(new ModelResponseConverter([chunk("a")], "auto").stream());
    assert.deepEqual([messages.length, messages[1].metadata.ending], [2, "truncated"]);
  });

  test("warnings", async () => {
    const messages = await collect(new ModelResponseConverter(["data: {\n\n", ...sseText(CHAT_STREAM)], "auto").stream());
    assert.equal(messages.at(-1).metadata.warnings[0].code, "invalid-event");
  });

  const FAILURES = [
    ["the transport", () => generated([chunk("a")], [], new Error("reset")), { code: "stream-broken", outcome: "indeterminate" }],
    [
      "the provider",
      () => [chunk("a"), { error: { message: "Overloaded" } }],
      { code: "provider-error", outcome: "determinate" },
    ],
    [
      "a truncated call",
      () => [chunk("a"), callChunk({ id: "a", function: { name: "f", arguments: "{" } })],
      { code: "stream-truncated" },
    ],
  ];
  for (const [name, make, expected] of FAILURES) {
    test(`no consolidated message after a failure: ${name}`, async () => {
      const seen = [];
      await assert.rejects(
        async () => {
          for await (const message of new ModelResponseConverter(make(), "auto").stream()) seen.push(message.delta);
        },
        (error) => error.partial.text === "a" && Object.entries(expected).every(([key, value]) => error[key] === value),
      );
      assert.deepEqual(seen, [true]);
    });
  }

  test("with throwOnError: false the consolidated message says why it failed", async () => {
    const events = [callChunk({ id: "a", function: { name: "f", arguments: "{" } }), { error: { message: "Overloaded" } }];
    const converter = new ResponseConverter("auto", { throwOnError: false });
    const { content, metadata } = (await collect(converter.convertStreamingResponse({}, "n", events))).at(-1);
    assert.deepEqual(content, [{ type: "tool_call", id: "a", name: "f", arguments: "{", status: "truncated" }]);
    assert.deepEqual([metadata.ending, metadata.error.message], ["failed", "Overloaded"]);
  });

  test("metadata of the caller's own must be an object", async () => {
    const messages = (meta) => collect(new ModelResponseConverter(CHAT_STREAM, "auto").stream({}, "n", meta));
    assert.equal((await messages({ step: 3 })).at(-1).metadata.step, 3);
    for (const meta of ["text", 5, true])
      await assert.rejects(async () => messages(meta), { code: "invalid-option", message: /^meta must be an object, not / });
  });

  test("leaving the loop closes the source", async () => {
    const log = [];
    for await (const { delta } of new ModelResponseConverter(generated(CHAT_STREAM, log), "auto").stream()) {
      assert.equal(delta, true);
      break;
    }
    assert.deepEqual(log, ["closed"]);
  });

  test("a signal", async () => {
    const controller = new AbortController();
    const converter = new ResponseConverter("auto", { signal: controller.signal });
    const log = [];
    const messages = new ModelResponseConverter(generated(CHAT_STREAM, log), converter).stream();
    await messages.next();
    controller.abort();
    await assert.rejects(messages.next(), { name: "AbortError" });
    assert.deepEqual(log, ["closed"]);
  });
});
