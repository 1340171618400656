// Random answers, one or several, as a UI message stream of the AI SDK: no delta is lost or duplicated, every part that
// starts also ends, and the readers of all versions of the AI SDK return the same message.
// A failure prints the seed; UI_SEED repeats it, and UI_ROUNDS makes it a long run.
import assert from "node:assert/strict";
import * as v5 from "ai-v5";
import * as v6 from "ai";
import * as v7 from "ai-v7";
import { toUIMessageStream } from "respool/ai-sdk";
import { BROKEN, testAnswers } from "./random-answers.mjs";
import { collect } from "./sources.mjs";

const VERSIONS = { 5: v5, 6: v6, 7: v7 };

const join = (items, name) => items.map((item) => item[name]).join("");
const ofType = (items, ...types) => items.filter(({ type }) => types.includes(type));

/** Checks that each part is closed once, within its step, and that nothing is emitted outside a step. */
function checkOrder(chunks) {
  const open = new Set();
  const used = new Set();
  let isInStep = false;
  const begin = (id) => {
    assert.ok(!used.has(id), `${id} is used twice`);
    used.add(id);
    open.add(id);
  };
  assert.equal(chunks[0].type, "start");
  chunks.forEach(({ type, id, toolCallId, providerExecuted }, at) => {
    const isMarked = ["start", "finish", "abort", "error", "start-step"].includes(type);
    assert.ok(isInStep || isMarked || type === "finish-step", `${type} outside of a step`);
    if (type === "start-step") isInStep = assert.ok(!isInStep, "steps do not nest") ?? true;
    if (type === "finish-step" || type === "finish" || type === "abort") assert.deepEqual([...open], [], `open at ${type}`);
    if (type === "finish-step") isInStep = assert.ok(isInStep) ?? false;
    if (type === "finish" || type === "abort") assert.equal(at, chunks.length - 1);
    if (/^(text|reasoning)-start$/.test(type)) begin(id);
    if (/^(text|reasoning)-delta$/.test(type)) assert.ok(open.has(id), `${id} is not open`);
    if (/^(text|reasoning)-end$/.test(type)) assert.ok(open.delete(id), `${id} is not open`);
    // Two answers may use the same call id.
    if (type === "tool-input-start") open.add(`call ${toolCallId}`);
    if (type === "tool-input-delta") assert.ok(open.has(`call ${toolCallId}`), `${toolCallId} is not open`);
    // A call that continues after its end ends again.
    if (/^tool-input-(available|error)$/.test(type) && !providerExecuted) open.delete(`call ${toolCallId}`);
  });
}

/** Checks that the chunks have the content of the first choice's deltas. */
function checkContent(chunks, deltas) {
  const ofFirstChoice = deltas.filter(({ choice }) => !choice);
  // If a later answer repeats the id of a call, the page gets it with a number appended.
  const given = new Set(ofType(ofFirstChoice, "tool-call-start").map(({ id }) => id));
  const givenId = (id) => (given.has(id) ? id : id.replace(/_\d+$/, ""));
  const expectedText = ofFirstChoice
    .map((delta) => (/^(text|refusal)$/.test(delta.type) ? delta.text : (delta.part?.transcript ?? "")))
    .join("");
  assert.equal(join(ofType(chunks, "text-delta"), "delta"), expectedText);
  assert.equal(join(ofType(chunks, "reasoning-delta"), "delta"), join(ofType(ofFirstChoice, "reasoning"), "text"));
  assert.deepEqual(
    ofType(chunks, "tool-input-delta").map(({ toolCallId, inputTextDelta }) => [givenId(toolCallId), inputTextDelta]),
    streamedArguments(ofFirstChoice),
  );
  const ends = chunks.filter(({ type, providerExecuted }) => /^tool-input-(available|error)$/.test(type) && !providerExecuted);
  const whole = ofType(ofFirstChoice, "tool-call-end").filter(({ status }) => status === "complete");
  const available = ofType(ends, "tool-input-available").map(({ toolCallId, toolName, input }) => ({
    id: givenId(toolCallId),
    name: toolName,
    input,
  }));
  assert.deepEqual(
    available,
    whole.map(({ toolCall: { id, name, arguments: text } }) => ({ id, name, input: JSON.parse(text) })),
  );
  const broken = given.difference?.(new Set(ends.map(({ toolCallId }) => givenId(toolCallId))));
  assert.equal(broken?.size ?? 0, 0, "each call ends");
  assert.ok(ofType(chunks, "error").length >= ofType(ofFirstChoice, "error").length);
}

/** Returns the fragments of open calls. Fragments after the end of a call are emitted when it ends again. */
function streamedArguments(deltas) {
  const open = new Set();
  return deltas.flatMap(({ type, code, id, toolCall, arguments: text }) => {
    if (type === "tool-call-start") open.add(id);
    if (type === "tool-call-end") open.delete(toolCall.id);
    if (type === "finish" || type === "error" || code === "turn-retried") open.clear();
    return type === "tool-call-delta" && open.has(id) ? [[id, text]] : [];
  });
}

async function read({ readUIMessageStream }, chunks) {
  const stream = new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  const thrown = [];
  const messages = await collect(readUIMessageStream({ stream, onError: (error) => thrown.push(error.message) }));
  return { parts: messages.at(-1)?.parts ?? [], thrown };
}

async function checkReaders(chunks) {
  for (const [version, ai] of Object.entries(VERSIONS)) {
    const { parts, thrown } = await read(ai, chunks);
    assert.deepEqual(
      thrown,
      ofType(chunks, "error").map(() => "failed"),
      `AI SDK ${version}`,
    );
    assert.equal(join(ofType(parts, "text"), "text"), join(ofType(chunks, "text-delta"), "delta"), `AI SDK ${version}`);
    assert.equal(join(ofType(parts, "reasoning"), "text"), join(ofType(chunks, "reasoning-delta"), "delta"), `AI SDK ${version}`);
    assert.ok(
      parts.every(({ state }) => state !== "streaming" && state !== "input-streaming"),
      `AI SDK ${version}`,
    );
    const calls = parts.filter(({ toolCallId, type }) => toolCallId !== undefined && type !== "dynamic-tool");
    const ids = (list) => [...new Set(list.map(({ toolCallId }) => toolCallId))];
    assert.deepEqual(ids(calls), ids(ofType(chunks, "tool-input-start")), `AI SDK ${version}`);
  }
}

/** Whether the first choice has invalid audio, except in failed attempts, whose content is dropped. */
function hasBrokenAudio(deltas) {
  const counts = deltas.map(({ choice, part }) => !choice && part?.base64 === BROKEN);
  for (const [at, { code }] of deltas.entries()) {
    if (code !== "turn-retried") continue;
    const before = deltas.findLastIndex(({ type }, index) => index < at && type === "finish");
    counts.fill(false, before + 1, at);
  }
  return counts.includes(true);
}

const WAYS = {
  async "to the end"(answers) {
    const { input, options, deltas } = answers.open();
    const codes = [];
    const onError = ({ code }) => codes.push(code) && "failed";
    const chunks = await collect(toUIMessageStream(input, { ...options, onError }));
    checkOrder(chunks);
    if (answers.error === undefined) checkContent(chunks, deltas);
    const hasBroken = hasBrokenAudio(deltas);
    const isFinish = ({ type, choice }) => type === "finish" && !choice;
    const isCut = codes.includes("stream-truncated");
    if (answers.error === undefined && !hasBroken && !deltas.some((delta) => isFinish(delta) || delta.type === "error"))
      assert.deepEqual(codes, ["stream-truncated"]);
    const hasFailed = isCut || answers.error !== undefined || hasBroken || deltas.some(({ type }) => type === "error");
    assert.equal(chunks.at(-1).finishReason === "error", hasFailed, `ends with ${chunks.at(-1).finishReason}`);
    await checkReaders(chunks);
  },

  async canceled(answers) {
    const { input, options } = answers.open();
    const reader = toUIMessageStream(input, options).getReader();
    for (let left = answers.below(20); left > 0; left--) await reader.read();
    await reader.cancel("enough");
  },

  async aborted(answers) {
    const { input, options } = answers.open();
    const controller = new AbortController();
    const chunks = [];
    const count = answers.below(20);
    if (count === 0) controller.abort();
    for await (const chunk of toUIMessageStream(input, { ...options, signal: controller.signal }))
      if (chunks.push(chunk) === count) controller.abort();
    checkOrder(chunks);
    if (chunks.length > count + 20) assert.equal(chunks.at(-1).type, "abort");
  },
};

testAnswers("answers as UI message streams", "UI", WAYS);
