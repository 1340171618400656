// formatToolMessages accepts the calls of a response as well as those of a result.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { decode, formatToolMessages, process } from "respool";

describe("the calls of a response, whose arguments are values", () => {
  const custom = { type: "custom", id: "b", custom: { name: "sql", input: "select 1" } };
  const called = { type: "function", id: "a", function: { name: "tide", arguments: '{"n":1}' } };
  const item = { type: "function_call", call_id: "a", name: "tide", arguments: '{"n":1}' };
  const BODIES = {
    "openai-chat": { choices: [{ message: { content: null, tool_calls: [called, custom] }, finish_reason: "tool_calls" }] },
    "openai-responses": {
      object: "response",
      status: "completed",
      output: [item, { type: "custom_tool_call", call_id: "b", name: "sql", input: "select 1" }],
    },
    "anthropic-messages": {
      type: "message",
      content: [{ type: "tool_use", id: "a", name: "tide", input: { n: 1 } }],
      stop_reason: "tool_use",
    },
  };
  const TARGETS = [...Object.keys(BODIES), "gemini", "gemini-interactions", "bedrock-converse", "ollama-chat", "cohere-chat"];
  for (const [source, body] of Object.entries(BODIES)) {
    test(source, () => {
      const response = decode(body);
      const calls = process({}, body);
      const results = calls.map(({ name }) => name);
      for (const api of source === "anthropic-messages" ? TARGETS : [source]) {
        const messages = formatToolMessages(api, response, response.toolCalls, results);
        assert.deepEqual(messages, formatToolMessages(api, response, calls, results));
        assert.match(JSON.stringify(messages), /"n\\?":1/, api);
      }
    });
  }
});
