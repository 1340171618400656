// Streams of the providers' SDKs as transports, from the model server.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import Anthropic from "@anthropic-ai/sdk";
import { BedrockRuntimeClient, ConverseStreamCommand } from "@aws-sdk/client-bedrock-runtime";
import OpenAI from "openai";
import { fetchTransport, runRequest } from "respool";
import { startModelServer } from "../server/index.mjs";
import { weatherTurn } from "../server/weather.mjs";

const server = await startModelServer({ otherwise: ({ body }) => weatherTurn(body) });
after(() => server.close());

const openai = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: "key", maxRetries: 0 });
const anthropic = new Anthropic({ baseURL: server.url, apiKey: "key", maxRetries: 0 });
const weather = { name: "weather", parameters: { type: "object", properties: { city: { type: "string" } } } };
const messages = [{ role: "user", content: "Weather?" }];

const CASES = {
  "openai, chat completions": {
    transport: (payload, { signal }) => openai.chat.completions.create(payload, { signal }),
    toolDefinitions: [{ type: "function", function: weather }],
  },
  "openai, a complete body": {
    transport: async (payload, { signal }) => [await openai.chat.completions.create(payload, { signal })],
    params: { model: "m", stream: false },
    toolDefinitions: [{ type: "function", function: weather }],
  },
  "openai, Responses": {
    api: "openai-responses",
    transport: (payload, { signal }) => openai.responses.create(payload, { signal }),
    toolDefinitions: [{ type: "function", ...weather }],
  },
  Anthropic: {
    transport: (payload, { signal }) => anthropic.messages.create(payload, { signal }),
    params: { model: "m", max_tokens: 50 },
    toolDefinitions: [{ name: "weather", input_schema: weather.parameters }],
  },
  "Anthropic, its message stream": {
    transport: (payload, { signal }) => anthropic.messages.stream(payload, { signal }),
    params: { model: "m", max_tokens: 50 },
    toolDefinitions: [{ name: "weather", input_schema: weather.parameters }],
  },
};

for (const [name, options] of Object.entries(CASES)) {
  test(name, async () => {
    const tools = { weather: ({ city }) => ({ city, degrees: 7 }) };
    const { state, text, usage, failure } = await runRequest({ messages, tools, params: { model: "m" }, ...options }).result();
    assert.deepEqual([state, text, usage?.totalTokens], ["completed", "One moment. It is 7 °C in Bodø.", 50], failure?.message);
  });
}

test("the status of an SDK's error decides whether to retry", async () => {
  for (const [status, asked] of [
    [401, 1],
    [503, 3],
  ]) {
    const conversation = server.script(() => ({ status, error: { message: "No" } }));
    const client = new OpenAI({ baseURL: `${conversation.url}/v1`, apiKey: "key", maxRetries: 0 });
    const transport = (payload, { signal }) => client.chat.completions.create(payload, { signal });
    const clock = { setTimeout: (run) => setTimeout(run), clearTimeout };
    const { failure } = await runRequest({ transport, messages, maxRetries: 2, clock }).result();
    assert.deepEqual([failure.code, failure.status, conversation.received.length], ["provider_error", status, asked]);
  }
});

test("bytes for Bedrock are the same through AWS's SDK and through fetch", async () => {
  const events = [
    { contentBlockDelta: { contentBlockIndex: 0, delta: { reasoningContent: { redactedContent: Uint8Array.of(1, 2, 250) } } } },
    { contentBlockStart: { contentBlockIndex: 1, start: { toolUse: { toolUseId: "t1", name: "chart" } } } },
    { messageStop: { stopReason: "tool_use" } },
  ];
  const end = [{ messageStop: { stopReason: "end_turn" } }];
  const bodies = [];
  const client = new BedrockRuntimeClient({
    region: "eu-north-1",
    credentials: { accessKeyId: "key", secretAccessKey: "secret" },
    maxAttempts: 1,
    requestHandler: {
      handle({ body }) {
        bodies.push(JSON.parse(new TextDecoder().decode(body)));
        return Promise.reject(new Error("enough"));
      },
    },
  });
  const throughFetch = fetchTransport({
    url: "http://models.test/",
    api: "bedrock-converse",
    fetch(_, { body }) {
      bodies.push(JSON.parse(body));
      return Promise.resolve(new Response("{}", { status: 400 }));
    },
  });
  const throughSdk = (payload) => client.send(new ConverseStreamCommand({ modelId: "m", ...payload }));
  for (const send of [throughSdk, throughFetch]) {
    let turns = 0;
    const request = runRequest({
      api: "bedrock-converse",
      messages: [{ role: "user", content: [{ text: "Chart?" }] }],
      tools: { chart: () => ({ content: [{ type: "image", data: "iVBORw==", mimeType: "image/png" }] }) },
      toolDefinitions: [{ toolSpec: { name: "chart", inputSchema: { json: { type: "object" } } } }],
      async transport(payload, context) {
        if (turns++ === 0) return events;
        await Promise.resolve(send(payload, context)).catch(() => {});
        return end;
      },
    });
    await request.result();
  }
  const image = { format: "png", source: { bytes: "iVBORw==" } };
  for (const {
    messages: [, assistant, user],
  } of bodies) {
    assert.deepEqual(assistant.content[0], { reasoningContent: { redactedContent: "AQL6" } });
    assert.deepEqual(user.content[0].toolResult.content, [{ image }]);
  }
  assert.equal(bodies.length, 2);
});
