// translateResponse of whole bodies.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { decode, registerCodec } from "respool";
import { translateResponse } from "respool/encode";
import { ROOT } from "../../scripts/paths.mjs";
import { CHAT_STREAM, chatBody, embeddings } from "./answers.mjs";
import { recordedStreams } from "./encode-fixtures.mjs";
import { JSON_TYPE, recorder, refuseRejections } from "./translated.mjs";

const TARGETS = ["openai-chat", "openai-responses", "anthropic-messages"];
const to = "anthropic-messages";

refuseRejections();

describe("a whole body", () => {
  test("has its parts and calls in the order of its stream", async () => {
    let compared = 0;
    for (const [name, stream] of recordedStreams()) {
      const path = join(ROOT, "tests", "fixtures", name, "body.json");
      if (name.startsWith(to) || !existsSync(path)) continue;
      const response = await translateResponse(new Response(readFileSync(path), { headers: JSON_TYPE }), { to });
      const { content } = await response.json();
      if (!content?.some(({ type }) => type === "tool_use")) continue;
      const events = await (
        await translateResponse(new Response(stream, { headers: { "content-type": "text/event-stream" } }), { to })
      ).text();
      const started = [...events.matchAll(/^data: (.*"content_block_start".*)$/gm)].map(([, event]) => JSON.parse(event));
      assert.deepEqual(
        content.map(({ type, name }) => [type, name]),
        started.map(({ content_block: { type, name } }) => [type, name]),
        name,
      );
      compared += 1;
    }
    assert.ok(compared > 15, String(compared));
  });

  for (const target of TARGETS) {
    test(target, async () => {
      const headers = { ...JSON_TYPE, "content-length": "999", "content-encoding": "gzip", "x-request-id": "req_7", server: "x" };
      const { calls, onEnd } = recorder();
      const response = await translateResponse(new Response(JSON.stringify(chatBody("At 9:35.")), { headers }), {
        to: target,
        onEnd,
      });
      assert.equal(response.status, 200);
      const id = target === to ? "request-id" : "x-request-id";
      assert.equal(response.headers.get(id), "req_7");
      for (const name of ["content-length", "content-encoding", "server"]) assert.equal(response.headers.get(name), null, name);
      assert.equal(response.headers.get("content-type"), "application/json");
      const { api, message, finishReason, usage } = decode(await response.json());
      assert.deepEqual([api, message, finishReason, usage.totalTokens], [target, "At 9:35.", "complete", 15]);
      assert.equal(calls.length, 1);
      assert.deepEqual([calls[0].response.usage.totalTokens, calls[0].lost, calls[0].error], [15, [], undefined]);
    });
  }

  test("of the same interface is unchanged, unless an option changes it", async () => {
    const body = JSON.stringify({ ...chatBody("At 9:35."), other: [1.0, "kept"] });
    const same = await translateResponse(new Response(body), { to: "openai-chat" });
    assert.equal(await same.text(), body);
    const named = await translateResponse(new Response(body), { to: "openai-chat", model: "ours" });
    assert.equal((await named.json()).model, "ours");
  });

  test("of the same interface is unchanged with options that don't affect it", async () => {
    const reasoning = { reasoning: "why", reasoning_details: [{ type: "reasoning.text", text: "why", index: 0 }] };
    const message = { role: "assistant", content: "x", ...reasoning };
    const body = JSON.stringify({ id: "c", model: "m", choices: [{ index: 0, message, finish_reason: "stop" }] });
    const written = async (options) => (await translateResponse(new Response(body), { to: "openai-chat", ...options })).text();
    for (const options of [
      { includeUsage: false },
      { includeUsage: true, inputTokens: 3, customTools: ["apply_patch"] },
      { reasoning: "keep", unsignedThinking: "drop", customTools: [], reasoningTags: false },
      { model: "m", id: "c" },
    ])
      assert.equal(await written(options), body, JSON.stringify(options));
    assert.equal(await written({ model: "ours" }), body.replace('"model":"m"', '"model":"ours"'));
    assert.notEqual(await written({ reasoning: "drop" }), body);
  });

  const LARGE = '{"id": 1212092628029698048, "far": 1e400, "long": 12345678901234567890123}';
  for (const target of TARGETS) {
    for (const options of [{ model: "ours" }, { model: "ours", reasoningTags: true }]) {
      test(`in ${target} with ${JSON.stringify(options)} keeps all digits of arguments`, async () => {
        const call = { id: "t", type: "function", function: { name: "f", arguments: LARGE } };
        const choices = [
          { index: 0, message: { role: "assistant", content: null, tool_calls: [call] }, finish_reason: "tool_calls" },
        ];
        const response = await translateResponse(Response.json({ id: "c", model: "m", choices }), { to: target, ...options });
        const text = await response.text();
        assert.ok(text.includes(target === to ? LARGE : JSON.stringify(LARGE)), text);
      });
    }
    test(`without a finish reason in ${target}`, async () => {
      const bodies = [
        [
          { response: "", tool_calls: [{ name: "f", arguments: { a: 1 } }], usage: { prompt_tokens: 3, completion_tokens: 2 } },
          {},
        ],
        [{ model: "m", choices: [{ message: { role: "assistant", content: "Hi" } }] }, { reasoningTags: true }],
      ];
      for (const [body, options] of bodies) {
        const { calls, onEnd } = recorder();
        const response = await translateResponse(Response.json(body), { to: target, onEnd, ...options });
        assert.equal(response.status, 200);
        const { message, toolCalls } = decode(await response.json());
        assert.deepEqual([message, toolCalls?.[0].arguments], "model" in body ? ["Hi", undefined] : [undefined, { a: 1 }]);
        assert.equal(calls[0].error, undefined);
      }
    });
  }

  test("is read within the limits", async () => {
    const call = { id: "t", type: "function", function: { name: "f", arguments: "{}" } };
    const choice = { index: 0, message: { content: "At 9:35.", tool_calls: [call, call] }, finish_reason: "tool_calls" };
    const body = { id: "c", model: "m", choices: [choice, { ...choice, index: 1 }] };
    for (const limits of [{ maxEventBytes: 20 }, { maxTotalBytes: 20 }, { maxToolCalls: 1 }, { maxChoices: 1 }, { maxDepth: 3 }])
      for (const target of TARGETS) {
        const { calls, onEnd } = recorder();
        const response = await translateResponse(Response.json(body), { to: target, limits, onEnd });
        assert.equal(response.status, 502, JSON.stringify(limits));
        assert.ok((await response.json()).error);
        assert.equal(calls[0].error.code, "limit-exceeded", JSON.stringify(limits));
      }
  });

  test("is read no further than a limit", async () => {
    let sent = 0;
    const pull = (controller) => controller.enqueue(new TextEncoder().encode(sent++ === 0 ? '{"choices":["' : "x".repeat(1000)));
    const endless = new Response(new ReadableStream({ pull }), { headers: JSON_TYPE });
    const response = await translateResponse(endless, { to, limits: { maxTotalBytes: 5000 } });
    assert.equal(response.status, 502);
    assert.ok(sent < 10, String(sent));
  });

  test("with an error that a codec reports", async () => {
    const unregister = registerCodec({
      name: "relay",
      detect: (value) => value?.relay === 1,
      decode: (body) => ({ type: "error", message: body.fault }),
    });
    try {
      const body = { relay: 1, fault: "boom" };
      assert.throws(() => decode(body), { name: "ProviderError", message: "boom" });
      const { calls, onEnd } = recorder();
      const response = await translateResponse(Response.json(body), { to, onEnd });
      assert.deepEqual([response.status, (await response.json()).error.message], [502, "boom"]);
      assert.equal(calls[0].error.message, "boom");
    } finally {
      unregister();
    }
  });

  test("has generated ids for calls without one, unique in the conversation", async () => {
    const call = { function: { name: "timetable", arguments: { port: "Husum" } } };
    const body = { model: "m", message: { role: "assistant", content: "", tool_calls: [call] }, done: true };
    const ids = new Set();
    for (const target of [...TARGETS, ...TARGETS]) {
      const response = await translateResponse(Response.json(body), { to: target });
      const { toolCalls, finishReason } = decode(await response.json());
      assert.deepEqual([toolCalls[0].arguments, finishReason], [{ port: "Husum" }, "tool_use"]);
      ids.add(toolCalls[0].id);
    }
    assert.equal(ids.size, 6);
  });

  const FOUND = 'Before <tool_call>{"name":"timetable","arguments":{"port":"Husum"}}</tool_call>';
  const WITH_FOUND = {
    "openai-chat": chatBody(`<think>Ebb first.</think>${FOUND}`),
    "openai-responses": {
      id: "resp_7",
      object: "response",
      model: "m",
      status: "completed",
      output: [
        { type: "message", role: "assistant", content: [{ type: "output_text", text: `<think>Ebb first.</think>${FOUND}` }] },
      ],
    },
    "anthropic-messages": {
      id: "msg_7",
      type: "message",
      role: "assistant",
      model: "m",
      content: [{ type: "text", text: `<think>Ebb first.</think>${FOUND}` }],
      stop_reason: "end_turn",
      usage: { input_tokens: 9, output_tokens: 6 },
    },
  };
  for (const [source, body] of Object.entries(WITH_FOUND)) {
    for (const target of TARGETS) {
      test(`of ${source} in ${target}, with calls and reasoning in its text`, async () => {
        const { calls, onEnd } = recorder();
        const options = { to: target, textToolCalls: { tools: "any", formats: ["hermes"] }, reasoningTags: true, onEnd };
        const response = await translateResponse(new Response(JSON.stringify(body, null, 2)), options);
        const { api, message, toolCalls, finishReason, rawFinishReason } = decode(await response.json());
        assert.deepEqual([api, finishReason], [target, "tool_use"]);
        assert.ok(target === "openai-responses" || ["tool_calls", "tool_use"].includes(rawFinishReason), rawFinishReason);
        const texts = message.filter(({ type }) => type === "reasoning" || type === "text").map(({ text }) => text);
        assert.deepEqual(texts, ["Ebb first.", "Before "]);
        assert.deepEqual(
          toolCalls.map((call) => [call.name, call.arguments]),
          [["timetable", { port: "Husum" }]],
        );
        assert.equal(calls[0].response.toolCalls[0].id, toolCalls[0].id);
      });
    }
  }

  test("that reports a failure, and whose text is searched", async () => {
    const body = { candidates: [{ content: { parts: [{ text: "Hi" }] }, finishReason: "MALFORMED_FUNCTION_CALL" }] };
    const { calls, onEnd } = recorder();
    const response = await translateResponse(new Response(JSON.stringify(body)), { to, reasoningTags: true, onEnd });
    assert.equal(response.status, 502);
    assert.equal((await response.json()).type, "error");
    assert.equal(calls[0].error?.name, "ProviderError");
  });

  test("of an interface that the options exclude", async () => {
    const { calls, onEnd } = recorder();
    const source = () => new Response(JSON.stringify(chatBody("At 9:35.")), { headers: JSON_TYPE });
    const response = await translateResponse(source(), { to, api: "gemini", onEnd });
    assert.deepEqual([response.status, (await response.json()).type], [502, "error"]);
    assert.deepEqual([calls[0].error.code, calls.length], ["unknown-response", 1]);
    for (const api of ["openai-chat", "auto"]) assert.equal((await translateResponse(source(), { to, api })).status, 200);
  });

  test("that isn't a successful response", async () => {
    for (const [body, message] of [
      ['{"error":{"message":"Slow down","type":"rate_limit_error"}}', "Slow down"],
      ["<h1>Welcome</h1>", /isn't valid JSON|JSON/],
      ["", /./],
      [JSON.stringify(embeddings([1])), /openai-embeddings/],
      ['{"hello":"world"}', /./],
    ]) {
      const { calls, onEnd } = recorder();
      const response = await translateResponse(new Response(body, { headers: JSON_TYPE }), { to, onEnd });
      assert.equal(response.status, 502, body);
      const { type, error } = await response.json();
      assert.equal(type, "error");
      assert.match(error.message, typeof message === "string" ? new RegExp(`^${message}$`) : message);
      assert.equal(calls.length, 1);
      assert.ok(calls[0].error);
    }
  });

  test("JSON lines are a stream, although they begin like a body", async () => {
    const lines = CHAT_STREAM.map((event) => `${JSON.stringify(event)}\n`).join("");
    const response = await translateResponse(new Response(lines, { headers: JSON_TYPE }), { to });
    assert.match(response.headers.get("content-type"), /event-stream/);
    assert.match(await response.text(), /event: message_stop/);
  });
});
