// Tool calls and reasoning in the text of streams.
import assert from "node:assert/strict";
import { test } from "node:test";
import { StreamAccumulator } from "respool";
import { CALL, TOOLS, chunkOf, joined, streamOf } from "./text-chunks.mjs";

const textToolCalls = { tools: TOOLS };

test("deltas come as early as possible", () => {
  const { deltas } = streamOf(['Hi <tool_call>{"name": "tide", ', '"arguments": {"place": "Br', 'est"}', "}</tool_call>"], {
    textToolCalls,
  });
  const types = deltas.map((delta) => delta.type);
  assert.deepEqual(types, [
    "text",
    "tool-call-start",
    "tool-call-delta",
    "tool-call-delta",
    "tool-call-delta",
    "tool-call-end",
    "finish",
  ]);
  assert.equal(deltas[0].text, "Hi ");
  assert.deepEqual(deltas[5].toolCall.arguments, '{"place": "Brest"}');
});

test("the response agrees", () => {
  const { result } = streamOf(["Well. ", CALL], { textToolCalls });
  assert.equal(result.response.message, "Well. ");
  assert.deepEqual(
    result.response.toolCalls.map((call) => call.arguments),
    [{ place: "Brest" }],
  );
  assert.equal(result.response.finishReason, "tool_use");
  assert.deepEqual(result.toolCallStatus, ["complete"]);
});

test("calls stay text without the options", () => {
  assert.deepEqual(streamOf([CALL]).result.toolCalls, []);
  assert.equal(streamOf([CALL]).result.text, CALL);
});

test("repeated chunks, bytes and objects lead to the same result", () => {
  const pieces = Array.from(`A wave of words. <think>of course</think> ${CALL} for all \`${CALL}\``);
  const options = { textToolCalls, reasoningTags: true };
  const lines = [...pieces.map((content) => chunkOf({ content })), chunkOf({}, "stop")].map(
    (chunk) => `data: ${JSON.stringify(chunk)}\n\n`,
  );
  const plain = (deltas) => [
    joined(deltas, "text"),
    joined(deltas, "reasoning"),
    deltas.filter((delta) => delta.type === "tool-call-end"),
  ];
  const { deltas, result } = streamOf(pieces, { ...options, templates: false });
  for (const templates of [true, false]) {
    const bytes = new StreamAccumulator({ ...options, templates });
    const emitted = lines.flatMap((line) => bytes.pushBytes(new TextEncoder().encode(line)));
    assert.deepEqual(bytes.finish(), result);
    assert.deepEqual(plain(emitted), plain(deltas));
  }
  const objects = streamOf(pieces, options);
  assert.deepEqual(objects.result, result);
  assert.deepEqual(plain(objects.deltas), plain(deltas));
});

test("reasoning between repeated texts keeps its type", () => {
  const { deltas } = streamOf(["a", "b", "c", "<think>", "a", "b", "c", "</think>", "a", "b"], { reasoningTags: true });
  assert.deepEqual([joined(deltas, "text"), joined(deltas, "reasoning")], ["abcab", "abc"]);
});

test("reasoning that is both between tags and in a field is emitted once", () => {
  const thought = (content, reasoning_content) => chunkOf({ content, reasoning_content });
  const cases = {
    "in the same chunks": [thought("<think>"), thought("Ebb ", "Ebb "), thought("or flow?", "or flow?"), thought("</think>Ebb.")],
    "behind the field": [thought("", "Ebb or flow?"), thought("<think>\nEbb or"), thought(" flow?\n</think>Ebb.")],
    "with more of it": [thought("", "Ebb or"), thought("<think>Ebb or flow?</think>Ebb.")],
    "before the field": [thought("<think>\nEbb or flow?"), thought("</think>"), thought("Ebb."), thought("", "Ebb or flow?")],
    "before the field in pieces": [
      thought("<think>Ebb or "),
      thought("flow?</think>Ebb."),
      ...["Ebb", " or fl", "ow?"].map((piece) => thought(null, piece)),
    ],
    "by turns, before the field": [
      thought("<think>Ebb or "),
      thought(null, "Ebb or "),
      thought("flow?</think>"),
      thought(null, "flow?"),
      thought("Ebb."),
    ],
  };
  for (const [name, chunks] of Object.entries(cases)) {
    const accumulator = new StreamAccumulator({ reasoningTags: true });
    const deltas = [...chunks, chunkOf({}, "stop")].flatMap((chunk) => accumulator.push(chunk));
    const { reasoning, text } = accumulator.finish();
    accumulator.free();
    assert.deepEqual([reasoning, text, joined(deltas, "reasoning")], ["Ebb or flow?", "Ebb.", "Ebb or flow?"], name);
  }
  const other = new StreamAccumulator({ reasoningTags: true });
  other.push(thought("", "Ebb or flow?"));
  for (const piece of ["<think>Ebb ", "it is.</think>", "Ebb."]) other.push(thought(piece));
  assert.equal(other.finish().reasoning, "Ebb or flow?Ebb it is.");
  other.free();
  const later = new StreamAccumulator({ reasoningTags: true });
  later.push(thought("<think>Ebb or flow?</think>Ebb."));
  const laterDeltas = ["Ebb ", "it is."].flatMap((piece) => later.push(thought(null, piece)));
  assert.equal(joined(laterDeltas, "reasoning"), "Ebb it is.");
  assert.equal(later.finish().reasoning, "Ebb it is.Ebb or flow?");
  later.free();
  const message = { role: "assistant", content: "<think>Ebb?</think>Ebb.", reasoning_content: "Ebb?" };
  const body = { object: "chat.completion", choices: [{ index: 0, message, finish_reason: "stop" }] };
  const whole = new StreamAccumulator({ reasoningTags: true });
  whole.push(body);
  assert.equal(whole.finish().reasoning, "Ebb?");
  whole.free();
});

test("structured calls take precedence", () => {
  const accumulator = new StreamAccumulator({ textToolCalls });
  accumulator.push(chunkOf({ tool_calls: [{ index: 0, id: "a", function: { name: "tide", arguments: "{}" } }] }));
  accumulator.push(chunkOf({ content: CALL }));
  const { text, toolCalls } = accumulator.finish();
  assert.deepEqual([text, toolCalls.length], [CALL, 1]);
});

test("later structured calls take precedence, too", () => {
  const accumulator = new StreamAccumulator({ textToolCalls });
  const emitted = accumulator.push(chunkOf({ content: `Well. ${CALL}` }));
  assert.deepEqual(
    emitted.map((delta) => delta.type),
    ["text", "tool-call-start", "tool-call-delta"],
  );
  emitted.push(
    ...accumulator.push(chunkOf({ tool_calls: [{ index: 0, id: "a", function: { name: "tide", arguments: "{}" } }] })),
  );
  emitted.push(...accumulator.push(chunkOf({}, "tool_calls")));
  const { text, toolCalls, toolCallStatus, warnings, response } = accumulator.finish();
  assert.equal(text, "Well. ");
  assert.deepEqual(toolCalls, [{ id: "a", name: "tide", arguments: "{}" }]);
  assert.deepEqual(toolCallStatus, ["complete"]);
  assert.equal(response.toolCalls.length, 1);
  assert.deepEqual(
    warnings.map((warning) => warning.code),
    ["superseded-tool-call"],
  );
  const ends = emitted.filter((delta) => delta.type === "tool-call-end").map((delta) => [delta.index, delta.status]);
  assert.deepEqual(ends.sort(), [
    [0, "invalid"],
    [1, "complete"],
  ]);
});

test("a call ends with the answer, before the finish reason", () => {
  const { deltas } = streamOf([CALL, " Done."], { textToolCalls });
  const types = deltas.map((delta) => delta.type);
  assert.deepEqual(types.slice(-3), ["text", "tool-call-end", "finish"]);
});

test("a stream that breaks off keeps its calls", () => {
  const accumulator = new StreamAccumulator({ textToolCalls });
  accumulator.push(chunkOf({ content: '<tool_call>{"name": "tide"}</tool_call> Now' }));
  const { toolCalls, toolCallStatus, ending } = accumulator.finish();
  assert.deepEqual([toolCalls[0].arguments, toolCallStatus[0], ending], ["{}", "complete", "truncated"]);
});

test("choices are kept apart", () => {
  const accumulator = new StreamAccumulator({ textToolCalls });
  const half = Math.floor(CALL.length / 2);
  for (const content of [CALL.slice(0, half), CALL.slice(half)]) {
    for (const index of [0, 1]) accumulator.push({ choices: [{ index, delta: { content } }] });
  }
  const { response } = accumulator.finish();
  assert.deepEqual(
    response.choices.map((choice) => choice.toolCalls.length),
    [1, 1],
  );
});

test("a rejected call leads to a warning and stays text", () => {
  const text = '<tool_call>{"name": "rm", "arguments": {}}</tool_call>';
  const { result, deltas } = streamOf([text], { textToolCalls });
  assert.equal(result.text, text);
  assert.deepEqual(
    result.warnings.map((warning) => warning.code),
    ["rejected-tool-call"],
  );
  assert.equal(deltas.filter((delta) => delta.type === "warning").length, 1);
});

test("buffered text is emitted when the stream ends", () => {
  const accumulator = new StreamAccumulator({ textToolCalls });
  const deltas = accumulator.push(chunkOf({ content: "a <tool_c" }));
  assert.equal(joined(deltas, "text"), "a ");
  assert.equal(accumulator.finish().text, "a <tool_c");
  assert.equal(joined(accumulator.takeDeltas(), "text"), "<tool_c");
});

test("the deltas of repeated chunks are the text, also in quotations", () => {
  const quoted = ["Page", ":\n", "<!-- Main", " nav", "-", "bar", " --", ">\n<nav", ">x</", "nav>", " `a\n", "b", "` ", "end"];
  const { deltas, result } = streamOf(quoted, { textToolCalls: { tools: TOOLS } });
  assert.equal(joined(deltas, "text"), quoted.join(""));
  assert.equal(result.text, quoted.join(""));
});
