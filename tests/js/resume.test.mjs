// The option resume: a client that reconnects gets one start and one delta for each part that it missed, then the rest.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { StreamAccumulator, streamDeltas } from "respool";
import { checkClient, checkEvents, eventsOf, joined, ofType } from "./ag-ui-client.mjs";
import { chunksOf } from "./ai-sdk-streams.mjs";
import { ANTHROPIC_STREAM, callChunk, chunk, sseBytes } from "./answers.mjs";
import { collect } from "./sources.mjs";

const STREAM = [
  { choices: [{ delta: { reasoning_content: "H" } }] },
  { choices: [{ delta: { reasoning_content: "m." } }] },
  chunk("I lo"),
  chunk("ok it"),
  chunk(" up."),
  callChunk({ id: "a", function: { name: "tide", arguments: '{"po' } }),
  callChunk({ function: { arguments: 'rt":' } }),
  callChunk({ function: { arguments: '"Bodø"}' } }),
  chunk("", "tool_calls"),
  { choices: [], usage: { prompt_tokens: 9, completion_tokens: 6, total_tokens: 15 } },
];
const deltas = await collect(streamDeltas(STREAM, { coalesce: false }));

/** Merges the deltas of each part of the AI SDK into one. */
function joinedChunks(chunks) {
  const parts = new Map();
  return chunks.flatMap((chunk) => {
    const name = { "text-delta": "delta", "reasoning-delta": "delta", "tool-input-delta": "inputTextDelta" }[chunk.type];
    if (name === undefined) return [chunk];
    const part = chunk.id ?? chunk.toolCallId;
    const known = parts.get(part);
    if (known) known[name] += chunk[name];
    else parts.set(part, { ...chunk });
    return known ? [] : [parts.get(part)];
  });
}

describe("at every delta", () => {
  for (let at = 0; at <= deltas.length; at++) {
    test(`${at}`, async () => {
      const [missed, rest] = [deltas.slice(0, at), deltas.slice(at)];
      const events = await eventsOf(rest, { resume: missed });
      checkEvents(events);
      assert.deepEqual(joined(events), joined(await eventsOf(deltas)));
      const chunks = await chunksOf(rest, { resume: missed });
      assert.deepEqual(joinedChunks(chunks), joinedChunks(await chunksOf(deltas)));
      // Missed deltas are merged.
      const count = (list, ...types) => ofType(list, ...types).length;
      const pieces = rest.filter(({ type }) => /^(text|reasoning|tool-call-delta)$/.test(type)).length;
      const started = new Set(
        missed.filter(({ type }) => /^(text|reasoning|tool-call-delta)$/.test(type)).map(({ type }) => type),
      );
      const sent = count(events, "TEXT_MESSAGE_CONTENT", "REASONING_MESSAGE_CONTENT", "TOOL_CALL_ARGS");
      assert.equal(sent, pieces + started.size);
      assert.equal(count(chunks, "text-delta", "reasoning-delta", "tool-input-delta"), pieces + started.size);
    });
  }
});

describe("catchUp of an accumulator for a late client", () => {
  for (let at = 0; at <= STREAM.length; at++) {
    test(`${at}`, async () => {
      const accumulator = new StreamAccumulator({ coalesce: false });
      for (const event of STREAM.slice(0, at)) accumulator.push(event);
      const there = accumulator.catchUp();
      const rest = STREAM.slice(at).flatMap((event) => accumulator.push(event));
      const events = await eventsOf(rest, { resume: there });
      checkEvents(events);
      assert.deepEqual(joined(events), joined(await eventsOf(deltas)));
      const chunks = await chunksOf(rest, { resume: there });
      assert.deepEqual(joinedChunks(chunks), joinedChunks(await chunksOf(deltas)));
      const texts = there.filter(({ type }) => /^(text|reasoning|tool-call-delta)$/.test(type)).map(({ type }) => type);
      assert.deepEqual(texts, [...new Set(texts)], "each text once");
    });
  }
});

test("interleaved calls are merged, too", async () => {
  const fragment = (index, text) => ({ type: "tool-call-delta", index, id: `${index}`, arguments: text });
  const start = (index) => ({ type: "tool-call-start", index, id: `${index}`, name: "tide" });
  const missed = [start(0), start(1), fragment(0, '{"a"'), fragment(1, '{"b"'), fragment(0, ":1"), fragment(1, ":2")];
  const rest = [fragment(0, "}"), fragment(1, "}"), { type: "finish", finishReason: "tool_use" }];
  const events = await eventsOf(rest, { resume: missed });
  checkEvents(events);
  assert.deepEqual(
    ofType(events, "TOOL_CALL_ARGS").map(({ toolCallId, delta }) => [toolCallId, delta]),
    [
      ["0", '{"a":1'],
      ["1", '{"b":2'],
      ["0", "}"],
      ["1", "}"],
    ],
  );
  const chunks = await chunksOf(rest, { resume: missed });
  assert.equal(ofType(chunks, "tool-input-delta").length, 4);
});

test("answers that use the same call id stay apart", async () => {
  const call = (text) => [
    { type: "tool-call-start", index: 0, id: "a", name: "tide" },
    { type: "tool-call-delta", index: 0, id: "a", arguments: text },
    { type: "tool-call-end", index: 0, toolCall: { id: "a", name: "tide", arguments: text }, status: "complete" },
    { type: "finish", finishReason: "tool_use" },
  ];
  const missed = [...call('{"n":1}'), ...call('{"n":2}')];
  const chunks = await chunksOf([], { resume: missed });
  assert.deepEqual(
    ofType(chunks, "tool-input-delta").map(({ inputTextDelta }) => inputTextDelta),
    ['{"n":1}', '{"n":2}'],
  );
  const events = await eventsOf([], { resume: new Set(missed) });
  assert.deepEqual(
    ofType(events, "TOOL_CALL_ARGS").map(({ delta }) => delta),
    ['{"n":1}', '{"n":2}'],
  );
});

test("an accumulator continues where the client left", async () => {
  const accumulator = new StreamAccumulator();
  const missed = STREAM.slice(0, 4).flatMap((event) => accumulator.push(event));
  async function* rest() {
    for (const event of STREAM.slice(4)) yield* accumulator.push(event);
    accumulator.finish();
    yield* accumulator.takeDeltas();
    accumulator.free();
  }
  const events = await eventsOf(rest(), { resume: missed });
  checkEvents(events);
  assert.deepEqual(joined(events), joined(await eventsOf(deltas)));
  await checkClient(events);
});

test("encrypted values of the rest belong to the message that was resumed", async () => {
  const missed = [{ type: "reasoning", text: "Be" }];
  const stream = [
    ANTHROPIC_STREAM[0],
    { type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "fore." } },
    { type: "content_block_delta", index: 0, delta: { type: "signature_delta", signature: "c2ln" } },
    { type: "content_block_stop", index: 0 },
    ...ANTHROPIC_STREAM.slice(-2),
  ];
  const events = await eventsOf(stream, { resume: missed });
  checkEvents(events);
  const [{ content, encryptedValue }] = await checkClient(events);
  assert.deepEqual([content, encryptedValue], ["Before.", "c2ln"]);
});

test("encrypted values of missed parts come from the result of the whole answer", async () => {
  const stream = [
    ANTHROPIC_STREAM[0],
    { type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "Before" } },
    { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: " all." } },
    { type: "content_block_delta", index: 0, delta: { type: "signature_delta", signature: "c2ln" } },
    { type: "content_block_stop", index: 0 },
    ...ANTHROPIC_STREAM.slice(-2),
  ];
  for (let at = 0; at <= stream.length; at++) {
    const accumulator = new StreamAccumulator();
    const missed = stream.slice(0, at).flatMap((event) => accumulator.push(event));
    const rest = stream.slice(at).flatMap((event) => accumulator.push(event));
    const result = () => accumulator.finish();
    const events = await eventsOf(rest, { resume: missed, result });
    checkEvents(events);
    assert.equal(events.at(-1).type, "RUN_FINISHED");
    const [{ content, encryptedValue }] = await checkClient(events);
    assert.deepEqual([content, encryptedValue], ["Before all.", "c2ln"]);
  }
});

test("deltas of an answer without a finish reason need the result", async () => {
  const accumulator = new StreamAccumulator();
  const read = accumulator.pushBytes(sseBytes([{ response: "Hi" }]));
  const result = accumulator.finish();
  assert.equal(result.ending, "complete");
  assert.equal((await eventsOf(read, { result: () => result })).at(-1).type, "RUN_FINISHED");
  assert.equal((await eventsOf(read)).at(-1).code, "stream-truncated");
  const cut = new StreamAccumulator();
  const half = cut.push(chunk("a"));
  assert.equal((await eventsOf(half, { result: () => cut.finish() })).at(-1).code, "stream-truncated");
});
