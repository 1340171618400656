// Pages that already received a call learn that it was withdrawn.
import assert from "node:assert/strict";
import { test } from "node:test";
import { toAgUiEvents } from "respool/ag-ui";
import { toUIMessageStream } from "respool/ai-sdk";
import { collect } from "./sources.mjs";

const block = (index, content_block, delta) => [
  { type: "content_block_start", index, content_block },
  ...(delta ? [{ type: "content_block_delta", index, delta }] : []),
  { type: "content_block_stop", index },
];

const usage = { input_tokens: 1, output_tokens: 1 };
const begin = { type: "message_start", message: { id: "m", role: "assistant", model: "a", content: [], usage } };
const call = (index, id) =>
  block(index, { type: "tool_use", id, name: "tide", input: {} }, { type: "input_json_delta", partial_json: '{"at":1}' });
const fallback = block(1, { type: "fallback", from: { model: "a" }, to: { model: "b" } });
const end = [{ type: "message_delta", delta: { stop_reason: "tool_use" }, usage }, { type: "message_stop" }];

const DECLINED = [begin, ...call(0, "first"), ...fallback, ...call(2, "second"), ...end];

test("the AI SDK", async () => {
  const chunks = await collect(toUIMessageStream(DECLINED));
  const outputs = chunks.filter(({ type }) => type.startsWith("tool-output"));
  assert.deepEqual(outputs, [{ type: "tool-output-error", toolCallId: "first", errorText: "The call was withdrawn." }]);
  assert.deepEqual(
    chunks.slice(-3).map(({ type }) => type),
    ["tool-output-error", "finish-step", "finish"],
  );
});

test("AG-UI", async () => {
  const events = await collect(toAgUiEvents(DECLINED, { threadId: "t", runId: "r" }));
  const results = events.filter(({ type }) => type === "TOOL_CALL_RESULT");
  assert.deepEqual(
    results.map(({ toolCallId, content }) => [toolCallId, content]),
    [["first", "The call was withdrawn."]],
  );
  assert.deepEqual(events.at(-1).outcome, { type: "success", pendingToolCallIds: ["second"] });
});
