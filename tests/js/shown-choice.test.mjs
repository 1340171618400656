// Adapters that show only one choice show the one with the lowest index, as results do, even if there is no choice 0.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { StreamAccumulator, collect as readStream, decode, formatToolMessages } from "respool";
import { ModelResponseConverter, processAsync, processStream, runRequest, streamDeltas } from "respool";
import { toAgUiEvents } from "respool/ag-ui";
import { toUIMessageStream } from "respool/ai-sdk";
import { collect } from "./sources.mjs";

const piece = (index, delta, finish_reason = null) => ({ choices: [{ index, delta, finish_reason }] });
const text = (index, content, reason) => piece(index, { role: "assistant", content }, reason);
const call = (index) => piece(index, { tool_calls: [{ index: 0, id: "a", function: { name: "tide", arguments: "{}" } }] });

const STREAMS = {
  "choice 1 alone": [text(1, "At "), text(1, "9:35."), piece(1, {}, "stop")],
  "choices 2 and 1": [text(2, "Ebb."), text(1, "At 9:35."), piece(2, {}, "stop"), piece(1, {}, "stop")],
  "choice 1 before choice 0": [text(1, "Ebb."), text(0, "At 9:35."), piece(1, {}, "stop"), piece(0, {}, "stop")],
};

const joined = (items, type, member) => items.flatMap((item) => (item.type === type ? item[member] : [])).join("");

/** For each adapter, the text that it shows of a source. */
const SHOWN = {
  processAsync: (source) => processAsync({}, source),
  processStream: async (source) => (await collect(processStream({}, source))).join(""),
  toUIMessageStream: async (source) => joined(await collect(toUIMessageStream(source)), "text-delta", "delta"),
  toAgUiEvents: async (source) =>
    joined(await collect(toAgUiEvents(source, { threadId: "t", runId: "r" })), "TEXT_MESSAGE_CONTENT", "delta"),
  "the partial messages of a converter": async (source) => {
    const messages = await collect(new ModelResponseConverter(source, "auto").stream());
    return messages.flatMap(({ delta, content }) => (delta ? content.map((block) => block.text) : [])).join("");
  },
  runRequest: async (source) => {
    const result = await runRequest({ transport: () => source, messages: [] }).result();
    assert.equal(result.text, result.newMessages[0].content);
    return result.finalText;
  },
};

for (const [name, stream] of Object.entries(STREAMS)) {
  describe(name, () => {
    for (const [adapter, show] of Object.entries(SHOWN)) {
      test(adapter, async () => {
        assert.equal((await readStream(stream)).text, "At 9:35.");
        assert.equal(await show(stream), "At 9:35.");
      });
    }
  });
}

test("a stream that breaks off", async () => {
  const source = async function* () {
    yield text(1, "At 9");
    throw new Error("reset");
  };
  const chunks = await collect(toUIMessageStream(source()));
  assert.deepEqual([joined(chunks, "text-delta", "delta"), chunks.some(({ type }) => type === "error")], ["At 9", true]);
});

test("deltas that were read before, and those that the client missed", async () => {
  const deltas = await collect(streamDeltas(STREAMS["choice 1 alone"]));
  const first = new StreamAccumulator();
  first.push(STREAMS["choice 1 alone"][0]);
  const resume = first.catchUp();
  first.free();
  for (const [source, options] of [
    [deltas, {}],
    [deltas.slice(1), { resume }],
  ]) {
    assert.equal(joined(await collect(toUIMessageStream(source, options)), "text-delta", "delta"), "At 9:35.");
    const events = await collect(toAgUiEvents(source, { threadId: "t", runId: "r", ...options }));
    assert.equal(joined(events, "TEXT_MESSAGE_CONTENT", "delta"), "At 9:35.");
  }
});

test("the calls of a request, before their results", async () => {
  const turns = () => [[text(1, "Hm."), call(1), piece(1, {}, "tool_calls")], STREAMS["choice 1 alone"]];
  const request = (left = turns()) => runRequest({ transport: () => left.shift(), messages: [], tools: { tide: () => "high" } });
  const chunks = await collect(toUIMessageStream(request()));
  assert.deepEqual(
    chunks.flatMap(({ type }) => (/start-step|text-start|tool.*available/.test(type) ? type : [])),
    ["start-step", "text-start", "tool-input-available", "tool-output-available", "start-step", "text-start"],
  );
  const events = await collect(toAgUiEvents(request(), { threadId: "t", runId: "r" }));
  assert.deepEqual(
    events.flatMap(({ type }) => (/STEP_STARTED|TOOL_CALL_(START|RESULT)|MESSAGE_START/.test(type) ? type : [])),
    ["STEP_STARTED", "TEXT_MESSAGE_START", "TOOL_CALL_START", "TOOL_CALL_RESULT", "STEP_STARTED", "TEXT_MESSAGE_START"],
  );
  assert.equal((await request().result()).text, "Hm.At 9:35.");
});

test("signatures of the only choice's reasoning are sent back", () => {
  const reasoning_details = [{ type: "reasoning.text", text: "Hm.", signature: "c2ln" }];
  const tool_calls = [{ id: "a", type: "function", function: { name: "tide", arguments: "{}" } }];
  const choice = { index: 1, message: { content: null, reasoning_details, tool_calls }, finish_reason: "tool_calls" };
  const response = decode({ choices: [choice] });
  const [message] = formatToolMessages("openai-chat", response, [{ id: "a", name: "tide", arguments: "{}" }], ["high"]);
  assert.deepEqual(message.reasoning_details, reasoning_details);
});
