// An undefined option counts as missing, at every level.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as respool from "respool";
import { toAgUiEvents, toAgUiResponse } from "respool/ag-ui";
import { toUIMessageStream, toUIMessageStreamResponse } from "respool/ai-sdk";
import { StreamEncoder, encode, translateResponse, translateStream } from "respool/encode";
import { otelTracer } from "respool/otel";
import { chunk, sseBytes } from "./answers.mjs";

const BYTES = sseBytes([chunk("Low "), chunk("tide", "stop")]);
const TEXT = '<tool_call>{"name":"tide","arguments":{}}</tool_call>';
const CALLED = sseBytes([chunk(`<think>Hm</think>${TEXT}`, "stop")]);
const BODY = {
  id: "a",
  object: "chat.completion",
  model: "m",
  choices: [{ index: 0, message: { content: "[1]" }, finish_reason: "stop" }],
};
const FAILED = sseBytes([chunk("Low"), { error: { message: "overloaded", type: "server_error" } }]);

const all = async (items) => {
  const seen = [];
  for await (const item of items) seen.push(item);
  return seen;
};
const accumulated = (accumulator) => [accumulator.pushBytes(BYTES), accumulator.finish()];

/** Returns the body of a stream of server-sent events. @param {Response} response */
const textOf = (response) => response.text();
const ids = { threadId: "t", runId: "r" };

/** For each function, its result with these options, besides those that it requires. */
const USES = {
  StreamAccumulator: (options) => accumulated(new respool.StreamAccumulator(options)),
  castAsync: (options) => respool.castAsync("[1]", undefined, options),
  collect: (options) => respool.collect(new Response(BYTES), options),
  consoleTracer: (options) => typeof respool.consoleTracer(options),
  encode: (options) => encode(respool.decode(BODY), "openai-chat", { ...options, id: "a" }),
  extractToolCalls: (options) => respool.extractToolCalls(TEXT, { ...options, tools: "any" }),
  fetchTransport: (options) => typeof respool.fetchTransport({ ...options, url: "https://example.com" }),
  LoopDetector: (options) => new respool.LoopDetector(options).feed("low tide\n".repeat(40)),
  otelTracer: (options) => typeof otelTracer(undefined, options),
  parseStructuredOutput: (options) => respool.parseStructuredOutput("[1]", undefined, options),
  parseStructuredOutputAsync: (options) => respool.parseStructuredOutputAsync("[1]", undefined, options),
  parseToolArguments: (options) => respool.parseToolArguments([{ id: "c", name: "f", arguments: "{}" }], options),
  process: (options) => respool.process(undefined, BODY, options),
  processAsync: (options) => respool.processAsync(undefined, BODY, options),
  runRequest: async (options) => {
    const messages = [{ role: "user", content: "Tide?" }];
    const result = await respool.runRequest({ ...options, transport: () => [chunk("Low", "stop")], messages }).result();
    return [result.text, result.state, result.messages];
  },
  StreamEncoder: (options) => {
    const encoder = new StreamEncoder("openai-chat", { ...options, id: "a" });
    return [encoder.pushBytes(BYTES), encoder.finish()].map((bytes) => new TextDecoder().decode(bytes));
  },
  streamDeltas: (options) => all(respool.streamDeltas(new Response(FAILED), { ...options, throwOnError: false })),
  tap: async (options) => {
    const { response, result } = respool.tap(new Response(BYTES), options);
    return [await response.text(), await result];
  },
  toAgUiEvents: (options) => all(toAgUiEvents(new Response(BYTES), { ...options, ...ids })),
  toAgUiResponse: (options) => textOf(toAgUiResponse(new Response(BYTES), { ...options, ...ids })),
  toUIMessageStream: (options) => all(toUIMessageStream(new Response(FAILED), options)),
  toUIMessageStreamResponse: (options) => textOf(toUIMessageStreamResponse(new Response(FAILED), options)),
  tool: (options) => respool.tool(options).toString(),
  translateResponse: async (options) =>
    textOf(await translateResponse(Response.json(BODY), { ...options, to: "anthropic-messages" })),
  translateStream: (options) =>
    textOf(new Response(translateStream(new Response(BYTES), { ...options, to: "openai-chat", id: "a" }).body)),
};

/** Returns the names of a function's options, from its error for an unknown one. */
async function optionsOf(use) {
  const refusal = await Promise.resolve({ noSuchOption: 1 })
    .then(use)
    .then(() => "no refusal", String);
  const [, names] = /^RespoolError: Unknown option `noSuchOption`\. Options: (.*)$/.exec(refusal) ?? assert.fail(refusal);
  return names.split(", ");
}

for (const [name, use] of Object.entries(USES)) {
  test(name, async () => {
    const undefinedOptions = Object.fromEntries((await optionsOf(use)).map((option) => [option, undefined]));
    const expected = await use({});
    assert.ok(expected !== undefined);
    assert.deepEqual(await use(undefinedOptions), expected);
  });
}

describe("objects among the options", () => {
  const undefinedOf = (...names) => Object.fromEntries(names.map((name) => [name, undefined]));
  const stream = (options) => all(respool.streamDeltas(new Response(CALLED), options));
  const run = async (options) => {
    const messages = [{ role: "user", content: "Tide?" }];
    const transport = () => [chunk(TEXT, "stop")];
    const request = respool.runRequest({ exitTools: ["tide"], tools: { tide: () => 7 }, transport, messages, ...options });
    return (await request.result()).signals.map(({ name }) => name);
  };
  const CASES = {
    agent: [stream, { agent: undefinedOf("model", "outputs") }, { agent: {} }],
    clock: [run, { clock: undefinedOf("now", "setTimeout", "clearTimeout") }, { clock: {} }],
    fallback: [run, { fallback: undefinedOf("tools", "formats", "reasoningTags") }, { fallback: true }],
    limits: [stream, { limits: undefinedOf("maxEventBytes", "maxTotalBytes", "maxToolCalls", "maxChoices", "maxDepth") }, {}],
    loopDetector: [stream, { loopDetector: undefinedOf("tiers", "blockLines", "phrases") }, { loopDetector: true }],
    reasoningTags: [stream, { reasoningTags: undefinedOf("tags", "open") }, { reasoningTags: true }],
    "reasoningTags that are null": [stream, { reasoningTags: { tags: null, open: null } }, { reasoningTags: true }],
    "formats that are null": [stream, { textToolCalls: { tools: "any", formats: null } }, { textToolCalls: { tools: "any" } }],
    textToolCalls: [stream, { textToolCalls: { tools: "any", formats: undefined } }, { textToolCalls: { tools: "any" } }],
  };
  for (const [name, [use, withUndefined, without]] of Object.entries(CASES)) {
    test(name, async () => {
      const expected = await use(without);
      assert.ok(expected.length > 0 || name === "clock");
      assert.deepEqual(await use(withUndefined), expected);
    });
  }
});
