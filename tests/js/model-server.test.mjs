// The model server of other tests behaves like the real ones: the providers' SDKs understand it.
import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { streamDeltas } from "respool";
import { APIS, REFUSING, startModelServer } from "../server/index.mjs";

const server = await startModelServer();
after(() => server.close());

const MESSAGES = [{ role: "user", content: "Ferry?" }];
const TURN = {
  reasoning: "Look it up.",
  text: "One moment.",
  toolCalls: [{ name: "ferry", arguments: { port: "Skjervøy" } }],
  usage: { prompt: 9, completion: 6 },
};

function requestOf(api, rest) {
  if (api.name === "gemini") return { contents: [{ role: "user", parts: [{ text: "Ferry?" }] }], ...rest };
  if (api.name === "bedrock-converse") return { messages: [{ role: "user", content: [{ text: "Ferry?" }] }], ...rest };
  const isSteps = api.name === "gemini-interactions";
  const messages = isSteps ? [{ type: "user_input", content: [{ type: "text", text: "Ferry?" }] }] : MESSAGES;
  const member = isSteps || api.name === "openai-responses" ? "input" : "messages";
  return { [member]: messages, max_tokens: 9, stream: true, ...rest };
}

/** Returns the message of an error body. */
const messageOf = ({ error, message }) => error?.message ?? error ?? message;

/** The URLs of Gemini and Bedrock say whether the answer is streamed. */
function ask(conversation, api, { stream = true, ...rest } = {}) {
  const request = requestOf(api, rest);
  const url = conversation.urlOf(api.name);
  if ("stream" in request) request.stream = stream;
  return fetch(stream ? url : url.replace("streamGenerateContent", "generateContent").replace("-stream", ""), {
    method: "POST",
    body: JSON.stringify(request),
  });
}

async function read(source) {
  const deltas = streamDeltas(source);
  try {
    for await (const _ of deltas);
  } catch (error) {
    return { ...deltas.result, thrown: error };
  }
  return deltas.result;
}

describe("SDKs read its streams", () => {
  test("openai, chat completions", async () => {
    const client = new OpenAI({ baseURL: `${server.script([TURN]).url}/v1`, apiKey: "none" });
    const { choices, usage } = await client.chat.completions.stream({ model: "stub", messages: MESSAGES }).finalChatCompletion();
    assert.equal(choices[0].message.content, "One moment.");
    assert.deepEqual(JSON.parse(choices[0].message.tool_calls[0].function.arguments), { port: "Skjervøy" });
    assert.deepEqual([choices[0].finish_reason, usage.total_tokens], ["tool_calls", 15]);
  });

  test("openai, Responses", async () => {
    const client = new OpenAI({ baseURL: `${server.script([TURN]).url}/v1`, apiKey: "none" });
    const { output, output_text, usage } = await client.responses.stream({ model: "stub", input: MESSAGES }).finalResponse();
    assert.deepEqual(
      output.map(({ type }) => type),
      ["reasoning", "message", "function_call"],
    );
    assert.deepEqual([output_text, output[2].arguments, usage.input_tokens], ["One moment.", '{"port":"Skjervøy"}', 9]);
  });

  test("Anthropic", async () => {
    const client = new Anthropic({ baseURL: server.script([TURN]).url, apiKey: "none" });
    const { content, stop_reason } = await client.messages
      .stream({ model: "stub", max_tokens: 9, messages: MESSAGES })
      .finalMessage();
    assert.deepEqual(
      content.map(({ type }) => type),
      ["thinking", "text", "tool_use"],
    );
    assert.deepEqual([content[2].input, stop_reason], [{ port: "Skjervøy" }, "tool_use"]);
  });
});

for (const api of APIS) {
  describe(api.name, () => {
    test("a stream and a complete body agree", async () => {
      const conversation = server.script([TURN, TURN]);
      const streamed = await read(ask(conversation, api));
      const whole = await read(ask(conversation, api, { stream: false }));
      for (const { text, toolCalls, finishReason, usage } of [streamed, whole]) {
        assert.deepEqual([text, finishReason, usage.promptTokens], ["One moment.", "tool_use", 9]);
        assert.deepEqual(
          toolCalls.map(({ name, arguments: given }) => [name, JSON.parse(given)]),
          [["ferry", { port: "Skjervøy" }]],
        );
      }
      assert.deepEqual(
        conversation.received.map(({ api: asked, end }) => [asked, end]),
        [
          [api.name, "sent"],
          [api.name, "sent"],
        ],
      );
      assert.equal(conversation.left, 0);
    });

    test("a refusal, an error, a limit", async () => {
      const conversation = server.script([
        { refusal: "I can't." },
        { text: "Half", error: { message: "Overloaded" } },
        { text: "Half", finish: "length" },
      ]);
      const refused = await read(ask(conversation, api));
      const reasons = ["refusal", "PROHIBITED_CONTENT", "guardrail_intervened"];
      const isRefused = reasons.includes(refused.rawFinishReason) || refused.refusal === "I can't.";
      assert.equal(isRefused, ["gemini", "bedrock-converse"].includes(api.name) || REFUSING.includes(api.name));
      const failed = await read(ask(conversation, api));
      assert.deepEqual([failed.ending, failed.text, failed.error.message], ["failed", "Half", "Overloaded"]);
      assert.equal((await read(ask(conversation, api))).finishReason, "length");
    });

    test("faults", async () => {
      const text = "The ferry leaves at 9:35.";
      const faults = [{ cut: 4 }, { end: 4 }, { drip: true }, { garbage: 3 }];
      const conversation = server.script(faults.map((fault) => ({ text, fault })));
      const cut = await read(ask(conversation, api));
      assert.ok(text.startsWith(cut.text) && cut.text.length < text.length);
      assert.equal(cut.thrown.code, "stream-broken");
      assert.equal((await read(ask(conversation, api))).ending, "truncated");
      assert.deepEqual([(await read(ask(conversation, api))).text, conversation.received[2].end], [text, "sent"]);
      if (api.name === "bedrock-converse") return; // in binary messages, garbage is damage
      const garbage = await read(ask(conversation, api));
      assert.deepEqual([garbage.text, garbage.ending], [text, "complete"]);
      assert.ok(garbage.warnings.length >= 2);
    });

    test("a stall, until the client disconnects", async () => {
      const conversation = server.script([{ text: "The ferry leaves at 9:35.", fault: { stall: 5 } }]);
      const controller = new AbortController();
      const deltas = streamDeltas(ask(conversation, api), { signal: controller.signal });
      await assert.rejects(
        async () => {
          for await (const _ of deltas) controller.abort();
        },
        { name: "AbortError" },
      );
      assert.equal(await conversation.received[0].over, "left");
    });

    test("HTTP statuses", async () => {
      const conversation = server.script([
        { status: 429, headers: { "retry-after": "7" }, error: { message: "Slow down" } },
        { status: 502, body: "<html>Bad gateway</html>" },
      ]);
      const [limited, gateway, over] = [await ask(conversation, api), await ask(conversation, api), await ask(conversation, api)];
      assert.deepEqual([limited.status, limited.headers.get("retry-after")], [429, "7"]);
      assert.equal(messageOf(await limited.json()), "Slow down");
      assert.deepEqual([gateway.status, await gateway.text()], [502, "<html>Bad gateway</html>"]);
      assert.deepEqual([over.status, messageOf(await over.json())], [500, "the script has no turn left"]);
    });

    test("requests that the interface would reject are rejected", async () => {
      const stray = {
        "openai-chat": { messages: [{ role: "tool", tool_call_id: "x", content: "7" }] },
        "openai-responses": { input: [{ type: "function_call_output", call_id: "x", output: "7" }] },
        "anthropic-messages": { messages: [{ role: "user", content: [{ type: "tool_result", tool_use_id: "x" }] }] },
        gemini: { contents: [{ role: "user", parts: [{ functionResponse: { name: "x", response: {} } }] }] },
        "gemini-interactions": { input: [{ type: "function_result", call_id: "x", result: [{ type: "text", text: "7" }] }] },
        "ollama-chat": { messages: [{ role: "tool", tool_name: "x", content: "7" }] },
        "cohere-chat": { messages: [{ role: "tool", tool_call_id: "x", content: "7" }] },
        "bedrock-converse": { messages: [{ role: "user", content: [{ toolResult: { toolUseId: "x", content: [] } }] }] },
      }[api.name];
      const conversation = server.script([]);
      const response = await ask(conversation, api, stray);
      assert.deepEqual([response.status, conversation.received[0].isRefused], [400, true]);
      assert.match(messageOf(await response.json()), /\bx\b/);
    });
  });
}

test("pages of any origin can send requests", async () => {
  const response = await fetch(server.urlOf("openai-chat"), {
    method: "POST",
    body: JSON.stringify(requestOf(APIS[0])),
    headers: { origin: "http://page.test" },
  });
  assert.equal(response.headers.get("access-control-allow-origin"), "*");
  assert.equal((await read(response)).text, "The ferry leaves at 9:35.");
});
