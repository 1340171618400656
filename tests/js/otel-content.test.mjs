// Content in the spans of OpenTelemetry: none, unless captureContent is set.
import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { SpanStatusCode } from "@opentelemetry/api";
import { collect as readStream, process, processAsync, processStream, runRequest, streamDeltas, tracer } from "respool";
import { otelTracer } from "respool/otel";
import { ANTHROPIC_STREAM, chatBody, chunk, embeddings } from "./answers.mjs";
import { otel, spans, traceTests } from "./otel-spans.mjs";
import { collect } from "./sources.mjs";

traceTests();

describe("captureContent", () => {
  const OUTPUT = "gen_ai.output.messages";
  const outputs = () => spans().map(({ attributes }) => JSON.parse(attributes[OUTPUT] ?? "null")?.[0]);

  test("off", () => {
    process({}, chatBody("a"));
    assert.equal(spans()[0].attributes[OUTPUT], undefined);
  });

  /** Causes errors whose messages quote a response, the arguments of a call, or a tool's error. */
  async function failQuoting() {
    const call = { index: 0, id: "a", function: { name: "tide", arguments: '{"port":"Bodø"}' } };
    const source = [{ choices: [{ delta: { tool_calls: [call] }, finish_reason: "tool_calls" }] }];
    assert.throws(() => process({}, '{"choices":[{"message":{"content":"Dear Ada, Bodø is'));
    assert.throws(() => process({}, { error: { message: "You wrote: Bodø", type: "invalid_request_error" } }));
    const tide = () => Promise.reject(new RangeError("no tide in Bodø"));
    await runRequest({ transport: () => source, messages: [], tools: { tide } }).result();
    const thrown = () => Promise.reject("no tide in Bodø");
    await runRequest({ transport: () => source, messages: [], tools: { tide: thrown } }).result();
  }
  const failed = () => spans().filter(({ status }) => status.code === SpanStatusCode.ERROR);

  test("off: errors without their messages, which quote content", async () => {
    await failQuoting();
    assert.ok(!JSON.stringify(spans().map(({ status, attributes, events }) => [status, attributes, events])).includes("Bodø"));
    assert.deepEqual(
      failed().map(({ status, events }) => [status.message, events[0].attributes]),
      [
        ["invalid-json", { "exception.type": "DecodeError" }],
        ["invalid_request_error", { "exception.type": "ProviderError" }],
        ["RangeError", { "exception.type": "RangeError" }],
        ["RangeError", { "exception.type": "RangeError" }],
        ["_OTHER", { "exception.type": "_OTHER" }],
        ["_OTHER", { "exception.type": "_OTHER" }],
      ],
    );
  });

  test("on: errors with their messages and stacks", async () => {
    tracer.add("otel", otelTracer(otel, { captureContent: true }));
    await failQuoting();
    const [invalid, provider, tool] = failed();
    assert.match(invalid.status.message, /Dear Ada, Bodø/);
    assert.deepEqual([provider.status.message, tool.status.message], ["You wrote: Bodø", "no tide in Bodø"]);
    assert.match(tool.events[0].attributes["exception.stacktrace"], /RangeError: no tide in Bodø\n/);
  });

  test("on, and without secrets", async () => {
    tracer.add("otel", otelTracer(otel, { captureContent: true }));
    process({}, chatBody("Hello"));
    process({ outputs: [{ name: "n" }] }, chatBody('{"n":1,"password":"hunter2"}'));
    await collect(streamDeltas([{ choices: [{ delta: { reasoning_content: "Hm." } }] }, chunk("Yes", "stop")]));
    await collect(processStream({}, ANTHROPIC_STREAM));
    const text = (content) => ({ type: "text", content });
    assert.deepEqual(outputs(), [
      { role: "assistant", parts: [text("Hello")], finish_reason: "stop" },
      { role: "assistant", parts: [text('{"n":1,"password":"[redacted]"}')], finish_reason: "stop" },
      { role: "assistant", parts: [{ type: "reasoning", content: "Hm." }, text("Yes")], finish_reason: "stop" },
      {
        role: "assistant",
        parts: [text("I look it up."), { type: "tool_call", id: "toolu_7", name: "timetable", arguments: { port: "Skjervøy" } }],
        finish_reason: "tool_use",
      },
    ]);
  });
});

describe("captureContent of a whole response", () => {
  const OUTPUT = "gen_ai.output.messages";
  beforeEach(() => tracer.add("otel", otelTracer(otel, { captureContent: true })));
  const outputs = () => spans().map(({ attributes }) => JSON.parse(attributes[OUTPUT]));
  const text = (content) => ({ type: "text", content });

  test("each choice is a message with its own reason", async () => {
    const choice = (index, content, finish_reason) => ({ index, message: { content }, finish_reason });
    const body = { choices: [choice(0, "Ebb", "stop"), choice(1, "Flow", "length"), choice(2, "Slack", null)] };
    process({}, body);
    await readStream([body]);
    const messages = [
      { role: "assistant", parts: [text("Ebb")], finish_reason: "stop" },
      { role: "assistant", parts: [text("Flow")], finish_reason: "length" },
      { role: "assistant", parts: [text("Slack")], finish_reason: "error" },
    ];
    assert.deepEqual(outputs(), [messages, messages]);
  });

  test("an answer of Workers AI, which has no reason, stopped as expected", async () => {
    const body = { result: { response: "Ebb" }, success: true, errors: [], messages: [] };
    process({}, body);
    await readStream([{ response: "Ebb" }]);
    const message = { role: "assistant", parts: [text("Ebb")], finish_reason: "stop" };
    assert.deepEqual(outputs(), [[message], [message]]);
    for (const { attributes } of spans()) assert.deepEqual(attributes["gen_ai.response.finish_reasons"], ["stop"]);
  });

  test("text, reasoning and calls keep their order, in a body as in a stream", async () => {
    const content = [
      { type: "thinking", thinking: "Hm.", signature: "c2ln" },
      { type: "text", text: "I look." },
      { type: "thinking", thinking: "Well.", signature: "c2ln" },
      { type: "tool_use", id: "a", name: "tide", input: { port: "Bodø", password: "hunter2" } },
    ];
    const body = { type: "message", content, stop_reason: "tool_use" };
    process({}, body);
    await processAsync({}, Response.json(body));
    await readStream([body]);
    const message = {
      role: "assistant",
      parts: [
        { type: "reasoning", content: "Hm." },
        text("I look."),
        { type: "reasoning", content: "Well." },
        { type: "tool_call", id: "a", name: "tide", arguments: { port: "Bodø", password: "[redacted]" } },
      ],
      finish_reason: "tool_use",
    };
    assert.deepEqual(outputs(), [[message], [message], [message]]);
  });

  test("refusals, images and tools of the provider", () => {
    process({}, { choices: [{ message: { content: null, refusal: "No." }, finish_reason: "stop" }] });
    const inlineData = { mimeType: "image/png", data: "iVBORw0KGgo=" };
    process({}, { candidates: [{ content: { parts: [{ text: "Look:" }, { inlineData }] }, finishReason: "STOP" }] });
    const content = [
      { type: "server_tool_use", id: "s", name: "web_search", input: { query: "tide" } },
      { type: "web_search_tool_result", tool_use_id: "s", content: [{ type: "web_search_result", url: "https://example.test" }] },
      { type: "text", text: "At 9:35." },
    ];
    process({}, { type: "message", content, stop_reason: "end_turn" });
    const parts = outputs().map(([message]) => message.parts);
    assert.deepEqual(parts.slice(0, 2), [
      [text("No.")],
      [text("Look:"), { type: "blob", modality: "image", content: "iVBORw0KGgo=" }],
    ]);
    const [call, result, answer] = parts[2];
    assert.deepEqual(call, {
      type: "server_tool_call",
      id: "s",
      name: "web_search",
      server_tool_call: { type: "web_search", query: "tide" },
    });
    assert.deepEqual(
      [result.type, result.id, result.server_tool_call_response.type],
      ["server_tool_call_response", "s", "web_search_tool_result"],
    );
    assert.deepEqual(answer, text("At 9:35."));
  });
});

describe("captureContent of an answer without a finish reason", () => {
  const OUTPUT = "gen_ai.output.messages";
  beforeEach(() => tracer.add("otel", otelTracer(otel, { captureContent: true })));

  test("a turn has the reason of its answer", async () => {
    await runRequest({ transport: () => [chunk("Hi", "stop")], messages: [] }).result();
    for (const { attributes } of spans()) {
      assert.equal(JSON.parse(attributes[OUTPUT])[0].finish_reason, "stop", attributes["gen_ai.operation.name"]);
    }
    assert.equal(spans().length, 2);
  });

  test("images have none, and vectors aren't recorded", async () => {
    process({}, { data: [{ url: "https://example.test/a.png" }] });
    process({}, { ...embeddings([0.5, -2]), model: "small" });
    await processAsync({}, Response.json(embeddings([0.5, -2])), { vectors: "float32" });
    const [image, ...vectors] = spans().map(({ attributes }) => attributes[OUTPUT]);
    assert.deepEqual(JSON.parse(image), [
      { role: "assistant", parts: [{ type: "uri", modality: "image", uri: "https://example.test/a.png" }] },
    ]);
    assert.deepEqual(vectors, [undefined, undefined]);
  });
});
