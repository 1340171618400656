// The usage of a whole message, as the adapters for pages report it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { toUIMessageStream } from "respool/ai-sdk";
import { toAgUiEvents } from "respool/ag-ui";
import { collect } from "./sources.mjs";

/** Answers with these usages, one after the other, as the deltas of an agent. */
const answers = (...usages) =>
  usages.flatMap((usage) => [
    { type: "text", text: "a" },
    ...(usage ? [{ type: "usage", usage }] : []),
    { type: "finish", finishReason: "complete" },
  ]);

async function totalsOf(input) {
  const [page, run] = await Promise.all([
    collect(toUIMessageStream(input)),
    collect(toAgUiEvents(input, { threadId: "thread", runId: "run" })),
  ]);
  const { cacheWriteInputTokens: _, model: _model, ...ofRun } = run.at(-1).usage?.[0] ?? {};
  const ofPage = page.at(-1).messageMetadata?.usage ?? {};
  assert.deepEqual(ofRun, ofPage, "both adapters report the same");
  return ofPage;
}

const CACHED = [
  {
    type: "message_start",
    message: {
      ...{ id: "msg_1", type: "message", role: "assistant", content: [], model: "claude-sonnet-4-5", stop_reason: null },
      usage: { input_tokens: 5, cache_read_input_tokens: 1200, cache_creation_input_tokens: 0, output_tokens: 1 },
    },
  },
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hi" } },
  { type: "content_block_stop", index: 0 },
  { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 2 } },
  { type: "message_stop" },
];

test("the total agrees with the counts beside it", async () => {
  assert.deepEqual(await totalsOf(CACHED), { inputTokens: 1205, outputTokens: 2, totalTokens: 1207, cachedInputTokens: 1200 });
  const one = { inputTokens: 1205, outputTokens: 2 };
  assert.equal((await totalsOf(answers(one))).totalTokens, 1207);
  assert.equal((await totalsOf(answers({ ...one, totalTokens: 7 }, one))).totalTokens, 2414);
  assert.equal((await totalsOf(answers({ inputTokens: 3, totalTokens: 3 }))).totalTokens, 3, "the provider's own");
});

test("a count is missing if one of the answers lacks it", async () => {
  const whole = { inputTokens: 10, outputTokens: 5, totalTokens: 15, cacheReadTokens: 4, reasoningTokens: 2 };
  assert.deepEqual(await totalsOf(answers(whole, { outputTokens: 5 })), { outputTokens: 10 });
  assert.deepEqual(await totalsOf(answers({ outputTokens: 5 }, whole)), { outputTokens: 10 });
  const { cacheReadTokens: _, ...uncached } = whole;
  assert.deepEqual(await totalsOf(answers(whole, uncached)), {
    inputTokens: 20,
    outputTokens: 10,
    totalTokens: 30,
    reasoningTokens: 4,
  });
  assert.equal((await totalsOf(answers(whole, undefined))).inputTokens, 10, "an answer without usage");
});
