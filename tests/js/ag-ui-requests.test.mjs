// A request of runRequest as AG-UI events: its steps, the results of its tools, and how it ends.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { runRequest } from "respool";
import { toAgUiEvents } from "respool/ag-ui";
import { IDS, checkClient, checkEvents, eventsOf, ofType } from "./ag-ui-client.mjs";
import { chunk } from "./answers.mjs";
import { FakeClock } from "./fake-clock.mjs";

const call = (index, name, text = "{}") => ({ index, id: `call_${index}`, function: { name, arguments: text } });
const calling = (...names) => ({
  choices: [{ delta: { tool_calls: names.map((name, index) => call(index, name)) }, finish_reason: "tool_calls" }],
});
const usage = (tokens) => ({ choices: [], usage: { prompt_tokens: tokens, completion_tokens: 1 } });
const photo = {
  content: [
    { type: "text", text: "The port" },
    { type: "image", data: "iVBOR", mimeType: "image/png" },
  ],
};
const tools = {
  tide: () => ({ high: "9:35", depth: 12n }),
  closed: () => Promise.reject(new Error("secret")),
  nothing: () => {},
  photo: () => photo,
  text: () => ({
    content: [
      { type: "text", text: "low" },
      { type: "text", text: "est" },
    ],
  }),
};

function request(answers, options) {
  const left = [...answers];
  return runRequest({ transport: () => left.shift(), messages: [], tools, onToolError: "feedback", ...options });
}

test("steps, and the results in the step of their calls", async () => {
  const events = await eventsOf(
    request([
      [chunk("Hm. "), calling("tide", "closed", "nothing"), usage(5)],
      [chunk("At 9:35.", "stop"), usage(7)],
    ]),
  );
  checkEvents(events);
  const shown = events.map(({ type, stepName, toolCallId }) => [type, stepName ?? toolCallId].filter(Boolean).join(" "));
  const ended = [0, 1, 2].flatMap((index) => ["START", "ARGS", "END"].map((what) => `TOOL_CALL_${what} call_${index}`));
  const text = ["TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END"];
  assert.deepEqual(
    shown.sort(),
    [
      ...["RUN_STARTED", "STEP_STARTED step-0", ...text, ...ended],
      ...[0, 1, 2].map((index) => `TOOL_CALL_RESULT call_${index}`),
      ...["STEP_FINISHED step-0", "STEP_STARTED step-1", ...text, "STEP_FINISHED step-1", "RUN_FINISHED"],
    ].sort(),
  );
  const at = (name) => events.findIndex(({ type, stepName }) => `${type} ${stepName}` === name);
  const results = ofType(events, "TOOL_CALL_RESULT");
  for (const result of results) {
    const index = events.indexOf(result);
    assert.ok(index > at("STEP_STARTED step-0") && index < at("STEP_FINISHED step-0"));
  }
  assert.deepEqual(
    results.map(({ content, metadata }) => [content, metadata?.isError]),
    [
      ['{"high":"9:35","depth":"12"}', undefined],
      ["An error occurred.", true],
      ["", undefined],
    ],
  );
  assert.deepEqual(events.at(-1).usage, [{ inputTokens: 12, outputTokens: 2, totalTokens: 14 }]);
  assert.deepEqual(events.at(-1).outcome, { type: "success" });
  const messages = await checkClient(events);
  assert.deepEqual(
    messages.map(({ role }) => role),
    ["assistant", "tool", "tool", "tool", "assistant"],
  );
});

test("results in the form of MCP", async () => {
  const events = await eventsOf(request([[calling("photo", "text")], [chunk("So.", "stop")]]));
  checkEvents(events);
  const [first, second] = ofType(events, "TOOL_CALL_RESULT");
  assert.deepEqual(first.content, [
    { type: "text", text: "The port" },
    { type: "image", source: { type: "data", value: "iVBOR", mimeType: "image/png" } },
  ]);
  assert.deepEqual([second.content, second.metadata], ["lowest", undefined]);
  await checkClient(events);
});

test("onError writes the errors of tools", async () => {
  const events = await eventsOf(request([[calling("closed")], [chunk("So.", "stop")]]), { onError: ({ message }) => message });
  assert.equal(ofType(events, "TOOL_CALL_RESULT")[0].content, "The tool 'closed' failed: secret");
});

test("calls of exit tools are left for the client", async () => {
  const events = await eventsOf(request([[calling("tide", "ask")], [chunk("", "stop")]], { exitTools: ["ask"] }));
  checkEvents(events);
  assert.deepEqual(events.at(-1).outcome, { type: "success", pendingToolCallIds: ["call_1"] });
});

test("a call without a result doesn't get the result of a later call with the same id", async () => {
  const first = { choices: [{ delta: { tool_calls: [call(0, "ask"), call(1, "tide")] }, finish_reason: "tool_calls" }] };
  const answers = [[first], [calling("tide")], [chunk("So.", "stop")]];
  const events = await eventsOf(request(answers, { exitTools: ["ask"] }));
  checkEvents(events);
  assert.deepEqual(
    ofType(events, "TOOL_CALL_RESULT").map(({ toolCallId }) => toolCallId),
    ["call_1", "call_0-2"],
  );
  assert.deepEqual(events.at(-1).outcome.pendingToolCallIds, ["call_0"]);
});

test("turns that repeat the ids of calls", async () => {
  const events = await eventsOf(request([[calling("tide")], [calling("tide")], [chunk("So.", "stop")]]));
  checkEvents(events);
  assert.deepEqual(
    ofType(events, "TOOL_CALL_RESULT").map(({ toolCallId }) => toolCallId),
    ["call_0", "call_0-2"],
  );
  const messages = await checkClient(events);
  assert.deepEqual(
    messages.map(({ role }) => role),
    ["assistant", "tool", "assistant", "tool", "assistant"],
  );
});

test("encrypted reasoning of each step", async () => {
  const answer = (id, signature, ...blocks) => [
    { type: "message_start", message: { id, type: "message", role: "assistant", content: [] } },
    { type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "Hm." } },
    { type: "content_block_delta", index: 0, delta: { type: "signature_delta", signature } },
    { type: "content_block_stop", index: 0 },
    ...blocks,
    { type: "message_stop" },
  ];
  const use = [
    { type: "content_block_start", index: 1, content_block: { type: "tool_use", id: "toolu_1", name: "tide", input: {} } },
    { type: "content_block_stop", index: 1 },
    { type: "message_delta", delta: { stop_reason: "tool_use" } },
  ];
  const end = { type: "message_delta", delta: { stop_reason: "end_turn" } };
  const answers = [answer("m1", "YQ==", ...use), answer("m2", "Yg==", end)];
  const events = await eventsOf(request(answers));
  checkEvents(events);
  assert.deepEqual(
    (await checkClient(events)).filter(({ role }) => role === "reasoning").map(({ encryptedValue }) => encryptedValue),
    ["YQ==", "Yg=="],
  );
});

describe("a request that", () => {
  const onError = (error) => error.message;

  test("fails ends with its error", async () => {
    for (const [options, code, message] of [
      [{ transport: () => new Response("{}", { status: 401 }) }, "provider_error", /401/],
      [{ transport: () => [calling("closed")], onToolError: "fail" }, "tool_execution_error", /^secret$/],
      [{ transport: () => [calling("tide", "tide")], toolBudget: 1 }, "tool_execution_error", /budget/],
      [{ transport: () => [chunk("At"), { error: { message: "Overloaded" } }] }, "provider_error", /Overloaded/],
      [{ transport: () => [{ choices: [{ delta: { refusal: "No." } }] }, chunk("", "stop")] }, "refusal", /No\./],
    ]) {
      const events = await eventsOf(request([], options), { onError });
      checkEvents(events);
      const { type, code: sent, message: shown } = events.at(-1);
      assert.deepEqual([type, sent], ["RUN_ERROR", code]);
      assert.match(shown, message);
      await checkClient(events);
    }
  });

  test("is retried drops the first attempt", async () => {
    const clock = new FakeClock();
    const answers = [[calling("tide"), { error: { message: "Overloaded", type: "overloaded_error" } }], [chunk("So.", "stop")]];
    const running = eventsOf(request(answers, { maxRetries: 1, clock, random: () => 0.5 }));
    const events = await clock.runUntil(running);
    checkEvents(events);
    assert.deepEqual(events.at(-1).outcome, { type: "success" });
    assert.equal(ofType(events, "TOOL_CALL_RESULT")[0].content, "The call was dropped, because the answer broke off.");
    await checkClient(events);
  });

  test("loops ends with an error", async () => {
    const events = await eventsOf(request([[chunk("The same line again.\n".repeat(60))]], { loopDetector: true }));
    checkEvents(events);
    assert.equal(events.at(-1).code, "repeated_line_loop");
  });

  test("is cancelled", async () => {
    const running = request([], { transport: () => new Promise(() => {}) });
    const events = eventsOf(running);
    setImmediate(() => running.cancel());
    checkEvents(await events);
    assert.deepEqual((await events).at(-1).outcome, { type: "cancelled" });
  });

  test("the client leaves is cancelled", async () => {
    const running = request([[chunk("Hm. "), calling("tide")]], { tools: { tide: () => new Promise(() => {}) } });
    for await (const { type } of toAgUiEvents(running, IDS)) if (type === "TOOL_CALL_START") break;
    assert.equal(running.state, "canceled");
  });
});
