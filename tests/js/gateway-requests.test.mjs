// Requests to examples/gateway: which ones it translates, and which ones it rejects.
import assert from "node:assert/strict";
import { describe, mock, test } from "node:test";
import { translateRequest } from "../../examples/gateway/requests.js";
import { gatewayTo } from "../server/gateway.mjs";

const PIXEL = "iVBORw0KGgo=";

describe("requests", () => {
  const ask = async (gateway, path, body, headers = { authorization: "bearer client" }) => {
    const response = await gateway.fetch(`http://gateway.test/v1/${path}`, {
      method: "POST",
      headers,
      body: JSON.stringify({ model: "any", ...body }),
    });
    return { status: response.status, answer: await response.json(), sent: gateway.conversation.received[0]?.body };
  };
  const hi = { role: "user", content: "Hi" };

  test("members that a client wrote as null", async () => {
    const assistantMessage = {
      role: "assistant",
      content: "Yes?",
      refusal: null,
      tool_calls: null,
      function_call: null,
      audio: null,
    };
    const unused = { tools: null, tool_choice: null, stop: null, stream: null, stream_options: null, max_tokens: null };
    const gateway = gatewayTo("anthropic-messages", () => ({ text: "Ok" }));
    const { status, sent } = await ask(gateway, "chat/completions", { messages: [hi, assistantMessage, hi], ...unused });
    assert.equal(status, 200);
    assert.deepEqual(
      sent.messages.map(({ content }) => content),
      ["Hi", "Yes?", "Hi"].map((text) => [{ type: "text", text }]),
    );
  });

  test("parallel calls of Responses are in one message of chat completions", async () => {
    const call = (id) => ({ type: "function_call", call_id: id, name: "weather", arguments: "{}" });
    const output = (id) => ({ type: "function_call_output", call_id: id, output: id });
    const assistantMessage = { role: "assistant", content: [{ type: "output_text", text: "I look." }] };
    const input = [hi, assistantMessage, call("a"), call("b"), output("a"), output("b")];
    const { sent } = await ask(
      gatewayTo("openai-chat", () => ({ text: "Ok" })),
      "responses",
      { input },
    );
    assert.deepEqual(
      sent.messages.map(({ role, content, tool_calls: calls = [] }) => [role, content, ...calls.map(({ id }) => id)]),
      [
        ["user", "Hi"],
        ["assistant", "I look.", "a", "b"],
        ["tool", "a"],
        ["tool", "b"],
      ],
    );
  });

  test("text after a call stays before the call's result", async () => {
    const call = { type: "function_call", call_id: "a", name: "weather", arguments: "{}" };
    const assistantMessage = { role: "assistant", content: [{ type: "output_text", text: "I look." }] };
    const input = [hi, call, assistantMessage, { type: "function_call_output", call_id: "a", output: "7" }];
    for (const [api, roles] of [
      ["openai-chat", ["user", "assistant", "tool"]],
      ["anthropic-messages", ["user", "assistant", "user"]],
    ]) {
      const { status, sent } = await ask(
        gatewayTo(api, () => ({ text: "Ok" })),
        "responses",
        { input },
      );
      assert.deepEqual([status, sent.messages.map(({ role }) => role)], [200, roles]);
      assert.match(JSON.stringify(sent.messages[1]), /I look\./);
    }
  });

  test("data that a provider needs back with its call is sent back", async () => {
    const extra_content = { google: { thought_signature: "c2ln" } };
    const weather = { name: "weather", arguments: "{}" };
    const asked = {
      "chat/completions": [
        { role: "assistant", content: null, tool_calls: [{ id: "a", type: "function", function: weather, extra_content }] },
        { role: "tool", tool_call_id: "a", content: "7" },
      ],
      responses: [
        { type: "function_call", call_id: "a", ...weather, extra_content },
        { type: "function_call_output", call_id: "a", output: "7" },
      ],
      messages: [
        { role: "assistant", content: [{ type: "tool_use", id: "a", name: "weather", input: {}, extra_content }] },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "a", content: "7" }] },
      ],
    };
    for (const [path, turns] of Object.entries(asked)) {
      const member = path === "responses" ? "input" : "messages";
      const gateway = gatewayTo("openai-chat", () => ({ text: "Ok" }));
      const { sent } = await ask(gateway, path, { [member]: [hi, ...turns] });
      assert.deepEqual(sent.messages[1].tool_calls[0].extra_content, extra_content, path);
    }
  });

  test("one call at a time, and a tool without parameters", async () => {
    const schema = { type: "object", properties: {} };
    const ours = {
      "chat/completions": {
        messages: [hi],
        tools: [{ type: "function", function: { name: "now" } }],
        parallel_tool_calls: false,
      },
      responses: { input: [hi], tools: [{ type: "function", name: "now", parameters: null }], parallel_tool_calls: false },
      messages: {
        messages: [hi],
        tools: [{ name: "now", input_schema: { type: "object" } }],
        tool_choice: { type: "auto", disable_parallel_tool_use: true },
      },
    };
    for (const [path, body] of Object.entries(ours)) {
      const chat = await ask(
        gatewayTo("openai-chat", () => ({ text: "Ok" })),
        path,
        body,
      );
      assert.equal(chat.sent.parallel_tool_calls, false, path);
      if (path !== "chat/completions") assert.deepEqual(chat.sent.tools[0].function.parameters, schema, path);
      const anthropic = await ask(
        gatewayTo("anthropic-messages", () => ({ text: "Ok" })),
        path,
        body,
      );
      assert.deepEqual(anthropic.sent.tool_choice, { type: "auto", disable_parallel_tool_use: true }, path);
      if (path !== "messages") assert.deepEqual(anthropic.sent.tools[0].input_schema, schema, path);
    }
  });

  test("messages without text", async () => {
    const empty = { role: "user", content: "" };
    const chat = await ask(
      gatewayTo("openai-chat", () => ({ text: "Ok" })),
      "messages",
      { messages: [empty] },
    );
    assert.deepEqual(chat.sent.messages, [empty]);
    const blank = { role: "assistant", content: "\n\n" };
    const anthropic = await ask(
      gatewayTo("anthropic-messages", () => ({ text: "Ok" })),
      "chat/completions",
      { messages: [hi, blank] },
    );
    assert.deepEqual(
      anthropic.sent.messages.map(({ role }) => role),
      ["user"],
    );
  });

  test("requests in the model server's own interface are passed on, with tools and parts that aren't translated", async () => {
    const tools = [{ type: "web_search_20250305", name: "web_search" }];
    const { status, sent } = await ask(
      gatewayTo("anthropic-messages", () => ({ text: "Ok" })),
      "messages",
      { max_tokens: 9, messages: [hi], tools },
    );
    assert.deepEqual([status, sent.tools], [200, tools]);
  });

  test("a request that can't be translated is rejected: nothing is dropped, and the gateway doesn't fail", async () => {
    const chat = (message) => ["chat/completions", { messages: [hi, message] }];
    const bad = { id: "c", type: "function", function: { name: "weather", arguments: '{"city":' } };
    const refused = [
      [...chat(null), /can't be read as one of openai-chat/],
      [...chat({ role: "user", content: 5 }), /can't be read as one of openai-chat/],
      [...chat({ role: "assistant", content: null, tool_calls: [bad] }), /The arguments of a call to weather aren't valid JSON/],
      ["chat/completions", { messages: [hi], model: 5 }, /`model` must be a text/],
      ["chat/completions", { messages: [hi], stream: "false" }, /`stream` must be true or false/],
      ["messages", { messages: [hi], stream: 1 }, /`stream` must be true or false/],
      ["chat/completions", { messages: [hi], tool_choice: { type: "allowed_tools" } }, /`tool_choice` of the type allowed_tools/],
      [
        "responses",
        { input: [hi], tool_choice: { type: "allowed_tools", mode: "auto" } },
        /`tool_choice` of the type allowed_tools/,
      ],
      ["responses", { input: [{ role: "user", content: [{ type: "input_image", file_id: "f" }] }] }, /the gateway has no files/],
      ["responses", { input: "Hi", conversation: "conv_1" }, /`conversation` can't be translated/],
      ["responses", { input: "Hi", prompt: { id: "pmpt_1" } }, /`prompt` can't be translated/],
      ["responses", { input: "Hi", previous_response_id: "resp_1" }, /`previous_response_id` can't be translated/],
      ["chat/completions", { messages: [hi], web_search_options: {} }, /`web_search_options` can't be translated/],
      ["chat/completions", { messages: [hi], response_format: { type: "json_object" } }, /`response_format` can't be translated/],
      ["responses", { input: "Hi", text: { format: { type: "json_schema", name: "tide", schema: {} } } }, /`text.format`/],
      ["chat/completions", { messages: [hi], n: 2 }, /`n` can't be translated/],
      ["chat/completions", { messages: [hi], modalities: ["text", "audio"] }, /`modalities` can't be translated/],
      ["chat/completions", { messages: [hi], functions: [{ name: "f" }] }, /`functions` can't be translated/],
      [...chat({ role: "assistant", content: null, function_call: { name: "f", arguments: "{}" } }), /`function_call`/],
      [...chat({ role: "function", name: "f", content: "7" }), /the role function can't be translated/],
      ["responses", { input: [{ role: "robot", content: "Hi" }] }, /the role robot can't be translated/],
      [
        "chat/completions",
        { messages: [hi], stream: true, stream_options: { include_usage: "yes" } },
        /`stream_options.include_usage`/,
      ],
    ];
    for (const [path, body, message] of refused) {
      const { status, answer, sent } = await ask(gatewayTo("anthropic-messages", []), path, body);
      assert.deepEqual([status, sent], [400, undefined], JSON.stringify(body));
      assert.match(answer.error.message, message);
    }
    const image = { type: "image", source: { type: "base64", media_type: "image/png", data: PIXEL } };
    const result = { type: "tool_result", tool_use_id: "c", content: [image] };
    const messages = [{ role: "user", content: [result] }];
    for (const role of ["tool", "system", undefined]) {
      const { answer } = await ask(gatewayTo("openai-chat", []), "messages", { messages: [hi, { role, content: "7" }] });
      assert.match(answer.error.message, /the role \w+ can't be translated/);
    }
    const servers = { messages: [hi], mcp_servers: [{ type: "url", url: "https://tools.test", name: "tools" }] };
    assert.equal((await ask(gatewayTo("openai-chat", []), "messages", servers)).status, 400);
    const format = { type: "json_schema", schema: { type: "object" } };
    for (const asked of [{ output_config: { format } }, { output_format: format }]) {
      const { status, answer } = await ask(gatewayTo("openai-chat", []), "messages", { messages: [hi], ...asked });
      assert.deepEqual([status, answer.error.type], [400, "invalid_request_error"]);
    }
    // Members that every client may send.
    const usual = { messages: [hi], n: 1, modalities: ["text"], response_format: { type: "text" } };
    assert.equal(
      (
        await ask(
          gatewayTo("anthropic-messages", () => ({ text: "Ok" })),
          "chat/completions",
          usual,
        )
      ).status,
      200,
    );
    const { status, answer } = await ask(gatewayTo("openai-chat", []), "messages", { messages });
    assert.equal(status, 400);
    assert.match(answer.error.message, /tool results can only contain text/);
  });

  test("tool errors, strict tools and image detail are translated; other members are reported as ignored", async () => {
    const strict = { name: "tide", strict: true, input_schema: { type: "object" } };
    const use = { role: "assistant", content: [{ type: "tool_use", id: "a", name: "tide", input: {} }] };
    const failed = { role: "user", content: [{ type: "tool_result", tool_use_id: "a", is_error: true, content: "closed" }] };
    const chat = gatewayTo("openai-chat", () => ({ text: "Ok" }));
    const { sent } = await ask(chat, "messages", { messages: [hi, use, failed], tools: [strict] });
    assert.deepEqual([sent.messages.at(-1).content, sent.tools[0].function.strict], ["Error: closed", true]);

    const image = { type: "input_image", image_url: "https://pictures.test/1.png", detail: "low" };
    const seen = await ask(
      gatewayTo("openai-chat", () => ({ text: "Ok" })),
      "responses",
      { input: [{ role: "user", content: [image] }] },
    );
    assert.equal(seen.sent.messages[0].content[0].image_url.detail, "low");

    const image_url = { url: "https://pictures.test/1.png", detail: "high" };
    const messages = [{ role: "user", name: "Ann", content: [{ type: "image_url", image_url }] }];
    assert.deepEqual(translateRequest({ messages }, { from: "openai-chat", to: "anthropic-messages" }).ignored, [
      "messages.name",
      "detail",
    ]);
  });

  test("cache markers are reported as ignored", () => {
    const cache_control = { type: "ephemeral" };
    const text = { type: "text", text: "Hi", cache_control };
    const tools = [{ name: "tide", input_schema: { type: "object" }, cache_control }];
    const result = { type: "tool_result", tool_use_id: "a", content: [text] };
    for (const asked of [
      { system: [text], messages: [hi] },
      { messages: [{ role: "user", content: [text] }] },
      { messages: [{ role: "user", content: [result] }] },
      { messages: [hi], tools },
    ]) {
      const { ignored } = translateRequest(asked, { from: "anthropic-messages", to: "openai-chat" });
      assert.deepEqual(ignored, ["cache_control"], JSON.stringify(asked));
    }
    const unmarked = { messages: [{ role: "user", content: [{ ...text, cache_control: null }] }] };
    assert.deepEqual(translateRequest(unmarked, { from: "openai-chat", to: "anthropic-messages" }).ignored, []);
  });

  test("lists that are empty, and a choice without tools, aren't sent", async () => {
    const unused = ["parallel_tool_calls", "stop", "stop_sequences", "tool_choice", "tools"];
    const asked = [
      ["responses", { input: [hi], tools: [], tool_choice: "auto", parallel_tool_calls: false }],
      ["responses", { input: [hi], tool_choice: "auto" }],
      ["chat/completions", { messages: [hi], tools: [], tool_choice: "none", stop: [] }],
      ["messages", { messages: [hi], tools: [], tool_choice: { type: "auto" }, stop_sequences: [] }],
    ];
    for (const api of ["openai-chat", "anthropic-messages"]) {
      const own = api === "openai-chat" ? "chat/completions" : "messages";
      for (const [path, body] of asked.filter(([path]) => path !== own)) {
        const gateway = gatewayTo(api, () => ({ text: "Ok" }));
        const { status, sent } = await ask(gateway, path, body);
        assert.deepEqual([status, unused.filter((name) => name in sent)], [200, []], `${path} to ${api}`);
      }
    }
  });

  test("the refusal of an earlier turn", async () => {
    const refusal = { role: "assistant", content: null, refusal: "I can't." };
    const gateway = gatewayTo("anthropic-messages", () => ({ text: "Ok" }));
    const { sent } = await ask(gateway, "chat/completions", { messages: [hi, refusal, hi] });
    assert.deepEqual(
      sent.messages.map(({ role, content }) => [role, ...content.map(({ text }) => text)]),
      [
        ["user", "Hi"],
        ["assistant", "I can't."],
        ["user", "Hi"],
      ],
    );
  });

  test("texts of several parts, and arguments that aren't an object", async () => {
    const parts = ["a", "b"].map((text) => ({ type: "text", text }));
    const result = { type: "tool_result", tool_use_id: "c", content: parts };
    const called = { role: "assistant", content: [...parts, { type: "tool_use", id: "c", name: "weather", input: {} }] };
    const messages = [{ role: "user", content: parts }, called, { role: "user", content: [result] }];
    const chat = await ask(
      gatewayTo("openai-chat", () => ({ text: "Ok" })),
      "messages",
      { system: parts, messages },
    );
    assert.deepEqual(
      chat.sent.messages.map(({ content }) => content),
      ["a\n\nb", "a\n\nb", "ab", "a\n\nb"],
    );
    for (const [text, input] of [
      ["[1]", { input: [1] }],
      ["null", {}],
      ["", {}],
    ]) {
      const call = { type: "function_call", call_id: "c", name: "weather", arguments: text };
      const gateway = gatewayTo("anthropic-messages", () => ({ text: "Ok" }));
      const { sent } = await ask(gateway, "responses", { input: [hi, call] });
      assert.deepEqual(sent.messages[1].content[0].input, input, text);
    }
  });

  test("a request in the model server's own interface keeps its other stream options and Anthropic's beta features", async () => {
    const headers = { "x-api-key": "client", "anthropic-beta": "context-management-2025-06-27" };
    const chat = gatewayTo("openai-chat", () => ({ text: "Ok" }));
    const body = JSON.stringify({ stream: true, stream_options: { include_obfuscation: false }, messages: [hi] });
    await (await chat.fetch("http://gateway.test/v1/chat/completions", { method: "POST", headers, body })).text();
    const { stream_options } = chat.conversation.received[0].body;
    assert.deepEqual(stream_options, { include_obfuscation: false, include_usage: true });
    for (const [api, expected] of [
      ["anthropic-messages", headers["anthropic-beta"]],
      ["openai-chat", undefined],
    ]) {
      const gateway = gatewayTo(api, () => ({ text: "Ok" }));
      await ask(gateway, "messages", { messages: [hi], max_tokens: 9 }, headers);
      assert.equal(gateway.conversation.received[0].headers["anthropic-beta"], expected);
    }
  });

  test("a request to store the answer is reported as ignored", () => {
    const ignored = (store) => translateRequest({ input: "Hi", store }, { from: "openai-responses", to: "openai-chat" }).ignored;
    assert.deepEqual([ignored(true), ignored(false)], [["store"], []]);
  });

  test("a redirect of the model server isn't followed", async () => {
    const inits = [];
    mock.method(globalThis, "fetch", async (_, init) => {
      inits.push(init.redirect);
      return new Response(null, { status: 307, headers: { location: "https://elsewhere.test/" } });
    });
    const { status } = await ask(gatewayTo("openai-chat", []), "messages", { messages: [hi] }).finally(() =>
      globalThis.fetch.mock.restore(),
    );
    assert.deepEqual([status, inits], [502, ["manual"]]);
  });

  test("OpenAI gets the limit by its newer name", async () => {
    const limits = [];
    mock.method(globalThis, "fetch", async (_, { body }) => {
      const { max_tokens, max_completion_tokens } = JSON.parse(body);
      limits.push([max_tokens, max_completion_tokens]);
      return new Response(null, { status: 500 });
    });
    for (const MODEL_URL of ["https://api.openai.com/v1/chat/completions", "https://x.openai.azure.com/", "http://localhost/"]) {
      await ask(gatewayTo("openai-chat", [], { MODEL_URL }), "messages", { messages: [hi], max_tokens: 9 });
    }
    globalThis.fetch.mock.restore();
    const newer = [undefined, 9];
    assert.deepEqual(limits, [newer, newer, [9, undefined]]);
  });

  test("a gateway without a key rejects all requests", async () => {
    for (const key of [undefined, ""]) {
      const gateway = gatewayTo("openai-chat", [], { GATEWAY_KEY: key });
      assert.equal((await ask(gateway, "chat/completions", { messages: [hi] }, {})).status, 401);
      assert.equal((await ask(gateway, "chat/completions", { messages: [hi] }, { "x-api-key": "" })).status, 401);
    }
  });
});
