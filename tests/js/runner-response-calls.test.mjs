// The calls of a response: formatToolMessages accepts them as well as those of a result, and a request finds their items.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { decode, formatToolMessages, process, runRequest } from "respool";

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

describe("the items of a response's calls", () => {
  const respond = (output) => ({ object: "response", status: "completed", output });
  const reasoning = (at) => ({ type: "reasoning", id: `rs_${at}`, summary: [] });
  const call = (id, item) => ({ type: "function_call", id: `fc_${item}`, call_id: id, name: "tide", arguments: `{"n":${item}}` });
  const text = { type: "message", id: "m", role: "assistant", content: [{ type: "output_text", text: "High." }] };

  /** Runs the calls of an answer with these items, and returns the item that each tool got, by the id of its call. */
  async function itemsOf(output) {
    const items = [];
    const tide = (_, { toolCall, outputItem }) => items.push([toolCall.id, outputItem.id]);
    const bodies = [respond(output), respond([text])];
    const options = { api: "openai-responses", messages: [], tools: { tide }, toolBudget: output.length };
    const { state } = await runRequest({ ...options, transport: () => [bodies.shift()] }).result();
    assert.equal(state, "completed");
    return items;
  }

  test("are found if calls share an id", async () => {
    const output = [reasoning(0), call("a", 0), call("a", 1), reasoning(1), call("a_2", 2), call("b", 3)];
    const items = await itemsOf(output);
    assert.deepEqual(
      items.map(([, item]) => item),
      ["fc_0", "fc_1", "fc_2", "fc_3"],
    );
    assert.equal(new Set(items.map(([id]) => id)).size, 4);
  });

  test("are found once for all calls", async (t) => {
    const count = 50;
    const output = Array.from({ length: count }, (_, at) => [reasoning(at), call(`c_${at}`, at)]).flat();
    let replacements = 0;
    const { replace } = String.prototype;
    t.mock.method(String.prototype, "replace", function (...given) {
      replacements++;
      return Reflect.apply(replace, this, given);
    });
    const items = await itemsOf(output);
    t.mock.restoreAll();
    assert.equal(items.length, count);
    // Whether an id is one that respool gave to a duplicate is asked of each call a few times, not for each other item.
    assert.ok(replacements < count * 10, `${replacements} replacements for ${count} calls`);
  });
});
