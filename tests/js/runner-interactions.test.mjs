// Google's Interactions API in requests: steps to send back, definitions, and interactions that the server keeps.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { decode, formatToolMessages, runRequest, streamDeltas } from "respool";

const text = (content) => ({ type: "text", text: content });
const output = (content) => ({ type: "model_output", content: [text(content)] });
const thought = { type: "thought", signature: "c2ln", summary: [text("Hm.")] };
const call = (id, rest) => ({ type: "function_call", id, name: "tide", arguments: { n: 1 }, ...rest });
const answer = (...steps) => decode({ object: "interaction", id: "v1_a", status: "requires_action", steps });
const toolCall = (id, given = "{}") => ({ id, name: "tide", arguments: given });
const result = (id, content, rest) => ({ type: "function_result", call_id: id, name: "tide", result: content, ...rest });
const format = (response, ...rest) => formatToolMessages("gemini-interactions", response, ...rest);

describe("the steps to send back", () => {
  test("are the steps unchanged, without calls that weren't run, then the results", () => {
    const search = { type: "google_search_call", id: "s", arguments: { queries: ["tides"] }, signature: "c2Vh" };
    const response = answer(thought, search, output("One moment."), call("a", { signature: "Y2Fs" }), call("b"), call("c"));
    const failed = { content: [text("closed")], isError: true };
    assert.deepEqual(format(response, [toolCall("a"), toolCall("c")], ["high", failed]), [
      thought,
      search,
      output("One moment."),
      call("a", { signature: "Y2Fs" }),
      call("c"),
      result("a", [text("high")]),
      result("c", [text("closed")], { is_error: true }),
    ]);
  });

  test("are the same after a stream", async () => {
    const event = (event_type, rest) => ({ event_type, ...rest });
    const deltas = streamDeltas([
      event("interaction.created", { interaction: { object: "interaction", id: "v1_a", status: "in_progress" } }),
      event("step.start", { index: 0, step: { type: "thought" } }),
      event("step.delta", { index: 0, delta: { type: "thought_signature", signature: "c2ln" } }),
      event("step.start", { index: 1, step: call("a", { arguments: {} }) }),
      event("step.delta", { index: 1, delta: { type: "arguments_delta", arguments: '{"n":1}' } }),
      event("interaction.completed", { interaction: { id: "v1_a", status: "requires_action" } }),
    ]);
    for await (const _ of deltas);
    const { toolCalls } = deltas.result;
    assert.deepEqual(format(deltas.result, toolCalls, ["high"]), [
      { type: "thought", signature: "c2ln" },
      call("a"),
      result("a", [text("high")]),
    ]);
  });

  test("leave out steps of the request, and steps that the API rejects", () => {
    const own = [{ type: "user_input", content: [text("When?")] }, result("z", [text("06:00")])];
    const response = answer(...own, { type: "thought" }, output(""), call("a", { arguments: "{" }));
    assert.deepEqual(format(response, [toolCall("a", "{")], [""]), [call("a", { arguments: {} }), result("a", [text("")])]);
  });

  test("have calls that were found in the text", () => {
    const response = { ...answer(thought, output("Hm. <call/>")), message: "Hm." };
    assert.deepEqual(format(response, [toolCall("x", '{"n":2}')], ["high"]), [
      thought,
      output("Hm."),
      call("x", { arguments: { n: 2 } }),
      result("x", [text("high")]),
    ]);
  });

  test("a final answer, an empty one, and that of another interface", () => {
    assert.deepEqual(format(answer(thought, output("At six.")), [], []), [thought, output("At six.")]);
    assert.deepEqual(format(answer(), [], []), []);
    assert.deepEqual(format(decode({ choices: [{ message: { content: "Hi." } }] }), [], []), [output("Hi.")]);
  });

  test("images are contents, anything else is JSON", () => {
    const link = { type: "resource_link", uri: "file:///tide" };
    const parts = [text("one"), { type: "image", data: "iVBOR", mimeType: "image/png" }, link];
    const [, { result: contents }] = format(answer(call("a")), [toolCall("a")], [{ content: parts }]);
    assert.deepEqual(contents, [
      text("one"),
      { type: "image", data: "iVBOR", mime_type: "image/png" },
      text(JSON.stringify(link)),
    ]);
  });
});

test("a request that continues an interaction says so in every turn", async () => {
  const sent = [];
  const bodies = [
    { object: "interaction", id: "v1_b", status: "requires_action", steps: [thought, call("a")] },
    { object: "interaction", id: "v1_c", status: "completed", steps: [output("At six.")] },
  ];
  const input = [{ type: "user_input", content: [text("When?")] }];
  const { finalText, messages } = await runRequest({
    api: "gemini-interactions",
    transport: (payload) => {
      sent.push(payload);
      return [bodies[sent.length - 1]];
    },
    messages: input,
    params: { model: "stub", previous_interaction_id: "v1_a" },
    tools: { tide: () => "high" },
    toolDefinitions: [{ type: "function", name: "tide", parameters: { type: "object" } }],
  }).result();
  assert.equal(finalText, "At six.");
  const common = { stream: true, model: "stub", previous_interaction_id: "v1_a", tools: sent[0].tools };
  const steps = [...input, thought, call("a"), result("a", [text("high")])];
  assert.deepEqual(sent, [
    { ...common, input },
    { ...common, input: steps },
  ]);
  assert.deepEqual(messages, [...steps, output("At six.")]);
});
