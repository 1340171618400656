// How a request ends if the provider reports a failure in its stream, and the cost of interrupted turns.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { runRequest } from "respool";
import { FakeClock } from "./fake-clock.mjs";

/** Returns the result of a request that always gets these events, and the number of its model calls, `asked`. */
async function resultOf(api, events, options) {
  const clock = new FakeClock();
  let asked = 0;
  const transport = () => {
    asked++;
    return events;
  };
  const handle = runRequest({ api, messages: [], transport, clock, ...options });
  const result = await clock.runUntil(handle.result());
  return { ...result, asked };
}

test("an answer that the provider ended as failed is a failure", async () => {
  const finishMessage = "Malformed function call: tide(";
  const status = (object) => ({ id: "r", object, status: "cancelled", output: [], steps: [] });
  const cases = [
    ["gemini", { candidates: [{ content: {}, finishReason: "MALFORMED_FUNCTION_CALL", finishMessage }] }, finishMessage],
    ["bedrock-converse", { messageStop: { stopReason: "malformed_tool_use" } }, /"malformed_tool_use"/],
    ["openai-responses", { type: "response.completed", response: status("response") }, /"cancelled"/],
    ["gemini-interactions", status("interaction"), /"cancelled"/],
  ];
  for (const [api, event, message] of cases) {
    const { state, failure, newMessages } = await resultOf(api, [event]);
    assert.deepEqual([state, failure?.code, newMessages], ["failed", "provider_error", []], api);
    assert.match(failure.message, typeof message === "string" ? /^Malformed function call: tide\($/ : message);
  }
});

describe("an error in a stream", () => {
  const cases = [
    ["openai-chat", { error: { message: "No auth credentials found", code: 401 } }],
    ["openai-chat", { error: { message: "Unsupported value", type: "invalid_request_error", code: null } }],
    ["anthropic-messages", { type: "error", error: { type: "authentication_error", message: "invalid x-api-key" } }],
    ["gemini", { error: { code: 400, status: "INVALID_ARGUMENT", message: "API key not valid" } }],
    ["openai-responses", { type: "error", code: "context_length_exceeded", message: "too long" }],
    ["bedrock-converse", { validationException: { message: "bad" } }],
    ...["image_content_policy_violation", "cyber_policy", "image_too_small", "empty_image_file", "content_filter"].map((code) => [
      "openai-responses",
      { type: "error", code, message: "no" },
    ]),
  ];
  const transient = [
    ["openai-chat", { error: { message: "Upstream failed", code: 502 } }],
    ["anthropic-messages", { type: "error", error: { type: "overloaded_error", message: "Overloaded" } }],
    ["gemini", { error: { code: 429, status: "RESOURCE_EXHAUSTED", message: "Slow down" } }],
    ["openai-responses", { type: "error", code: "server_error", message: "Sorry" }],
    ["bedrock-converse", { throttlingException: { message: "Slow down" } }],
  ];
  for (const [list, count] of [
    [cases, 1],
    [transient, 3],
  ]) {
    test(`leads to ${count} attempts`, async () => {
      for (const [api, event] of list) {
        const { asked, failure } = await resultOf(api, [event], { maxRetries: 2 });
        assert.deepEqual([asked, failure.code], [count, "provider_error"], JSON.stringify(event));
      }
    });
  }
});

test("the cost of a turn that was interrupted counts once", async () => {
  const call = { index: 0, id: "a", function: { name: "tide", arguments: "{}" } };
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15, cost: 0.5 };
  const events = [{ choices: [{ delta: { tool_calls: [call] }, finish_reason: "tool_calls" }] }, { choices: [], usage }];
  for (const end of ["cancel", "throw", "tool"]) {
    let turns = 0;
    const handle = runRequest({
      messages: [],
      tools: { tide: () => (end === "tool" && turns === 2 ? handle.cancel() : "high") },
      transport: () => {
        turns++;
        return events;
      },
      onDelta: ({ type }) => {
        if (type !== "usage" || turns < 2) return;
        if (end === "cancel") handle.cancel();
        if (end === "throw") throw new Error("full");
      },
    });
    await handle.result().catch(() => {});
    const { usage: sum } = handle.getResult();
    assert.deepEqual([sum.totalTokens, sum.reportedCost], [30, 1], end);
  }
});
