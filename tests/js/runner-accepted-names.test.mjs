// The names of calls in messages for the next request: interfaces reject names that models make up.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { decode, formatToolMessages } from "respool";

const chat = (name) => ({
  choices: [{ message: { role: "assistant", tool_calls: [{ id: "c", type: "function", function: { name, arguments: "{}" } }] } }],
});
const BODIES = {
  "openai-chat": chat,
  "openai-responses": (name) => ({
    object: "response",
    status: "completed",
    output: [{ type: "function_call", id: "fc", call_id: "c", name, arguments: "{}", status: "completed" }],
  }),
  "anthropic-messages": (name) => ({
    type: "message",
    role: "assistant",
    content: [{ type: "tool_use", id: "c", name, input: {} }],
    stop_reason: "tool_use",
  }),
  "bedrock-converse": (name) => ({
    output: { message: { role: "assistant", content: [{ toolUse: { toolUseId: "c", name, input: {} } }] } },
    stopReason: "tool_use",
  }),
  gemini: (name) => ({
    candidates: [{ content: { role: "model", parts: [{ functionCall: { name, args: {} } }] }, finishReason: "STOP" }],
  }),
};
const NAME = {
  "openai-chat": ([message]) => message.tool_calls[0].function.name,
  "openai-responses": ([item]) => item.name,
  "anthropic-messages": ([message]) => message.content[0].name,
  "bedrock-converse": ([message]) => message.content[0].toolUse.name,
  gemini: ([message, results]) => {
    assert.equal(results.parts[0].functionResponse.name, message.parts[0].functionCall.name);
    return message.parts[0].functionCall.name;
  },
};

/** The name that is sent back for a call, in the form of `api`; the answer has the form of `from`. */
function nameSentBack(api, name, from = api) {
  const answer = decode(BODIES[from](name));
  return NAME[api](formatToolMessages(api, answer, answer.toolCalls, ["ok"]));
}

const PLAIN = ["openai-responses", "anthropic-messages", "bedrock-converse"];

describe("names of calls that are sent back", () => {
  for (const api of PLAIN) {
    test(`${api} accepts only letters, digits, "_" and "-"`, () => {
      for (const from of [api, "openai-chat", "gemini"]) {
        assert.equal(nameSentBack(api, "get_weather-2", from), "get_weather-2");
        assert.equal(nameSentBack(api, "functions.weather", from), "functions_weather");
        assert.equal(nameSentBack(api, "get wetter für", from), "get_wetter_f_r");
      }
    });
  }

  test("servers of OpenAI's chat interface have tools with other names, but no model's namespaces", () => {
    assert.equal(nameSentBack("openai-chat", "server.über/tool:1"), "server.über/tool:1");
    assert.equal(nameSentBack("openai-chat", "functions.weather"), "functions_weather");
    assert.equal(nameSentBack("openai-chat", "multi_tool_use.parallel"), "multi_tool_use_parallel");
    assert.equal(nameSentBack("openai-chat", "my.functions.weather"), "my.functions.weather");
  });

  test("a name isn't longer than an interface allows", () => {
    assert.equal(nameSentBack("bedrock-converse", "a".repeat(100)).length, 64);
    assert.equal(nameSentBack("anthropic-messages", "a".repeat(200)).length, 128);
  });

  for (const api of Object.keys(BODIES)) {
    test(`${api}: no name is empty`, () => {
      const calls = [{ id: "c", name: "", arguments: "{}" }];
      const messages = formatToolMessages(api, decode(chat("")), calls, ["ok"]);
      assert.equal(NAME[api](messages), "unnamed_tool");
    });
  }

  test("an empty name in the provider's own parts is replaced, too", () => {
    for (const api of ["anthropic-messages", "openai-responses", "bedrock-converse", "gemini"]) {
      const answer = decode(BODIES[api](""));
      const calls = (answer.toolCalls ?? []).map((call) => ({ ...call }));
      if (calls.length > 0) assert.equal(NAME[api](formatToolMessages(api, answer, calls, ["ok"])), "unnamed_tool", api);
    }
  });
});

test("the arguments of an item keep the digits of large numbers, unless they were edited", () => {
  const text = '{"id":12345678901234567890,"price":1.0}';
  const body = BODIES["openai-responses"]("pay");
  body.output[0].arguments = text;
  const answer = decode(body);
  const [item] = formatToolMessages("openai-responses", answer, answer.toolCalls, ["ok"]);
  assert.equal(item.arguments, text);
  const edited = [{ ...answer.toolCalls[0], arguments: '{"id":1}' }];
  assert.equal(formatToolMessages("openai-responses", answer, edited, ["ok"])[0].arguments, '{"id":1}');
});
