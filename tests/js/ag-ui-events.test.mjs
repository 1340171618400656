// The events of respool/ag-ui: their order, their ids, and what they contain.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { describe, test } from "node:test";
import { StreamAccumulator } from "respool";
import { IDS, checkClient, checkEvents, eventsOf, join, ofType, typesOf } from "./ag-ui-client.mjs";
import { INPUTS } from "./adapter-inputs.mjs";
import { agent, fixture } from "./ai-sdk-streams.mjs";
import { ANTHROPIC_STREAM, CHAT_STREAM, callChunk, chunk, refusalChunk } from "./answers.mjs";
import { collect } from "./sources.mjs";

const call = (index, id, name = "tide", text = "{}") => ({ index, id, function: { name, arguments: text } });
const calls = (...list) => ({ choices: [{ delta: { tool_calls: list }, finish_reason: "tool_calls" }] });

describe("a run", () => {
  test("with text and a call", async () => {
    const events = await eventsOf(ANTHROPIC_STREAM, { parentRunId: "outer" });
    assert.deepEqual(events, [
      { type: "RUN_STARTED", ...IDS, parentRunId: "outer", protocolVersion: "1.0" },
      { type: "TEXT_MESSAGE_START", messageId: "run-message-0", role: "assistant" },
      { type: "TEXT_MESSAGE_CONTENT", messageId: "run-message-0", delta: "I look it up." },
      { type: "TEXT_MESSAGE_END", messageId: "run-message-0" },
      { type: "TOOL_CALL_START", toolCallId: "toolu_7", toolCallName: "timetable", parentMessageId: "run-message-0" },
      { type: "TOOL_CALL_ARGS", toolCallId: "toolu_7", delta: '{"port":' },
      { type: "TOOL_CALL_ARGS", toolCallId: "toolu_7", delta: '"Skjervøy"}' },
      { type: "TOOL_CALL_END", toolCallId: "toolu_7" },
      {
        type: "RUN_FINISHED",
        ...IDS,
        outcome: { type: "success", pendingToolCallIds: ["toolu_7"] },
        usage: [{ inputTokens: 9, outputTokens: 20, totalTokens: 29 }],
        metadata: { finishReason: "tool_use", rawFinishReason: "tool_use" },
      },
    ]);
    const messages = await checkClient(events);
    assert.deepEqual(messages, [
      {
        id: "run-message-0",
        role: "assistant",
        content: "I look it up.",
        toolCalls: [{ id: "toolu_7", type: "function", function: { name: "timetable", arguments: '{"port":"Skjervøy"}' } }],
      },
    ]);
  });

  for (const [name, make] of Object.entries(INPUTS)) {
    test(`of ${name}`, async () => {
      const events = await eventsOf(make());
      assert.equal(join(ofType(events, "TEXT_MESSAGE_CONTENT"), "delta"), "The ferry leaves at 9:35.");
      assert.deepEqual(events.at(-1).outcome, { type: "success" });
      assert.deepEqual(events.at(-1).usage?.[0].totalTokens, 15);
    });
  }

  test("without content", async () => {
    assert.deepEqual(await typesOf([chunk("", "stop")]), ["RUN_STARTED", "RUN_FINISHED"]);
  });

  test("of several answers", async () => {
    const events = await eventsOf(agent([ANTHROPIC_STREAM, CHAT_STREAM]));
    checkEvents(events);
    const messages = await checkClient(events);
    assert.deepEqual(
      messages.map(({ content }) => content),
      ["I look it up.", "The ferry leaves at 9:35."],
    );
    assert.equal(events.at(-1).usage[0].outputTokens, 26);
  });

  test("of an answer that continues after its finish reason has one message", async () => {
    const events = await eventsOf([chunk("a", "stop"), chunk("b", "stop"), chunk("c", "stop")]);
    checkEvents(events);
    assert.deepEqual(
      (await checkClient(events)).map(({ content }) => content),
      ["abc"],
    );
  });

  test("of deltas with a separate result has the result's usage", async () => {
    const accumulator = new StreamAccumulator();
    const deltas = ["The ferry ", "leaves."].flatMap((content, at) =>
      accumulator.push({
        ...chunk(content, "stop"),
        usage: { prompt_tokens: 100, completion_tokens: at, total_tokens: 100 + at },
      }),
    );
    const last = (await eventsOf(deltas, { result: () => accumulator.finish() })).at(-1);
    assert.deepEqual(last.usage, [{ inputTokens: 100, outputTokens: 1, totalTokens: 101 }]);
  });

  test("of several choices has the first one", async () => {
    const choice = (index, content) => ({ choices: [{ index, delta: { content }, finish_reason: "stop" }] });
    const events = await eventsOf([choice(0, "a"), choice(1, "b")]);
    assert.equal(join(ofType(events, "TEXT_MESSAGE_CONTENT"), "delta"), "a");
    checkEvents(events);
  });

  test("whose answer reaches the token limit has that finish reason", async () => {
    const end = (await eventsOf([chunk("a"), chunk("", "length")])).at(-1);
    assert.deepEqual([end.outcome.type, end.metadata], ["success", { finishReason: "length", rawFinishReason: "length" }]);
  });

  test("is available to require", async () => {
    const { toAgUiEvents } = createRequire(import.meta.url)("respool/ag-ui");
    assert.equal((await collect(toAgUiEvents(CHAT_STREAM, IDS))).length, 5 + 1);
  });
});

describe("tool calls", () => {
  test("of one answer belong to one message, which a call starts if there is no text", async () => {
    const messages = await checkClient(await eventsOf([calls(call(0, "a"), call(1, "b")), chunk("And so.", "tool_calls")]));
    assert.deepEqual(
      messages.map(({ content, toolCalls }) => content ?? toolCalls.map(({ id }) => id)),
      [["a", "b"], "And so."],
    );
    assert.equal(new Set(messages.map(({ id }) => id)).size, 2);
  });

  test("that arrive at the same time", async () => {
    const pieces = (...list) => ({ choices: [{ delta: { tool_calls: list } }] });
    const events = await eventsOf([
      pieces(call(0, "a", "tide", '{"n"'), call(1, "b", "tide", '{"m"')),
      pieces({ index: 0, function: { arguments: ":1}" } }, { index: 1, function: { arguments: ":2}" } }),
      chunk("", "tool_calls"),
    ]);
    checkEvents(events);
    const [{ toolCalls }] = await checkClient(events);
    assert.deepEqual(
      toolCalls.map((each) => each.function.arguments),
      ['{"n":1}', '{"m":2}'],
    );
  });

  test("without arguments have an empty object", async () => {
    const [{ toolCalls }] = await checkClient(await eventsOf([calls({ index: 0, id: "a", function: { name: "now" } })]));
    assert.equal(toolCalls[0].function.arguments, "{}");
  });

  test("whose ids are repeated by another answer get ids of their own", async () => {
    const events = await eventsOf(agent([[calls(call(0, "a"))], [calls(call(0, "a"))], [calls(call(0, "a"), call(1, "a-2"))]]));
    checkEvents(events);
    const { pendingToolCallIds } = events.at(-1).outcome;
    assert.equal(new Set(pendingToolCallIds).size, 4);
    assert.deepEqual(pendingToolCallIds.slice(0, 2), ["a", "a-2"]);
  });

  test("with unusable arguments are answered, so that no client runs them", async () => {
    for (const [text, finish, status, reason] of [
      ['{"port":', "length", "truncated", "The arguments are incomplete."],
      ["{port}", "tool_calls", "invalid", "The arguments aren't valid JSON."],
    ]) {
      const events = await eventsOf([callChunk({ id: "a", function: { name: "tide", arguments: text } }), chunk("", finish)]);
      checkEvents(events);
      assert.deepEqual(ofType(events, "TOOL_CALL_END")[0].metadata, { status });
      const [result] = ofType(events, "TOOL_CALL_RESULT");
      assert.deepEqual([result.toolCallId, result.content, result.metadata], ["a", reason, { isError: true }]);
      assert.deepEqual(events.at(-1).outcome, { type: "success" });
    }
  });

  test("whose start isn't among the deltas", async () => {
    const end = {
      type: "tool-call-end",
      index: 0,
      toolCall: { id: "a", name: "tide", arguments: '{"n":1}' },
      status: "complete",
    };
    const events = await eventsOf([end, { type: "finish", finishReason: "tool_use" }]);
    checkEvents(events);
    assert.equal(ofType(events, "TOOL_CALL_ARGS")[0].delta, '{"n":1}');
  });

  test("that continue after their end are opened again", async () => {
    const call = { id: "a", name: "tide" };
    const events = await eventsOf([
      { type: "tool-call-start", index: 0, ...call },
      { type: "tool-call-delta", index: 0, id: "a", arguments: '{"n":1' },
      { type: "tool-call-end", index: 0, toolCall: { ...call, arguments: '{"n":1' }, status: "truncated" },
      { type: "tool-call-delta", index: 0, id: "a", arguments: "}" },
      { type: "tool-call-end", index: 0, toolCall: { ...call, arguments: '{"n":1}' }, status: "complete" },
      { type: "finish", finishReason: "tool_use" },
    ]);
    checkEvents(events);
    const [{ toolCalls }] = await checkClient(events);
    assert.equal(toolCalls[0].function.arguments, '{"n":1}');
    assert.deepEqual(events.at(-1).outcome.pendingToolCallIds, ["a"]);
  });
});

describe("reasoning", () => {
  const valuesOf = (events) => ofType(events, "REASONING_ENCRYPTED_VALUE").map(({ type: _, ...value }) => value);

  test("is a separate message", async () => {
    const events = await eventsOf([{ choices: [{ delta: { reasoning_content: "Hm." } }] }, chunk("Yes.", "stop")]);
    assert.deepEqual(events.slice(1, 6), [
      { type: "REASONING_START", messageId: "run-reasoning-0" },
      { type: "REASONING_MESSAGE_START", messageId: "run-reasoning-0", role: "reasoning" },
      { type: "REASONING_MESSAGE_CONTENT", messageId: "run-reasoning-0", delta: "Hm." },
      { type: "REASONING_MESSAGE_END", messageId: "run-reasoning-0" },
      { type: "REASONING_END", messageId: "run-reasoning-0" },
    ]);
    assert.deepEqual(
      await typesOf([{ choices: [{ delta: { reasoning_content: "Hm." } }] }, chunk("", "stop")], { sendReasoning: false }),
      ["RUN_STARTED", "RUN_FINISHED"],
    );
  });

  test("includes Gemini's draft images", async () => {
    const draft = { thought: true, inlineData: { mimeType: "image/png", data: "AAAA" } };
    const image = { inlineData: { mimeType: "image/png", data: "BBBB" } };
    const input = [{ candidates: [{ content: { parts: [draft, image] }, finishReason: "STOP" }] }];
    const urls = async (options) => ofType(await eventsOf(input, options), "CUSTOM").map(({ value }) => value.url.slice(-4));
    assert.deepEqual([await urls(), await urls({ sendReasoning: false })], [["AAAA", "BBBB"], ["BBBB"]]);
  });

  const block = (index, content_block, ...deltas) => [
    { type: "content_block_start", index, content_block },
    ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
    { type: "content_block_stop", index },
  ];
  const anthropic = (...blocks) => [
    { type: "message_start", message: { id: "m", type: "message", role: "assistant", content: [] } },
    ...blocks.flatMap((make, index) => make(index)),
    { type: "message_delta", delta: { stop_reason: "end_turn" } },
    { type: "message_stop" },
  ];
  const thought = (thinking, signature) => (index) =>
    block(
      index,
      { type: "thinking", thinking: "" },
      { type: "thinking_delta", thinking },
      { type: "signature_delta", signature },
    );
  const redacted = (data) => (index) => block(index, { type: "redacted_thinking", data });
  const text = (text) => (index) => block(index, { type: "text", text: "" }, { type: "text_delta", text });

  test("has its signature", async () => {
    const events = await eventsOf(anthropic(thought("Hm.", "c2ln"), text("Yes.")));
    checkEvents(events);
    assert.deepEqual(valuesOf(events), [{ subtype: "message", entityId: "run-reasoning-0", encryptedValue: "c2ln" }]);
    const messages = await checkClient(events);
    assert.deepEqual(messages[0], { id: "run-reasoning-0", role: "reasoning", content: "Hm.", encryptedValue: "c2ln" });
  });

  test("without text belongs to the message that follows it; further ones are separate messages", async () => {
    const events = await eventsOf(anthropic(redacted("eDE="), redacted("eDI="), thought("Hm.", "c2ln"), text("Yes.")));
    checkEvents(events);
    assert.deepEqual(
      (await checkClient(events)).map(({ role, content, encryptedValue }) => [role, content, encryptedValue]),
      [
        ["reasoning", "Hm.", "c2ln"],
        ["assistant", "Yes.", "eDE="],
        ["reasoning", "", "eDI="],
      ],
    );
  });

  test("in several parts without anything between", async () => {
    const events = await eventsOf(anthropic(thought("One.", "YQ=="), thought("Two.", "Yg=="), text("Yes.")));
    checkEvents(events);
    assert.deepEqual(
      valuesOf(events).map(({ encryptedValue }) => encryptedValue),
      ["YQ==", "Yg=="],
    );
    assert.equal(new Set(valuesOf(events).map(({ entityId }) => entityId)).size, 2);
  });

  test("of Gemini is signed by the call or the text", async () => {
    const parts = [
      { text: "Yes.", thoughtSignature: "dGV4dA==" },
      { functionCall: { name: "tide", args: {} }, thoughtSignature: "Y2FsbA==" },
    ];
    const events = await eventsOf([{ candidates: [{ content: { role: "model", parts }, finishReason: "STOP" }] }]);
    checkEvents(events);
    const [{ encryptedValue, toolCalls }] = await checkClient(events);
    assert.deepEqual([encryptedValue, toolCalls[0].encryptedValue], ["dGV4dA==", "Y2FsbA=="]);
    assert.deepEqual(
      valuesOf(await eventsOf([{ candidates: [{ content: { parts }, finishReason: "STOP" }] }], { sendReasoning: false })),
      [],
    );
  });
});

describe("content without events in AG-UI", () => {
  test("server tools are activities, which change as they progress", async () => {
    const events = await eventsOf(fixture("anthropic-messages/server-tools"));
    checkEvents(events);
    const snapshots = ofType(events, "ACTIVITY_SNAPSHOT");
    const [{ messageId }] = snapshots;
    const { content } = snapshots.filter((each) => each.messageId === messageId).at(-1);
    assert.deepEqual([content.name, content.call], ["web_search", { query: "tide husum" }]);
    assert.equal(content.result[0].url, "https://tides.example/husum");
    const messages = await checkClient(events);
    assert.ok(messages.every(({ toolCalls }) => !toolCalls?.some(({ function: { name } }) => name === "web_search")));
  });

  test("annotations and images", async () => {
    const custom = async (path) => ofType(await eventsOf(fixture(path)), "CUSTOM");
    const [first] = await custom("openai-chat/annotations");
    assert.equal(first.name, "respool.annotation");
    assert.equal(first.value.url_citation.url, "https://tides.example/ebb");
    assert.deepEqual((await custom("openai-responses/image")).at(-1), {
      type: "CUSTOM",
      name: "respool.image",
      value: { mediaType: "image/png", url: "data:image/png;base64,aGFyYm91cg==" },
    });
  });

  test("audio, whose transcript is text", async () => {
    const events = await eventsOf([
      { choices: [{ delta: { audio: { id: "a", data: "AAAA", transcript: "Said." } } }] },
      chunk("", "stop"),
    ]);
    checkEvents(events);
    assert.deepEqual(ofType(events, "CUSTOM")[0].value, { id: "a", base64: "AAAA" });
    assert.equal(ofType(events, "TEXT_MESSAGE_CONTENT")[0].delta, "Said.");
  });

  test("scripts aren't sent as images", async () => {
    const images = [{ type: "image_url", image_url: { url: "javascript:alert(1)" } }];
    assert.deepEqual(ofType(await eventsOf([{ choices: [{ delta: { images }, finish_reason: "stop" }] }]), "CUSTOM"), []);
  });

  test("a refusal is a message that is marked as one, in a run that has failed", async () => {
    const events = await eventsOf([refusalChunk("I won't"), refusalChunk("."), chunk("", "stop")]);
    checkEvents(events);
    assert.deepEqual(ofType(events, "TEXT_MESSAGE_START")[0].metadata, { refusal: true });
    assert.deepEqual(events.at(-1), { type: "RUN_ERROR", message: "The model refused to answer.", code: "refusal" });
    const [{ content, metadata }] = await checkClient(events);
    assert.deepEqual([content, metadata], ["I won't.", { refusal: true }]);
  });
});
