// ModelResponseConverter.invoke: one message from a complete response, or from a stream that is read to its end.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ModelResponseConverter, ResponseConverter, RespoolError } from "respool";
import { ANTHROPIC_STREAM, CHAT_STREAM, chatBody, chunk, embeddings, sseBytes, sseText } from "./answers.mjs";
import { ANTHROPIC, CALL, CALL_BLOCK, RESPONSES, TEXT, invoke } from "./converter-answers.mjs";
import { collect, generated, readable, stalled } from "./sources.mjs";

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
    "a fetch Response without a content type": () => new Response(text),
    "a function": () => () => ANTHROPIC,
    "an async function": () => async () => ANTHROPIC,
    "a stream of events": () => ANTHROPIC_STREAM,
    "a function that returns a stream": () => () => generated(ANTHROPIC_STREAM),
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

  test("calls a function once per answer", async () => {
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

  for (const [name, read] of Object.entries({
    invoke: (answer) => answer.invoke(),
    stream: (answer) => answer.stream().next(),
  })) {
    test(`${name}: the converter's signal ends the waiting, and a late response is closed`, async () => {
      const log = [];
      let arrive;
      const late = new Promise((resolve) => (arrive = resolve));
      for (const response of [late, () => late]) {
        const controller = new AbortController();
        const converter = new ResponseConverter("auto", { signal: controller.signal });
        const reading = read(new ModelResponseConverter(response, converter));
        await new Promise(setImmediate);
        controller.abort();
        await assert.rejects(reading, { name: "AbortError" });
      }
      arrive(new Response(readable(CHAT_STREAM, log, "stall")));
      await new Promise(setImmediate);
      assert.deepEqual(log, ["closed"]);

      const aborted = new ResponseConverter("auto", { signal: AbortSignal.abort() });
      const request = () => assert.fail("a request that nobody waits for");
      await assert.rejects(read(new ModelResponseConverter(request, aborted)), { name: "AbortError" });
    });

    test(`${name}: a function that throws fails like one that rejects`, async () => {
      const fail = () => {
        throw new Error("no socket");
      };
      for (const response of [fail, async () => fail()]) {
        const message = "The request failed: no socket";
        await assert.rejects(read(new ModelResponseConverter(response, "auto")), { code: "stream-broken", message });
        const own = { convertResponse: () => {}, async *convertStreamingResponse() {} };
        await assert.rejects(read(new ModelResponseConverter(response, own)), { name: "Error", message: "no socket" });
      }
    });

    test(`${name}: an error body with throwOnError: false`, async () => {
      const body = { error: { message: "Overloaded" } };
      for (const make of [() => body, () => JSON.stringify(body), () => Response.json(body), () => [body]]) {
        const answer = new ModelResponseConverter(make(), new ResponseConverter("auto", { throwOnError: false }));
        const message = name === "invoke" ? await answer.invoke() : (await collect(answer.stream())).at(-1);
        assert.deepEqual([message.metadata.ending, message.metadata.error.message], ["failed", "Overloaded"]);
      }
    });
  }

  test("signatures and encrypted reasoning, which are sent back", async () => {
    const gemini = (...parts) => ({ candidates: [{ content: { parts }, finishReason: "STOP" }] });
    const anthropic = (...content) => ({ type: "message", content, stop_reason: "end_turn" });
    for (const [body, expected] of [
      [
        anthropic({ type: "redacted_thinking", data: "c2VjcmV0" }, { type: "text", text: "Hi" }),
        [
          { type: "reasoning", text: "", encrypted: "c2VjcmV0" },
          { type: "text", text: "Hi" },
        ],
      ],
      [
        gemini({ text: "Hi" }, { text: "", thoughtSignature: "c2ln" }),
        [
          { type: "text", text: "Hi" },
          { type: "text", text: "", signature: "c2ln" },
        ],
      ],
      [
        gemini({ functionCall: { id: "a", name: "tide", args: {} }, thoughtSignature: "c2ln" }),
        [{ type: "tool_call", id: "a", name: "tide", arguments: {}, signature: "c2ln" }],
      ],
    ]) {
      assert.deepEqual((await invoke(body)).content, expected);
      assert.deepEqual((await invoke([body])).content, expected);
    }
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

  test("lines of JSON that break off", async () => {
    const line = (content, done) => `${JSON.stringify({ model: "m", message: { role: "assistant", content }, done })}\n`;
    const cut = { "between lines": line("At ", false) + line("nine", false), "in a line": `${line("At nine", false)}{"mod` };
    for (const [name, text] of Object.entries(cut)) {
      for (const source of [text, new TextEncoder().encode(text), [text.slice(0, 9), text.slice(9)], () => new Response(text)]) {
        for (const converter of ["auto", "ollama-chat"]) {
          const { content, metadata } = await invoke(source, converter);
          assert.deepEqual([content, metadata.ending], [[{ type: "text", text: "At nine" }], "truncated"], name);
        }
      }
    }
    const failed = `${line("At ", false)}{"error":"out of memory"}\n`;
    await assert.rejects(invoke(failed), { code: "provider-error", message: /out of memory/ });
  });

  const WRONG = [
    ["an empty object", {}, "auto", "unknown-response"],
    ["undefined", undefined, "auto", "unknown-response"],
    ["a number", 5, "openai-chat", "unknown-response"],
    ["invalid JSON", "{", "auto", "invalid-json"],
    ["invalid JSON of an interface", '{"choices":[{"mess', "openai-chat", "invalid-json"],
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
    assert.rejects(invoke(new Response("<html>Welcome</html>")), { code: "unknown-response", message: /an HTML/ }));

  test("a signal", async () => {
    const controller = new AbortController();
    const log = [];
    const converter = new ResponseConverter("auto", { signal: controller.signal });
    const waiting = converter.convertResponse(stalled([chunk("a")], log));
    controller.abort();
    await assert.rejects(waiting, { name: "AbortError" });
    assert.deepEqual(log, ["closed"]);
  });

  test("rejects with the error that the function throws", () =>
    assert.rejects(
      invoke(async () => Promise.reject(new Error("no network"))),
      { name: "StreamError", code: "stream-broken", message: "The request failed: no network" },
    ));
});
