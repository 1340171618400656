// examples/gateway with the official clients, in front of model servers of two interfaces.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, mock, test } from "node:test";
import Anthropic from "@anthropic-ai/sdk";
import { ROOT } from "../../scripts/paths.mjs";
import { gatewayTo } from "../server/gateway.mjs";
import { weatherTurn } from "../server/weather.mjs";

const SCHEMA = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
const QUESTION = "What is the weather in Bodø?";
const SYSTEM = "Answer briefly.";
const ANSWER = "It is 7 °C in Bodø.";
const PIXEL = "iVBORw0KGgo=";

/** Asks for the weather as an application of each interface does, with its own tool: two requests, streamed or not. */
const ASK = {
  async "openai-chat"({ openai }, isStream) {
    const tools = [{ type: "function", function: { name: "weather", description: "The weather now", parameters: SCHEMA } }];
    const ask = async (messages) => {
      const request = { model: "any", messages, tools, tool_choice: "auto", max_tokens: 100 };
      if (!isStream) return (await openai.chat.completions.create(request)).choices[0].message;
      return (await openai.chat.completions.stream(request).finalChatCompletion()).choices[0].message;
    };
    const messages = [
      { role: "system", content: SYSTEM },
      {
        role: "user",
        content: [
          { type: "text", text: QUESTION },
          { type: "image_url", image_url: { url: `data:image/png;base64,${PIXEL}` } },
        ],
      },
    ];
    const first = await ask(messages);
    const [call] = first.tool_calls;
    const { city } = JSON.parse(call.function.arguments);
    const result = { role: "tool", tool_call_id: call.id, content: JSON.stringify({ city, degrees: 7 }) };
    return (await ask([...messages, first, result])).content;
  },
  async "openai-responses"({ openai }, isStream) {
    const tools = [{ type: "function", name: "weather", description: "The weather now", parameters: SCHEMA, strict: false }];
    const ask = async (input) => {
      const request = { model: "any", instructions: SYSTEM, input, tools, max_output_tokens: 100, store: false };
      return isStream ? openai.responses.stream(request).finalResponse() : openai.responses.create(request);
    };
    const image = { type: "input_image", image_url: `data:image/png;base64,${PIXEL}`, detail: "auto" };
    const input = [{ role: "user", content: [{ type: "input_text", text: QUESTION }, image] }];
    const first = await ask(input);
    const call = first.output.find(({ type }) => type === "function_call");
    const { city } = JSON.parse(call.arguments);
    const output = JSON.stringify({ city, degrees: 7 });
    const again = first.output.map(({ parsed_arguments: _, ...item }) => item);
    return (await ask([...input, ...again, { type: "function_call_output", call_id: call.call_id, output }])).output_text;
  },
  async "anthropic-messages"({ anthropic }, isStream) {
    const tools = [{ name: "weather", description: "The weather now", input_schema: SCHEMA }];
    const ask = async (messages) => {
      const request = { model: "any", max_tokens: 100, system: SYSTEM, messages, tools };
      return isStream ? anthropic.messages.stream(request).finalMessage() : anthropic.messages.create(request);
    };
    const image = { type: "image", source: { type: "base64", media_type: "image/png", data: PIXEL } };
    const messages = [{ role: "user", content: [{ type: "text", text: QUESTION }, image] }];
    const first = await ask(messages);
    const call = first.content.find(({ type }) => type === "tool_use");
    const content = JSON.stringify({ city: call.input.city, degrees: 7 });
    const results = { role: "user", content: [{ type: "tool_result", tool_use_id: call.id, content }] };
    const last = await ask([...messages, { role: "assistant", content: first.content }, results]);
    return last.content.map(({ text = "" }) => text).join("");
  },
};

for (const api of ["openai-chat", "anthropic-messages"]) {
  describe(`a model server of ${api}`, () => {
    for (const [to, ask] of Object.entries(ASK)) {
      for (const isStream of [true, false]) {
        test(`${to}, ${isStream ? "streamed" : "complete"}: a tool and its result`, async () => {
          const gateway = gatewayTo(api, ({ body }) => weatherTurn(body));
          assert.equal(await ask(gateway, isStream), ANSWER);
          const [first, second] = gateway.conversation.received.map(({ body }) => body);
          assert.deepEqual([first.model, first.stream ?? false], ["stub", isStream]);
          assert.ok(JSON.stringify(first).includes(SYSTEM) && JSON.stringify(first).includes(PIXEL), JSON.stringify(first));
          assert.match(JSON.stringify(second.messages.at(-1)), /degrees/);
        });
      }
    }
  });
}

test("a client that reads a stream gets one, though the model server has none", { timeout: 20_000 }, async () => {
  const { anthropic, ended } = gatewayTo("openai-chat", []);
  const message = { role: "assistant", content: ANSWER };
  mock.method(globalThis, "fetch", async () => Response.json({ choices: [{ message, finish_reason: "stop" }] }));
  const stream = anthropic.messages.stream({ model: "any", max_tokens: 9, messages: [{ role: "user", content: QUESTION }] });
  assert.equal(await stream.finalText(), ANSWER);
  globalThis.fetch.mock.restore();
  await ended();
});

describe("failures", () => {
  const REQUEST = { model: "any", messages: [{ role: "user", content: "Go on" }], max_tokens: 10 };

  test("a status of the model server", async () => {
    const { anthropic, openai, ended } = gatewayTo("openai-chat", () => ({
      status: 429,
      headers: { "retry-after": "7" },
      error: { message: "Slow down", type: "rate_limit_error" },
    }));
    await assert.rejects(anthropic.messages.create(REQUEST), (error) => {
      assert.ok(error instanceof Anthropic.RateLimitError);
      assert.deepEqual([error.status, error.error.error.message, error.headers.get("retry-after")], [429, "Slow down", "7"]);
      return true;
    });
    await assert.rejects(openai.chat.completions.create(REQUEST), { status: 429, message: "429 Slow down" });
    await ended();
  });

  test("no model server, a wrong key, and a request that can't be translated", async () => {
    const none = gatewayTo("openai-chat", [], { MODEL_URL: "http://127.0.0.1:9/" });
    await assert.rejects(none.anthropic.messages.create(REQUEST), { status: 502 });
    const { openai, fetch } = gatewayTo("openai-chat", []);
    const stranger = new Anthropic({ baseURL: "http://gateway.test", apiKey: "stranger", maxRetries: 0, fetch });
    await assert.rejects(stranger.messages.create(REQUEST), { status: 401 });
    const search = { model: "any", input: "Go on", tools: [{ type: "web_search" }] };
    await assert.rejects(openai.responses.create(search), { status: 400, message: /web_search/ });
    await assert.rejects(openai.responses.create({ model: "any", input: "Go on", previous_response_id: "resp_1" }), {
      status: 400,
    });
    const unparsed = await fetch("http://gateway.test/v1/messages", {
      method: "POST",
      headers: { "x-api-key": "client" },
      body: "{",
    });
    assert.deepEqual([unparsed.status, (await unparsed.json()).type], [400, "error"]);
    assert.equal((await fetch("http://gateway.test/v2/messages", { method: "POST" })).status, 404);
  });

  test("the server in Node names missing settings, and logs errors", async () => {
    const server = join(ROOT, "examples", "gateway", "server.js");
    const settings = { GATEWAY_KEY: "client", MODEL: "m", MODEL_URL: "http://127.0.0.1:9/", PORT: "0" };
    const start = (env) => spawn(process.execPath, [server], { env: { ...process.env, ...settings, ...env } });
    const missing = start({ MODEL_URL: "" });
    const [words, [code]] = await Promise.all([text(missing.stderr), once(missing, "exit")]);
    assert.match(words, /Set the environment variable MODEL_API, MODEL_URL/);
    assert.notEqual(code, 0);
    const wrong = start({ MODEL_API: "gemini" });
    const stderrText = text(wrong.stderr);
    const [line] = await once(wrong.stdout, "data");
    const [origin] = /http:.*?(?=\/v1)/.exec(String(line));
    const headers = { "x-api-key": "client" };
    assert.equal((await fetch(`${origin}/v1/messages`, { method: "POST", headers, body: "{}" })).status, 500);
    wrong.kill();
    assert.match(await stderrText, /MODEL_API must be one of openai-chat, anthropic-messages, not gemini/);
  });

  test("an error in the stream, and a stream that is cut off", async () => {
    for (const turn of [
      { text: "Half", error: { message: "Overloaded" } },
      { text: ["So ", "far"], fault: { cut: 2 } },
    ]) {
      const { anthropic } = gatewayTo("openai-chat", () => turn);
      await assert.rejects(anthropic.messages.stream(REQUEST).finalMessage());
    }
  });

  test("heartbeats while the model is silent; the client leaves", async () => {
    const turn = { text: ["So ", "far ", "and"], fault: { stall: 2 } };
    const { fetch, conversation, ended } = gatewayTo("openai-chat", () => turn, { HEARTBEAT_MS: "1" });
    const body = JSON.stringify({ ...REQUEST, stream: true });
    const response = await fetch("http://gateway.test/v1/messages", { method: "POST", headers: { "x-api-key": "client" }, body });
    const reader = response.body.getReader();
    const decoder = new TextDecoder();
    let text = "";
    while (!/So .*(event: ping|\n:)/s.test(text)) {
      const { done, value } = await reader.read();
      assert.ok(!done, text);
      text += decoder.decode(value, { stream: true });
    }
    await reader.cancel();
    await ended();
    assert.equal(await conversation.received[0].over, "left");
  });
});

describe("a model server that sends its status with the first token", () => {
  /** Asks a gateway whose model server answers with `body` and `status` only after the first heartbeat. */
  async function askSlow(body, status) {
    let begin;
    const begun = new Promise((resolve) => {
      begin = resolve;
    });
    const upstream = createServer(async (request, response) => {
      await Promise.all([text(request), begun]);
      response.writeHead(status, { "content-type": status === 200 ? "text/event-stream" : "application/json" }).end(body);
    });
    await once(upstream.listen(0), "listening");
    const MODEL_URL = `http://127.0.0.1:${upstream.address().port}/`;
    const { fetch, ended } = gatewayTo("openai-chat", [], { HEARTBEAT_MS: "1", MODEL_URL });
    const asked = JSON.stringify({ model: "any", max_tokens: 10, stream: true, messages: [{ role: "user", content: "Go on" }] });
    const headers = { "x-api-key": "client" };
    const response = await fetch("http://gateway.test/v1/messages", { method: "POST", headers, body: asked });
    const reader = response.body.getReader();
    const decoder = new TextDecoder();
    let received = decoder.decode((await reader.read()).value);
    assert.match(received, /^event: ping/);
    begin();
    for (let read = await reader.read(); !read.done; read = await reader.read()) received += decoder.decode(read.value);
    await ended();
    upstream.close();
    return { status: response.status, received };
  }

  test("is answered with heartbeats and the stream", async () => {
    console.log.mock.resetCalls();
    const chunk = { choices: [{ index: 0, delta: { role: "assistant", content: "Hi." }, finish_reason: "stop" }] };
    const { status, received } = await askSlow(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`, 200);
    assert.equal(status, 200);
    assert.match(received, /"text":"Hi\.".*message_stop/s);
    assert.equal(JSON.parse(console.log.mock.calls[0].arguments[0]).ending, "complete");
  });

  test("and fails: the error is an event", async () => {
    console.log.mock.resetCalls();
    const { received } = await askSlow('{"error":{"message":"Slow down","type":"rate_limit_error"}}', 429);
    assert.match(received, /event: error\ndata: .*"rate_limit_error".*Slow down/);
    assert.equal(JSON.parse(console.log.mock.calls[0].arguments[0]).ending, "failed");
  });
});

test("the line of a client that disconnects", async () => {
  console.log.mock.resetCalls();
  const { fetch, ended } = gatewayTo("openai-chat", () => ({ text: ["So ", "far"], fault: { stall: 1 } }));
  const leaving = new AbortController();
  const body = JSON.stringify({ model: "any", messages: [{ role: "user", content: "Go on" }], stream: true });
  const headers = { authorization: "Bearer client" };
  const url = "http://gateway.test/v1/chat/completions";
  const response = await fetch(url, { method: "POST", headers, body, signal: leaving.signal });
  leaving.abort("gone"); // as @hono/node-server does it
  await response.text().catch(() => {});
  await ended();
  assert.equal(JSON.parse(console.log.mock.calls[0].arguments[0]).ending, "aborted");
});

test("one line for each request, with its usage and what was lost", async () => {
  console.log.mock.resetCalls();
  const { anthropic, ended } = gatewayTo("openai-chat", () => ({ text: "Hi", usage: { prompt: 9, completion: 6 } }));
  const request = { model: "any", max_tokens: 10, messages: [{ role: "user", content: "Go on" }], metadata: { user_id: "u" } };
  await anthropic.messages.stream(request).finalMessage();
  await anthropic.messages.create(request);
  await ended();
  const lines = console.log.mock.calls.map(({ arguments: [line] }) => JSON.parse(line));
  assert.deepEqual(
    lines.map(({ to, ending, inputTokens, outputTokens, ignored, lost }) => [
      to,
      ending,
      inputTokens,
      outputTokens,
      ignored,
      lost,
    ]),
    [
      ["anthropic-messages", "complete", 9, 6, ["metadata"], []],
      ["anthropic-messages", "complete", 9, 6, ["metadata"], []],
    ],
  );
});
