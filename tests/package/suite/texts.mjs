// Tool calls, reasoning and loops in the text of models.
import { equal, ok } from "../expect.mjs";

const TOOLS = [{ name: "tide", input_schema: { type: "object", properties: { place: { type: "string" } } } }];
const TEXT = '<think>Which tide?</think>Let me see. <tool_call>{"name": "tide", "arguments": {"place": "Skjervøy"}}</tool_call>';

export default {
  "tool calls in a text"({ extractToolCalls }) {
    const { text, reasoning, toolCalls, toolCallStatus } = extractToolCalls(TEXT, { tools: TOOLS, reasoningTags: true });
    equal([text.trim(), reasoning, toolCallStatus], ["Let me see.", "Which tide?", ["complete"]], "what is found");
    equal(
      toolCalls.map(({ name, arguments: json }) => [name, JSON.parse(json)]),
      [["tide", { place: "Skjervøy" }]],
      "calls",
    );
  },

  "tool calls in the text of a stream"({ StreamAccumulator }) {
    for (const size of [1, 5, 200]) {
      const accumulator = new StreamAccumulator({ textToolCalls: { tools: TOOLS }, reasoningTags: "think" });
      const deltas = [];
      for (let at = 0; at < TEXT.length; at += size) {
        deltas.push(...accumulator.push({ choices: [{ index: 0, delta: { content: TEXT.slice(at, at + size) } }] }));
      }
      deltas.push(...accumulator.push({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }));
      const { text, reasoning, toolCalls, finishReason } = accumulator.finish();
      equal([text.trim(), reasoning, finishReason], ["Let me see.", "Which tide?", "tool_use"], "result");
      equal(
        toolCalls.map(({ name }) => name),
        ["tide"],
        "calls",
      );
      ok(
        deltas.some(({ type }) => type === "tool-call-end"),
        "a delta for the end of the call",
      );
      accumulator.free();
    }
  },

  "only tools that are declared"({ extractToolCalls }) {
    const { toolCalls, rejected } = extractToolCalls(TEXT, { tools: [{ name: "wind" }] });
    equal([toolCalls, rejected.map(({ reason }) => reason)], [[], ["unknown-tool"]], "no call");
  },

  "a loop"({ LoopDetector, StreamAccumulator }) {
    const line = "Let me check that again.\n";
    const detector = new LoopDetector();
    let lines = 1;
    while (!detector.feed(line) && lines < 1000) lines += 1;
    equal(lines, 25, "lines until it fires");
    ok(detector.triggered && detector.reason.includes("25 times"), `a reason, not ${detector.reason}`);
    detector.reset();
    ok(!detector.triggered, "a detector that begins anew");
    detector.free();

    const accumulator = new StreamAccumulator({ loopDetector: true });
    accumulator.push({ choices: [{ delta: { content: line.repeat(30) } }] });
    equal(
      accumulator.finish().warnings.map(({ code }) => code),
      ["repeated-line-loop"],
      "the warning of a stream",
    );
    accumulator.free();
  },
};
