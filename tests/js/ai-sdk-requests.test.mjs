// A request of runRequest as a UI message stream: its steps, the results of its tools, and how it ends.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as v6 from "ai";
import * as v5 from "ai-v5";
import * as v7 from "ai-v7";
import { runRequest } from "respool";
import { toUIMessageStream } from "respool/ai-sdk";
import { chunksOf } from "./ai-sdk-streams.mjs";
import { chunk } from "./answers.mjs";
import { FakeClock } from "./fake-clock.mjs";
import { collect } from "./sources.mjs";

const call = (index, name) => ({ index, id: `call_${index}`, function: { name, arguments: "{}" } });
const calling = (...names) => ({
  choices: [{ delta: { tool_calls: names.map((name, index) => call(index, name)) }, finish_reason: "tool_calls" }],
});
const usage = (tokens) => ({ choices: [], usage: { prompt_tokens: tokens, completion_tokens: 1 } });
const tools = {
  tide: () => ({ high: "9:35", depth: 12n }),
  closed: () => Promise.reject(new Error("secret")),
  nothing: () => {},
};

function request(answers, options) {
  const left = [...answers];
  return runRequest({ transport: () => left.shift(), messages: [], tools, onToolError: "feedback", ...options });
}
const retried = (...answers) => {
  const clock = new FakeClock();
  return clock.runUntil(chunksOf(request(answers, { maxRetries: 1, clock, random: () => 0.5 })));
};
const conversation = () =>
  request([
    [chunk("Hm. "), calling("tide", "closed", "nothing"), usage(5)],
    [chunk("At 9:35.", "stop"), usage(7)],
  ]);

test("the results are in the step of their calls", async () => {
  const chunks = await chunksOf(conversation());
  const types = chunks
    .filter(({ type }) => !/^tool-input-(start|delta)/.test(type))
    .map(({ type, toolCallId }) => [type, toolCallId].filter(Boolean).join(" "));
  assert.deepEqual(types, [
    ...["start", "start-step", "text-start", "text-delta", "text-end"],
    ...[0, 1, 2].map((index) => `tool-input-available call_${index}`),
    ...["tool-output-available call_0", "tool-output-error call_1", "tool-output-available call_2"],
    ...["finish-step", "start-step", "text-start", "text-delta", "text-end", "finish-step", "finish"],
  ]);
  const outputs = chunks.filter(({ type }) => type.startsWith("tool-output"));
  assert.deepEqual(
    outputs.map(({ output, errorText }) => output ?? errorText),
    [{ high: "9:35", depth: "12" }, "An error occurred.", undefined],
  );
  assert.deepEqual(chunks.at(-1), {
    type: "finish",
    finishReason: "stop",
    messageMetadata: { usage: { inputTokens: 12, outputTokens: 2, totalTokens: 14 } },
  });
});

test("each call has a separate part, even if turns repeat ids", async () => {
  const turns = [[calling("tide", "closed")], [calling("closed", "tide")], [chunk("At 9:35.", "stop")]];
  const chunks = await chunksOf(request(turns));
  assert.deepEqual(
    chunks.flatMap(({ type, toolCallId }) => (/input-available|output/.test(type) ? `${type} ${toolCallId}` : [])),
    [
      ...["tool-input-available call_0", "tool-input-available call_1"],
      ...["tool-output-available call_0", "tool-output-error call_1"],
      ...["tool-input-available call_0_2", "tool-input-available call_1_2"],
      ...["tool-output-error call_0_2", "tool-output-available call_1_2"],
    ],
  );
});

test("an id that each turn repeats doesn't take longer with each turn", async (t) => {
  /** Returns how many ids are looked up in a request with as many turns. */
  async function lookups(count) {
    const turns = Array.from({ length: count }, () => [calling("tide")]);
    const { has } = Set.prototype;
    let found = 0;
    t.mock.method(Set.prototype, "has", function (value) {
      if (`${value}`.startsWith("call_0")) found++;
      return Reflect.apply(has, this, [value]);
    });
    const chunks = await chunksOf(request([...turns, [chunk("", "stop")]], { toolBudget: count }));
    t.mock.restoreAll();
    assert.equal(chunks.findLast(({ toolCallId }) => toolCallId).toolCallId, `call_0_${count}`);
    return found;
  }
  const [few, many] = [await lookups(40), await lookups(80)];
  assert.ok(many < few * 2.5, `${few} and ${many} lookups`);
});

test("the metadata can contain the responses of all steps", async () => {
  const chunks = await chunksOf(conversation(), { messageMetadata: ({ responses }) => responses });
  assert.deepEqual(
    chunks.at(-1).messageMetadata.map(({ message, toolCalls, finishReason }) => [message, toolCalls?.length, finishReason]),
    [
      ["Hm. ", 3, "tool_use"],
      ["At 9:35.", undefined, "complete"],
    ],
  );
});

test("onError writes the errors of tools", async () => {
  const chunks = await chunksOf(conversation(), { onError: ({ message }) => message });
  assert.deepEqual(chunks.find(({ type }) => type === "tool-output-error").errorText, "The tool 'closed' failed: secret");
});

describe("a request that", () => {
  const onError = (error) => error.message;

  test("fails ends with its error", async () => {
    for (const [options, message] of [
      [{ transport: () => new Response("{}", { status: 401 }) }, /401/],
      [{ transport: () => [calling("closed")], onToolError: "fail" }, /^secret$/],
      [{ transport: () => [calling("tide", "tide")], toolBudget: 1 }, /budget/],
      [{ transport: () => [chunk("At"), { error: { message: "Overloaded" } }] }, /Overloaded/],
    ]) {
      const chunks = await chunksOf(request([], options), { onError });
      const errors = chunks.filter(({ type }) => type === "error");
      assert.equal(errors.length, 1, JSON.stringify(chunks));
      assert.match(errors[0].errorText, message);
      assert.deepEqual(chunks.slice(-1), [{ type: "finish", finishReason: "error" }]);
    }
  });

  test("is retried continues, and its failed attempt is a separate step", async () => {
    const overloaded = { error: { message: "Overloaded", type: "overloaded_error" } };
    const audio = { choices: [{ delta: { audio: { data: "AAA" } } }] };
    const chunks = await retried([chunk("The fer"), audio, overloaded], [chunk("The ferry leaves.", "stop")]);
    assert.deepEqual(
      chunks.map(({ type, delta, finishReason }) => delta ?? finishReason ?? type),
      [
        ...["start", "start-step", "text-start", "The fer", "text-end", "finish-step"],
        ...["start-step", "text-start", "The ferry leaves.", "text-end", "finish-step", "stop"],
      ],
    );
    const failed = await retried([chunk("The fer"), overloaded], [chunk("The fer"), overloaded]);
    assert.equal(failed.filter(({ type }) => type === "error").length, 1);
    assert.equal(failed.at(-1).finishReason, "error");
  });

  test("is retried ends the calls of the failed attempt", async () => {
    const first = [calling("tide", "closed"), { error: { message: "Overloaded", type: "overloaded_error" } }];
    const chunks = await retried(first, [calling("tide")], [chunk("At 9:35.", "stop")]);
    assert.deepEqual(
      chunks.flatMap(({ type, toolCallId, errorText }) => (/available|output/.test(type) ? [[type, toolCallId, errorText]] : [])),
      [
        ["tool-input-available", "call_0", undefined],
        ["tool-input-available", "call_1", undefined],
        ["tool-output-error", "call_0", "The call was dropped, because the answer broke off."],
        ["tool-output-error", "call_1", "The call was dropped, because the answer broke off."],
        ["tool-input-available", "call_0_2", undefined],
        ["tool-output-available", "call_0_2", undefined],
      ],
    );
  });

  test("is retried ends the provider's tools of the failed attempt, but not those of the step before", async () => {
    const search = (id) => ({ type: "server-tool", part: { type: "server-tool", id, name: "search", call: {}, raw: {} } });
    const warning = { type: "warning", code: "turn-retried", message: "" };
    const chunks = await chunksOf([
      { type: "step-start", step: 0 },
      search("a"),
      { type: "step-finish", step: 0 },
      { type: "step-start", step: 1 },
      search("b"),
      warning,
      { type: "text", text: "At 9:35." },
      { type: "finish", finishReason: "complete" },
      { type: "step-finish", step: 1 },
    ]);
    assert.deepEqual(
      chunks
        .filter(({ type }) => type === "tool-output-error")
        .map(({ toolCallId, providerExecuted }) => [toolCallId, providerExecuted]),
      [["b", true]],
    );
  });

  test("is cancelled ends with an abort", async () => {
    const running = request([], { transport: () => new Promise(() => {}) });
    const chunks = chunksOf(running);
    setImmediate(() => running.cancel());
    assert.deepEqual((await chunks).at(-1), { type: "abort" });
  });

  test("the page leaves is cancelled", async () => {
    const running = request([[chunk("Hm. "), calling("tide")]], { tools: { tide: () => new Promise(() => {}) } });
    const reader = toUIMessageStream(running).getReader();
    await reader.read();
    await reader.read();
    await reader.cancel();
    assert.equal(running.state, "canceled");
  });
});

for (const [version, { readUIMessageStream }] of Object.entries({ 5: v5, 6: v6, 7: v7 })) {
  test(`AI SDK ${version} shows the outputs`, async () => {
    const stream = toUIMessageStream(conversation());
    const message = (await collect(readUIMessageStream({ stream }))).at(-1);
    const parts = message.parts.map(({ type, state, output, errorText }) => [type, state, output ?? errorText]);
    assert.deepEqual(parts, [
      ["step-start", undefined, undefined],
      ["text", "done", undefined],
      ["tool-tide", "output-available", { high: "9:35", depth: "12" }],
      ["tool-closed", "output-error", "An error occurred."],
      ["tool-nothing", "output-available", undefined],
      ["step-start", undefined, undefined],
      ["text", "done", undefined],
    ]);
  });
}
