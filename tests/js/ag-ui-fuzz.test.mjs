// Random answers and conversations as AG-UI events: they are valid, the official client accepts them, no delta is lost or
// duplicated, a failure is never shown as a success, and sources are closed. A resumed run is the same as one that wasn't.
// A failure prints the seed; AG_UI_SEED repeats it, and AG_UI_ROUNDS makes it a long run.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fetchTransport, runRequest } from "respool";
import { toAgUiEvents } from "respool/ag-ui";
import { IDS, checkClient, checkEvents, eventsOf, join, joined, ofType } from "./ag-ui-client.mjs";
import { FakeClock } from "./fake-clock.mjs";
import { testAnswers } from "./random-answers.mjs";
import { EXIT_TOOLS, RandomConversation, TOOLS } from "./random-conversations.mjs";
import { roundsOf, seedOf } from "./random.mjs";

const SEED = seedOf("AG_UI");
const ROUNDS = roundsOf("AG_UI", 6);

/** Checks that the events have the content of the first choice's deltas. */
function checkContent(events, deltas) {
  const ofFirstChoice = deltas.filter(({ choice }) => !choice);
  const expectedText = ofFirstChoice
    .map((delta) => (/^(text|refusal)$/.test(delta.type) ? delta.text : (delta.part?.transcript ?? "")))
    .join("");
  assert.equal(join(ofType(events, "TEXT_MESSAGE_CONTENT"), "delta"), expectedText);
  assert.equal(join(ofType(events, "REASONING_MESSAGE_CONTENT"), "delta"), join(ofType(ofFirstChoice, "reasoning"), "text"));
  checkCalls(events, ofFirstChoice);
  const isWritten = ({ name }) => name === "respool.annotation";
  assert.equal(ofType(events, "CUSTOM").filter(isWritten).length, ofType(ofFirstChoice, "annotation").length);
}

/** Checks the order in which calls start, and all of their arguments. */
function checkCalls(events, deltas) {
  const expected = [];
  const last = new Map();
  for (const { type, index, id, arguments: text, toolCall } of deltas) {
    if (type === "tool-call-start") last.set(index, { id, text: "" });
    if (type === "tool-call-start") expected.push(last.get(index));
    if (type === "tool-call-delta") last.get(index).text += text;
    // These arguments have no delta of their own.
    if (type === "tool-call-end" && toolCall.arguments.startsWith(last.get(index).text))
      last.get(index).text = toolCall.arguments;
  }
  const args = new Map();
  for (const { type, toolCallId, delta } of events) {
    if (type === "TOOL_CALL_START") args.set(toolCallId, args.get(toolCallId) ?? "");
    if (type === "TOOL_CALL_ARGS") args.set(toolCallId, args.get(toolCallId) + delta);
  }
  assert.deepEqual(
    [...args.values()],
    expected.map(({ text }) => text),
  );
}

/** Checks that a run fails if its last attempt has an error or was refused or filtered. */
function checkEnd(events, deltas) {
  const ofFirstChoice = deltas.filter(({ choice }) => !choice);
  const lastRetry = ofFirstChoice.findLastIndex(({ code }) => code === "turn-retried");
  const last = ofFirstChoice.slice(lastRetry + 1);
  const isFiltered = last.findLast(({ type }) => type === "finish")?.finishReason === "content_filter";
  const isFailure = last.some(({ type }) => type === "error" || type === "refusal") || isFiltered;
  if (isFailure) assert.equal(events.at(-1).type, "RUN_ERROR");
}

const WAYS = {
  async "to the end"(answers) {
    const { input, options, deltas } = answers.open();
    const events = await eventsOf(input, { ...options, throwOnError: false });
    checkEvents(events);
    if (answers.error === undefined) {
      checkContent(events, deltas);
      checkEnd(events, deltas);
    } else assert.equal(events.at(-1).type, "RUN_ERROR");
    await checkClient(events);
  },

  async left(answers) {
    const { input, options } = answers.open();
    const events = toAgUiEvents(input, { ...IDS, ...options });
    for (let left = answers.below(20); left > 0; left--) await events.next();
    await events.return();
  },

  async aborted(answers) {
    const { input, options } = answers.open();
    const controller = new AbortController();
    const events = [];
    const count = answers.below(20);
    if (count === 0) controller.abort();
    for await (const event of toAgUiEvents(input, { ...IDS, ...options, signal: controller.signal }))
      if (events.push(event) === count) controller.abort();
    checkEvents(events);
    await checkClient(events);
  },

  async resumed(answers) {
    answers.error = undefined;
    const { deltas } = answers;
    const at = answers.below(deltas.length + 1);
    const [whole, resumed] = await Promise.all([eventsOf(deltas), eventsOf(deltas.slice(at), { resume: deltas.slice(0, at) })]);
    checkEvents(resumed);
    assert.deepEqual(joined(resumed), joined(whole));
    // All deltas were read before.
    const rest = await eventsOf([], { resume: deltas });
    assert.deepEqual(rest, joined(whole));
  },
};

testAnswers("answers as AG-UI events", "AG_UI", WAYS);

/** Returns a request with a random conversation, and its events. */
async function converse(seed) {
  const conversation = new RandomConversation(seed);
  const chance = (of) => conversation.below(of) === 0;
  const clock = new FakeClock();
  const controller = new AbortController();
  const request = runRequest({
    transport: fetchTransport({
      url: "https://model.test/",
      api: conversation.api.name,
      fetch: conversation.fetch,
      ...{ clock, maxRetries: 1, random: () => 0.5 },
    }),
    messages: [{ role: "user", content: "Ferry?" }],
    tools: Object.fromEntries(TOOLS.map((name) => [name, conversation.tool(name, true)])),
    exitTools: EXIT_TOOLS,
    toolDefinitions: [...TOOLS, ...EXIT_TOOLS].map((name) => ({
      type: "function",
      function: { name, parameters: { type: "object", properties: {} } },
    })),
    ...{ toolBudget: conversation.below(12), onToolError: chance(2) ? "fail" : "feedback" },
    ...{ toolTimeoutMs: 1000, stallTimeoutMs: 5000, maxRetries: conversation.below(3) },
    ...{ fallback: conversation.hasTextCalls, loopDetector: chance(2), parallelTools: chance(2) },
    ...{ clock, random: () => 0.5 },
  });
  const leaveAt = chance(4) ? conversation.below(40) : Infinity;
  const cancelAt = chance(4) ? conversation.below(40) : Infinity;
  const read = async () => {
    const events = [];
    for await (const event of toAgUiEvents(request, { ...IDS, signal: controller.signal })) {
      const count = events.push(event);
      if (count === leaveAt) controller.abort();
      if (count === cancelAt) request.cancel("enough");
    }
    return events;
  };
  return { request, events: await clock.runUntil(read()), hasLeft: controller.signal.aborted };
}

test(`conversations as AG-UI events (seed ${SEED})`, async () => {
  for (let at = 0; at < ROUNDS * 4; at++) {
    let events;
    try {
      const { request, hasLeft, ...made } = await converse(SEED * 10_000 + at);
      events = made.events;
      checkEvents(events);
      const messages = await checkClient(events);
      const { state } = request;
      const { type, outcome, code } = events.at(-1);
      if (state === "canceled") assert.deepEqual([type, outcome], ["RUN_FINISHED", { type: "cancelled" }]);
      if (state === "failed" && !hasLeft) assert.deepEqual([type, code], ["RUN_ERROR", request.getResult().failure.code]);
      if (type === "RUN_FINISHED" && outcome.type === "success") {
        assert.equal(state, "completed");
        const answered = new Set(messages.filter(({ role }) => role === "tool").map(({ toolCallId }) => toolCallId));
        const calls = messages.flatMap(({ toolCalls = [] }) => toolCalls);
        const open = calls.filter(({ id }) => !answered.has(id));
        assert.deepEqual(
          open.map(({ id }) => id),
          outcome.pendingToolCallIds ?? [],
        );
        assert.ok(open.every((call) => EXIT_TOOLS.includes(call.function.name)));
      }
    } catch (error) {
      const shown = JSON.stringify(events)?.slice(0, 6000);
      throw new Error(`AG_UI_SEED=${SEED}, conversation ${at}\n${shown}\n${error.stack}`, { cause: error });
    }
  }
});
