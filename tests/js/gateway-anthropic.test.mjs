// Requests that examples/gateway writes for Anthropic, which rejects what other APIs accept.
import assert from "node:assert/strict";
import { test } from "node:test";
import { translateRequest } from "../../examples/gateway/requests.js";

const written = (body) => translateRequest({ model: "any", ...body }, { from: "openai-chat", to: "anthropic-messages" }).request;

test("ids of calls have only characters that are accepted, and stay different", () => {
  const ids = ["call_1-a", "functions.weather:0", "functions:weather.0", "ruf-é"];
  const tool_calls = ids.map((id) => ({ id, type: "function", function: { name: "weather", arguments: "{}" } }));
  const results = ids.map((tool_call_id) => ({ role: "tool", tool_call_id, content: "Fog" }));
  const { messages } = written({ messages: [{ role: "user", content: "Hi" }, { role: "assistant", tool_calls }, ...results] });
  const sent = messages[1].content.map(({ id }) => id);
  for (const id of sent) assert.match(id, /^[a-zA-Z0-9_-]+$/);
  assert.equal(sent[0], "call_1-a");
  assert.equal(new Set(sent).size, ids.length);
  assert.deepEqual(
    messages[2].content.map(({ tool_use_id }) => tool_use_id),
    sent,
  );
});

test("a tool may have null as its description", () => {
  const { tools } = written({
    messages: [{ role: "user", content: "Hi" }],
    tools: [{ type: "function", function: { name: "weather", description: null } }],
  });
  assert.equal(JSON.parse(JSON.stringify(tools))[0].description, undefined);
});

test("an image's type may have parameters", () => {
  const image_url = { url: "data:image/png;charset=utf-8;base64,iVBORw0KGgo=" };
  const { messages } = written({ messages: [{ role: "user", content: [{ type: "image_url", image_url }] }] });
  assert.deepEqual(messages[0].content[0].source, { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" });
});
