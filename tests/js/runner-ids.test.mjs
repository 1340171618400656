// The ids of calls in a conversation with a server that uses the same ids in each answer.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { runRequest } from "respool";
import { chunk } from "./answers.mjs";

/** Two turns with a call each, of the same id, and one with text; in each interface. */
const TURNS = {
  "openai-chat": (call) =>
    call
      ? {
          choices: [
            { message: { tool_calls: [{ id: call.id, ...call.extra, function: { name: "tide", arguments: call.text } }] } },
          ],
        }
      : { choices: [{ message: { content: "Ok" }, finish_reason: "stop" }] },
  "openai-responses": (call) => ({
    object: "response",
    status: "completed",
    output: call
      ? [{ type: "function_call", id: "fc_0", call_id: call.id, name: "tide", arguments: call.text }]
      : [{ type: "message", role: "assistant", content: [{ type: "output_text", text: "Ok" }] }],
  }),
  "anthropic-messages": (call) => ({
    type: "message",
    content: [
      call ? { type: "tool_use", id: call.id, name: "tide", input: JSON.parse(call.text) } : { type: "text", text: "Ok" },
    ],
    stop_reason: call ? "tool_use" : "end_turn",
  }),
  "bedrock-converse": (call) => ({
    output: {
      message: {
        content: [call ? { toolUse: { toolUseId: call.id, name: "tide", input: JSON.parse(call.text) } } : { text: "Ok" }],
      },
    },
    stopReason: call ? "tool_use" : "end_turn",
  }),
  gemini: (call) => ({
    candidates: [
      {
        content: {
          parts: [call ? { functionCall: { id: call.id, name: "tide", args: JSON.parse(call.text) } } : { text: "Ok" }],
        },
        finishReason: "STOP",
      },
    ],
  }),
};

/** Returns the ids of calls and of results, in the order of the messages. */
const idsIn = (messages) =>
  Array.from(
    JSON.stringify(messages).matchAll(/"(?:id|call_id|tool_call_id|tool_use_id|toolUseId)":"(call[^"]*)"/g),
    ([, id]) => id,
  );

describe("an id that the server repeats", () => {
  for (const [api, turn] of Object.entries(TURNS)) {
    test(api, async () => {
      const calls = ["Bodø", "Moss"].map((port) => ({ id: "call_1", text: JSON.stringify({ id: "call_1", port }) }));
      const bodies = [...calls.map(turn), turn()];
      const tools = { tide: ({ port }) => ({ id: "call_1", port }) };
      const { state, newMessages, steps } = await runRequest({
        api,
        transport: () => [bodies.shift()],
        messages: [],
        tools,
      }).result();
      assert.equal(state, "completed");
      const written = JSON.stringify(newMessages);
      const ids = idsIn(newMessages).filter((id) => id !== "call_1");
      assert.deepEqual(ids, ["call_1_2", "call_1_2"], written);
      // Arguments and results are unchanged, and steps have the server's ids.
      assert.equal(written.match(/\\?"id\\?":\\?"call_1\\?",\\?"port\\?"/g).length, 4, written);
      assert.deepEqual(
        steps.flatMap(({ toolResults }) => toolResults.map(({ id, result }) => [id, result.port])),
        [
          ["call_1", "Bodø"],
          ["call_1", "Moss"],
        ],
      );
    });
  }

  test("keeps its signature", async () => {
    const extra_content = { google: { thought_signature: "c2ln" } };
    const bodies = [0, 1].map(() => TURNS["openai-chat"]({ id: "call_1", extra: { extra_content }, text: "{}" }));
    const transport = () => [bodies.shift() ?? chunk("Ok", "stop")];
    const { newMessages } = await runRequest({ transport, messages: [], tools: { tide: () => "high" } }).result();
    assert.deepEqual(
      newMessages.flatMap(({ tool_calls: calls = [] }) => calls.map(({ id, extra_content: extra }) => [id, extra])),
      [
        ["call_1", extra_content],
        ["call_1_2", extra_content],
      ],
    );
  });

  test("is also made unique if it was used before the request", async () => {
    const messages = [
      { role: "assistant", tool_calls: [{ id: "a", type: "function", function: { name: "tide", arguments: "{}" } }] },
      { role: "tool", tool_call_id: "a", content: "low" },
    ];
    const bodies = [TURNS["openai-chat"]({ id: "a", text: "{}" }), TURNS["openai-chat"]()];
    const { newMessages } = await runRequest({
      transport: () => [bodies.shift()],
      messages,
      tools: { tide: () => "high" },
    }).result();
    assert.deepEqual([newMessages[0].tool_calls[0].id, newMessages[1].tool_call_id], ["a_2", "a_2"]);
  });

  test("stays if the server keeps the conversation", async () => {
    const turn = TURNS["openai-responses"];
    const bodies = [turn({ id: "call_1", text: "{}" }), turn({ id: "call_1", text: "{}" }), turn()];
    const sent = [];
    const transport = ({ input }) => {
      sent.push(input);
      return [bodies.shift()];
    };
    const params = { conversation: "conv_1" };
    const options = { api: "openai-responses", transport, params, messages: [], tools: { tide: () => "high" } };
    await runRequest(options).result();
    assert.deepEqual(sent.slice(1).map(idsIn), [["call_1"], ["call_1"]]);
  });
});
