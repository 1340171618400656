// detectApi, and the functions that answer questions about a decoded response.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { decode, detectApi, hasToolCalls, isComplete, process, responseText } from "respool";
import { chatBody, embeddings } from "./answers.mjs";

describe("detectApi", () => {
  const CASES = [
    [chatBody("x"), "openai-chat"],
    [{ choices: [] }, "openai-chat"],
    [{ object: "response" }, "openai-responses"],
    [{ output: [] }, "openai-responses"],
    [{ type: "message", content: [] }, "anthropic-messages"],
    [{ candidates: [] }, "gemini"],
    [{ promptFeedback: { blockReason: "OTHER" }, usageMetadata: {} }, "gemini"],
    [{ response: { candidates: [] } }, "gemini"],
    [embeddings([1]), "openai-embeddings"],
    [{ data: [{ url: "a" }] }, "openai-images"],
    [{ data: [{ b64_json: "a" }] }, "openai-images"],
    [{ type: "message" }, undefined],
    [{ choices: {} }, undefined],
    [{ candidates: {} }, undefined],
    [{ usageMetadata: {} }, undefined],
    [{ data: [] }, undefined],
    [{ data: [{ embedding: [1], url: "a" }] }, undefined],
    [{ type: "message", content: [], choices: [] }, undefined],
    [{ error: { message: "x" } }, undefined],
  ];
  for (const [body, api] of CASES) {
    test(`${JSON.stringify(body).slice(0, 50)} → ${api}`, () => {
      assert.equal(detectApi(body), api);
      assert.equal(detectApi(JSON.stringify(body)), api, "as text");
    });
  }

  test("the agent only resolves ambiguous bodies", () => {
    const body = { type: "message", content: [{ type: "text", text: "A" }], choices: [{ message: { content: "B" } }] };
    assert.throws(() => process({}, body), { code: "unknown-response", message: /openai-chat.*anthropic-messages/ });
    assert.equal(process({ model: { provider: "anthropic", apiType: "chat" } }, body), "A");
    assert.equal(process({ model: { provider: "openai", apiType: "chat" } }, body), "B");
    assert.equal(process({ model: { provider: "anthropic", apiType: "chat" } }, chatBody("C")), "C");
  });
});

describe("a decoded response", () => {
  const anthropic = (stop_reason, ...content) => decode({ type: "message", content, stop_reason });
  const thinking = { type: "thinking", thinking: "hm", signature: "c2ln" };
  const call = { type: "tool_use", id: "t", name: "f", input: {} };

  test("responseText", () => {
    assert.equal(responseText(decode(chatBody("hello"))), "hello");
    assert.equal(responseText(anthropic("end_turn", thinking, { type: "text", text: "first" })), "first");
    assert.equal(responseText(anthropic("tool_use", call)), undefined);
  });

  test("hasToolCalls", () => {
    assert.equal(hasToolCalls(anthropic("tool_use", call)), true);
    assert.equal(hasToolCalls(decode(chatBody("hello"))), false);
  });

  test("isComplete", () => {
    assert.equal(isComplete(decode(chatBody("hello"))), true);
    for (const reason of ["length", "tool_calls", "content_filter", "mystery", null]) {
      assert.equal(isComplete(decode(chatBody("hello", reason))), false, String(reason));
    }
  });

  test("text blocks", () => {
    const body = {
      type: "message",
      content: [
        { type: "text", text: "one " },
        { type: "text", text: "two" },
      ],
    };
    assert.equal(process({}, body), "one two");
    assert.equal(process({}, body, { textBlocks: "first" }), "one ");
  });
});
