// Messages in one form, of whole answers and of streams.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ModelResponseConverter, registerCodec, ResponseConverter, RespoolError } from "respool";
import {
  ANTHROPIC_STREAM,
  CHAT_STREAM,
  RESPONSES_STREAM,
  callChunk,
  chatBody,
  chunk,
  embeddings,
  refusalChunk,
  sseBytes,
  sseText,
} from "./answers.mjs";
import { collect, generated, readable, stalled } from "./sources.mjs";

const TEXT = "The ferry leaves at 9:35.";
const CALL = { id: "toolu_7", name: "timetable", arguments: '{"port":"Skjervøy"}' };
const CALL_BLOCK = { type: "tool_call", id: "toolu_7", name: "timetable", arguments: { port: "Skjervøy" } };

const ANTHROPIC = {
  id: "msg_7",
  type: "message",
  role: "assistant",
  model: "claude",
  content: [
    { type: "thinking", thinking: "Which port?", signature: "c2ln" },
    { type: "text", text: "I look it up." },
    { type: "tool_use", id: "toolu_7", name: "timetable", input: { port: "Skjervøy" } },
  ],
  stop_reason: "tool_use",
  usage: { input_tokens: 9, output_tokens: 6 },
};

const RESPONSES = RESPONSES_STREAM.at(-1).response;

const invoke = (response, converter = "auto") => new ModelResponseConverter(response, converter).invoke();

describe("invoke", () => {
  test("a chat completion", async () => {
    const body = chatBody(TEXT);
    const before = Date.now();
    const { messageId, timestamp, usage, ...message } = await invoke(body);
    assert.match(messageId, /^[0-9a-f-]{32,36}$/);
    assert.ok(timestamp >= before && timestamp <= Date.now());
    assert.deepEqual([usage.promptTokens, usage.completionTokens, usage.totalTokens], [9, 6, 15]);
    assert.deepEqual(message, {
      role: "assistant",
      content: [{ type: "text", text: TEXT }],
      delta: false,
      toolCalls: [],
      reasoning: "",
      metadata: {
        provider: "openai-chat",
        id: "chatcmpl-7",
        model: "gpt-4.1-mini",
        object: "chat.completion",
        finishReason: "complete",
        rawFinishReason: "stop",
        ending: "complete",
      },
      raw: body,
    });
  });

  test("an Anthropic message", async () => {
    const { content, reasoning, toolCalls, metadata, usage } = await invoke(ANTHROPIC, "anthropic-messages");
    assert.deepEqual(content, [
      { type: "reasoning", text: "Which port?", signature: "c2ln" },
      { type: "text", text: "I look it up." },
      CALL_BLOCK,
    ]);
    assert.deepEqual([reasoning, toolCalls, usage.totalTokens], ["Which port?", [CALL], 15]);
    assert.deepEqual(
      [metadata.provider, metadata.model, metadata.object, metadata.finishReason],
      ["anthropic-messages", "claude", "message", "tool_use"],
    );
  });

  test("a Responses answer", async () => {
    const { content, metadata } = await invoke(RESPONSES, "openai-responses");
    assert.deepEqual(content, [{ type: "text", text: TEXT }]);
    assert.deepEqual([metadata.provider, metadata.id, metadata.object], ["openai-responses", "resp_7", "response"]);
  });

  const text = JSON.stringify(ANTHROPIC);
  const FORMS = {
    "a promise": () => Promise.resolve(ANTHROPIC),
    text: () => text,
    bytes: () => new TextEncoder().encode(text),
    "a fetch Response": () => Response.json(ANTHROPIC),
    "a fetch Response without a type": () => new Response(text),
    "a function": () => () => ANTHROPIC,
    "an async function": () => async () => ANTHROPIC,
    "a stream of events": () => ANTHROPIC_STREAM,
    "a function that makes a stream": () => () => generated(ANTHROPIC_STREAM),
    "a fetch Response that streams": () =>
      new Response(sseBytes(ANTHROPIC_STREAM), { headers: { "content-type": "text/event-stream" } }),
    "text of events": () => sseText(ANTHROPIC_STREAM).join(""),
  };
  for (const [name, make] of Object.entries(FORMS)) {
    test(name, async () => {
      for (const converter of ["auto", "anthropic-messages"]) {
        const message = await invoke(make(), converter);
        assert.deepEqual([message.delta, message.toolCalls, message.metadata.provider], [false, [CALL], "anthropic-messages"]);
        assert.deepEqual(message.content.slice(-2), [{ type: "text", text: "I look it up." }, CALL_BLOCK]);
      }
    });
  }

  test("a function is called for each answer", async () => {
    let calls = 0;
    const answer = new ModelResponseConverter(() => {
      calls += 1;
      return chatBody(String(calls));
    }, "litellm");
    assert.equal(calls, 0);
    const [first, second] = [await answer.invoke(), await answer.invoke()];
    assert.deepEqual([first.content[0].text, second.content[0].text, first.metadata.provider], ["1", "2", "openai-chat"]);
    assert.notEqual(first.messageId, second.messageId);
  });

  test("a refusal", async () => {
    const body = { choices: [{ message: { content: null, refusal: "No." }, finish_reason: "stop" }] };
    assert.deepEqual((await invoke(body)).content, [{ type: "refusal", text: "No." }]);
  });

  test("arguments that aren't complete JSON stay text", async () => {
    const call = { id: "a", function: { name: "pay", arguments: '{"amount": 100' } };
    const body = { choices: [{ message: { tool_calls: [call] }, finish_reason: "length" }] };
    const { content, toolCalls } = await invoke(body);
    assert.deepEqual(content, [{ type: "tool_call", id: "a", name: "pay", arguments: '{"amount": 100', status: "truncated" }]);
    assert.equal(toolCalls[0].arguments, '{"amount": 100');
  });

  test("large numbers keep their digits in a call's text", async () => {
    const call = { id: "a", function: { name: "pay", arguments: '{"id":90071992547409931}' } };
    const { toolCalls } = await invoke({ choices: [{ message: { tool_calls: [call] }, finish_reason: "tool_calls" }] });
    assert.equal(toolCalls[0].arguments, '{"id":90071992547409931}');
  });

  const WRONG = [
    ["no response", {}, "auto", "unknown-response"],
    ["undefined", undefined, "auto", "unknown-response"],
    ["a number", 5, "openai-chat", "unknown-response"],
    ["invalid JSON", "{", "auto", "invalid-json"],
    ["vectors", embeddings([1]), "auto", "unknown-response"],
    ["another interface", ANTHROPIC, "openai-chat", "unknown-response"],
    ["an error body", { error: { message: "Slow down", code: 429 } }, "openai-chat", "provider-error"],
  ];
  for (const [name, response, converter, code] of WRONG) {
    test(name, () =>
      assert.rejects(invoke(response, converter), (error) => RespoolError.isInstance(error) && error.code === code),
    );
  }

  test("an error page", () => {
    const page = new Response("<html>Bad gateway</html>", { status: 502, headers: { "content-type": "text/html" } });
    return assert.rejects(invoke(page), { code: "http-error" });
  });

  test("a page that isn't an error", () =>
    assert.rejects(invoke(new Response("<html>Welcome</html>")), { code: "invalid-json" }));

  test("a signal", async () => {
    const controller = new AbortController();
    const log = [];
    const converter = new ResponseConverter("auto", { signal: controller.signal });
    const waiting = converter.convertResponse(stalled([chunk("a")], log));
    controller.abort();
    await assert.rejects(waiting, { name: "AbortError" });
    assert.deepEqual(log, ["closed"]);
  });

  test("the error that the function throws", () =>
    assert.rejects(
      invoke(async () => Promise.reject(new Error("no network"))),
      { message: "no network" },
    ));
});

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
        const whole = messages.pop();
        assert.deepEqual(
          messages.map(({ delta, content }) => [delta, content]),
          [
            [true, [{ type: "text", text: "I look it up." }]],
            [true, [CALL_BLOCK]],
          ],
        );
        assert.deepEqual(
          [whole.delta, whole.content, whole.toolCalls],
          [false, [{ type: "text", text: "I look it up." }, CALL_BLOCK], [CALL]],
        );
        for (const { messageId, metadata } of [...messages, whole]) {
          assert.equal(messageId, whole.messageId);
          assert.deepEqual([metadata.threadId, metadata.nodeName, metadata.latency], ["t1", "agent", 3]);
        }
        assert.equal(whole.metadata.provider, "anthropic-messages");
      }
    });
  }

  test("metadata of the whole message", async () => {
    const [whole] = (
      await collect(new ModelResponseConverter(CHAT_STREAM, "openai-chat").stream({ thread_id: "t2" }, "agent"))
    ).slice(-1);
    assert.deepEqual(whole.metadata, {
      provider: "openai-chat",
      nodeName: "agent",
      threadId: "t2",
      finishReason: "complete",
      rawFinishReason: "stop",
      ending: "complete",
    });
    assert.equal(whole.usage.totalTokens, 15);
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

  test("the whole message comes last, and once", async () => {
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

  test("truncated input leads to a whole message that says so", async () => {
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
    test(`no whole when it fails: ${name}`, async () => {
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

describe("converters", () => {
  const UNSUPPORTED = [
    "gemini",
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

  test("the message names the converter", () =>
    assert.throws(() => new ResponseConverter("gemini"), {
      message: /^Unsupported converter: gemini; pass auto, openai-chat, .*codec/,
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
