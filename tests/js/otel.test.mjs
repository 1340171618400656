// Spans of OpenTelemetry: names, attributes, parents and status.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { describe, test } from "node:test";
import { SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { collect as readStream, process, processAsync, processStream } from "respool";
import { runRequest, StreamDeltas, streamDeltas, tap, tracer } from "respool";
import { otelTracer } from "respool/otel";
import { ANTHROPIC_STREAM, CHAT_STREAM, chatBody, chunk, embeddings } from "./answers.mjs";
import { otel, provider, spans, traceTests } from "./otel-spans.mjs";
import { collect, generated } from "./sources.mjs";

const AGENT = { model: { id: "gpt-4.1-mini", provider: "openai" } };
const parentOf = (span) => span.parentSpanContext?.spanId;

traceTests();

describe("an answer", () => {
  test("chat", () => {
    const details = { prompt_tokens_details: { cached_tokens: 4 }, completion_tokens_details: { reasoning_tokens: 3 } };
    const body = chatBody("Hello");
    process(AGENT, { ...body, usage: { ...body.usage, ...details } });
    const [span] = spans();
    assert.deepEqual([span.name, span.kind, span.status.code], ["chat gpt-4.1-mini", SpanKind.CLIENT, SpanStatusCode.UNSET]);
    assert.deepEqual(span.attributes, {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "openai",
      "gen_ai.request.model": "gpt-4.1-mini",
      "gen_ai.response.id": "chatcmpl-7",
      "gen_ai.response.model": "gpt-4.1-mini",
      "gen_ai.response.finish_reasons": ["stop"],
      "gen_ai.usage.input_tokens": 9,
      "gen_ai.usage.output_tokens": 6,
      "gen_ai.usage.reasoning.output_tokens": 3,
      "gen_ai.usage.cache_read.input_tokens": 4,
    });
    assert.equal(spans().length, 1);
  });

  test("Anthropic's input tokens include cached ones", async () => {
    const usage = { input_tokens: 5, cache_read_input_tokens: 100, cache_creation_input_tokens: 20, output_tokens: 7 };
    const body = {
      id: "msg_7",
      type: "message",
      role: "assistant",
      model: "claude",
      content: [],
      stop_reason: "end_turn",
      usage,
    };
    await processAsync({}, Response.json(body));
    const [{ name, attributes }] = spans();
    assert.equal(name, "chat");
    assert.deepEqual(attributes, {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "anthropic",
      "gen_ai.response.id": "msg_7",
      "gen_ai.response.model": "claude",
      "gen_ai.response.finish_reasons": ["end_turn"],
      "gen_ai.usage.input_tokens": 125,
      "gen_ai.usage.output_tokens": 7,
      "gen_ai.usage.cache_read.input_tokens": 100,
      "gen_ai.usage.cache_write.input_tokens": 20,
    });
  });

  test("Gemini", () => {
    const candidates = [{ content: { role: "model", parts: [{ text: "Hi" }] }, finishReason: "STOP" }];
    process({}, { candidates, modelVersion: "gemini-test-1", responseId: "r7", usageMetadata: { promptTokenCount: 4 } });
    const [{ attributes }] = spans();
    assert.deepEqual(attributes, {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "gcp.gemini",
      "gen_ai.response.id": "r7",
      "gen_ai.response.model": "gemini-test-1",
      "gen_ai.response.finish_reasons": ["STOP"],
      "gen_ai.usage.input_tokens": 4,
    });
  });

  test("Interactions", () => {
    const steps = [{ type: "model_output", content: [{ type: "text", text: "Hi" }] }];
    const usage = { total_input_tokens: 4, total_output_tokens: 1, total_tool_use_tokens: 2 };
    process({}, { object: "interaction", id: "v1_a", model: "gemini-test-1", status: "completed", steps, usage });
    const [{ attributes }] = spans();
    assert.deepEqual(attributes, {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "gcp.gemini",
      "gen_ai.response.id": "v1_a",
      "gen_ai.response.model": "gemini-test-1",
      "gen_ai.response.finish_reasons": ["completed"],
      "gen_ai.usage.input_tokens": 6,
      "gen_ai.usage.output_tokens": 1,
    });
  });

  test("providers have the names of the semantic conventions", () => {
    const message = { role: "assistant", content: [{ type: "text", text: "High." }] };
    process({}, { id: "a", finish_reason: "COMPLETE", message });
    process({}, { model: "m", message: { role: "assistant", content: "High." }, done: true });
    assert.deepEqual(
      spans().map(({ attributes }) => attributes["gen_ai.provider.name"]),
      ["cohere", "ollama"],
    );
  });

  test("embeddings and images", () => {
    const body = { ...embeddings([1, 2]), model: "small", usage: { prompt_tokens: 4, total_tokens: 4 } };
    process({}, body);
    process({ model: { id: "small", apiType: "embedding", provider: "azure" } }, body);
    process({ model: { id: "drawing" } }, { data: [{ url: "https://example.test/a.png" }] });
    assert.deepEqual(
      spans().map(({ name, attributes }) => [name, attributes["gen_ai.operation.name"], attributes["gen_ai.provider.name"]]),
      [
        ["embeddings", "embeddings", "openai"],
        ["embeddings small", "embeddings", "azure.ai.openai"],
        ["generate_content drawing", "generate_content", "openai"],
      ],
    );
    assert.equal(spans()[0].attributes["gen_ai.usage.input_tokens"], 4);
  });

  test("an error", () => {
    assert.throws(() => process(AGENT, { error: { message: "Slow down", type: "rate_limit_error", code: 429 } }));
    assert.throws(() => process(AGENT, { error: { message: "No", type: "authentication_error" } }));
    assert.throws(() => process(AGENT, "{"));
    assert.deepEqual(
      spans().map(({ attributes, status }) => [attributes["error.type"], status.code]),
      [
        ["429", SpanStatusCode.ERROR],
        ["authentication_error", SpanStatusCode.ERROR],
        ["invalid-json", SpanStatusCode.ERROR],
      ],
    );
    const [{ status, events }] = spans();
    assert.equal(status.message, "429");
    assert.deepEqual([events[0].name, events[0].attributes["exception.type"]], ["exception", "ProviderError"]);
  });
});

describe("a stream", () => {
  test("is one span", async () => {
    await collect(streamDeltas(CHAT_STREAM));
    await collect(processStream({ model: { id: "claude", provider: "anthropic" } }, ANTHROPIC_STREAM));
    const [chat, anthropic] = spans();
    assert.equal(spans().length, 2);
    assert.deepEqual([chat.attributes["gen_ai.request.stream"], anthropic.attributes["gen_ai.request.stream"]], [true, true]);
    assert.equal(chat.attributes["gen_ai.usage.output_tokens"], 6);
    assert.deepEqual([anthropic.name, anthropic.attributes["gen_ai.response.finish_reasons"]], ["chat claude", ["tool_use"]]);
  });

  test("is one span in each function that reads streams", async () => {
    const events = (text) => new Response(text, { headers: { "content-type": "text/event-stream" } });
    const sse = `data: ${JSON.stringify(chunk("a", "stop"))}\n\n`;
    await readStream(events(sse));
    await processAsync({}, events(sse));
    await assert.rejects(processAsync({}, events('data: {"error":{"message":"No"}}\n\n')), { code: "provider-error" });
    const tapped = tap(events(sse));
    await tapped.response.text();
    await collect(events(sse).body.pipeThrough(new StreamDeltas()));
    assert.deepEqual(
      spans().map(({ attributes }) => attributes["gen_ai.request.stream"]),
      [true, true, true, true, true],
    );
  });

  test("has the provider and the model of the agent in each function that reads streams", async () => {
    const agent = { model: { id: "gpt-4.1-mini", provider: "azure", apiType: "chat" } };
    await readStream(CHAT_STREAM, { agent });
    await collect(streamDeltas(CHAT_STREAM, { agent }));
    await tap(Response.json(chatBody("a")), { agent }).response.text();
    await collect(ReadableStream.from(CHAT_STREAM).pipeThrough(new StreamDeltas({ agent })));
    await runRequest({ transport: () => CHAT_STREAM, messages: [], agent }).result();
    assert.deepEqual(
      spans().map(({ name, attributes }) => [name, attributes["gen_ai.provider.name"], attributes["gen_ai.request.model"]]),
      ["chat", "chat", "chat", "chat", "chat", "invoke_agent"].map((operation) => [
        `${operation} gpt-4.1-mini`,
        "azure.ai.openai",
        "gpt-4.1-mini",
      ]),
    );
  });

  test("isn't a complete answer", async () => {
    await processAsync({}, Response.json(chatBody("a")));
    assert.equal(spans()[0].attributes["gen_ai.request.stream"], undefined);
  });

  test("that breaks off", async () => {
    await assert.rejects(collect(streamDeltas(generated([chunk("a")], [], new Error("reset")))));
    const [{ attributes, status }] = spans();
    assert.deepEqual([attributes["error.type"], attributes["gen_ai.response.finish_reasons"]], ["stream-broken", ["error"]]);
    assert.equal(status.code, SpanStatusCode.ERROR);
  });

  test("with a provider error", async () => {
    await assert.rejects(collect(streamDeltas([chunk("a"), { error: { message: "Overloaded", type: "overloaded_error" } }])));
    assert.deepEqual([spans()[0].attributes["error.type"], spans()[0].status.message], ["overloaded_error", "overloaded_error"]);
  });
});

describe("context", () => {
  test("the active span is the parent", async () => {
    await otel.startActiveSpan("request", async (request) => {
      process({}, chatBody("a"));
      await collect(streamDeltas(CHAT_STREAM));
      request.end();
    });
    const [whole, streamed, request] = spans();
    assert.deepEqual([parentOf(whole), parentOf(streamed)], [request.spanContext().spanId, request.spanContext().spanId]);
  });

  test("nested spans, and code inside them", async () => {
    const make = otelTracer(otel, { captureContent: true });
    const turn = make("turn");
    turn.emit("inputs", { params: { model: "gpt-4.1-mini" } });
    const tool = make("execute_tool", turn);
    tool.emit("inputs", { id: "call_7", name: "tide", arguments: '{"port":"Bodø"}' });
    const value = await tool.run(async () => {
      await null;
      otel.startSpan("GET /tides").end();
      return "high";
    });
    tool.emit("result", { tide: value });
    tool.end();
    turn.emit("result", { text: "", toolCalls: [{ id: "call_7", name: "tide", arguments: "{}" }] });
    turn.end();
    const [request, tide, whole] = spans();
    assert.deepEqual([whole.name, tide.name, request.name], ["invoke_agent gpt-4.1-mini", "execute_tool tide", "GET /tides"]);
    assert.deepEqual([parentOf(tide), parentOf(request)], [whole.spanContext().spanId, tide.spanContext().spanId]);
    assert.deepEqual([whole.kind, tide.kind], [SpanKind.INTERNAL, SpanKind.INTERNAL]);
    const [{ parts }] = JSON.parse(whole.attributes["gen_ai.output.messages"]);
    assert.deepEqual(parts, [{ type: "tool_call", id: "call_7", name: "tide", arguments: {} }]);
    assert.deepEqual(tide.attributes, {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "tide",
      "gen_ai.tool.call.id": "call_7",
      "gen_ai.tool.type": "function",
      "gen_ai.tool.call.arguments": '{"port":"Bodø"}',
      "gen_ai.tool.call.result": '{"tide":"high"}',
    });
  });
});

test("the global provider creates the spans unless you pass a tracer", (t) => {
  t.after(() => trace.disable());
  trace.setGlobalTracerProvider(provider);
  tracer.add("otel", otelTracer());
  process({}, chatBody("a"));
  assert.deepEqual(
    spans().map(({ instrumentationScope }) => instrumentationScope.name),
    ["respool"],
  );
});

test("something else than a tracer is refused", () => {
  assert.throws(() => otelTracer(5), { code: "invalid-option", message: "The tracer must be a tracer of OpenTelemetry, not 5" });
});

test("require returns the same exports", () => {
  const required = createRequire(import.meta.url)("../../pkg/otel.cjs");
  tracer.add("otel", required.otelTracer(otel));
  process(AGENT, chatBody("a"));
  assert.equal(spans()[0].name, "chat gpt-4.1-mini");
});
