// Streams of every interface in the accumulator: as objects, and as bytes split anywhere.
import { ANTHROPIC_STREAM, capture, CHUNKS, RESPONSES_STREAM, sse, STREAM } from "../bodies.mjs";
import { equal, ok } from "../expect.mjs";

export default {
  "by object"({ StreamAccumulator }) {
    const accumulator = new StreamAccumulator();
    const deltas = CHUNKS.flatMap((each) => accumulator.push(each));
    checkResult(accumulator.finish(), deltas);
    accumulator.free();
  },

  "by bytes, cut anywhere"({ StreamAccumulator }) {
    const bytes = capture();
    for (const size of [1, 2, 7, 64, bytes.length]) {
      const accumulator = new StreamAccumulator();
      const deltas = pushInPieces(accumulator, bytes, size);
      checkResult(accumulator.finish(), deltas);
      accumulator.free();
    }
  },

  "by JSON lines"({ StreamAccumulator }) {
    const bytes = new TextEncoder().encode(CHUNKS.map((each) => `${JSON.stringify(each)}\n`).join(""));
    const accumulator = new StreamAccumulator();
    const deltas = pushInPieces(accumulator, bytes, 13);
    checkResult(accumulator.finish(), deltas);
    accumulator.free();
  },

  "without templates, and without joining"({ StreamAccumulator }) {
    const accumulator = new StreamAccumulator({ templates: false, coalesce: false });
    const deltas = accumulator.pushBytes(capture());
    equal(deltas.filter(({ type }) => type === "text").length, 2, "a delta for each event");
    checkResult(accumulator.finish(), deltas);
    accumulator.free();
  },

  "many events of one form, in one read"({ StreamAccumulator }) {
    const words = Array.from({ length: 3000 }, (_, at) => ["tide ", "Bodø ", "→ ⛴️ ", '"\\\n'][at % 4]);
    const events = words.map((content) => ({ ...CHUNKS[1], choices: [{ index: 0, delta: { content }, finish_reason: null }] }));
    for (const [what, push] of [
      ["bytes", (accumulator) => accumulator.pushBytes(sse(events))],
      ["objects", (accumulator) => events.flatMap((event) => accumulator.push(event))],
    ]) {
      const accumulator = new StreamAccumulator();
      const emitted = push(accumulator)
        .map(({ text }) => text)
        .join("");
      ok(emitted === words.join(""), `all of the text in deltas of ${what}`);
      ok(accumulator.finish().text === words.join(""), `all of the text in the result of ${what}`);
      accumulator.free();
    }
  },

  Responses({ StreamAccumulator }) {
    for (const feed of [byObject, byBytes]) {
      const accumulator = new StreamAccumulator();
      const deltas = feed(accumulator, RESPONSES_STREAM);
      const { text, ending, usage, response } = accumulator.finish();
      equal([text, ending, usage.totalTokens], ["The ferry leaves at 9:35.", "complete", 15], feed.name);
      equal(response.apiSpecific.api, "openai_responses", "the interface");
      equal(
        deltas
          .filter(({ type }) => type === "text")
          .map(({ text: piece }) => piece)
          .join(""),
        text,
        "deltas",
      );
      accumulator.free();
    }
  },

  Anthropic({ StreamAccumulator }) {
    for (const feed of [byObject, byBytes]) {
      const accumulator = new StreamAccumulator();
      const deltas = feed(accumulator, ANTHROPIC_STREAM);
      const { text, reasoning, toolCalls, finishReason } = accumulator.finish();
      equal([text, reasoning, finishReason], ["I look it up.", "Which port?", "tool_use"], feed.name);
      equal(toolCalls, [{ id: "toolu_7", name: "timetable", arguments: '{"port":"Skjervøy"}' }], "calls");
      equal(deltas.find(({ type }) => type === "tool-call-end").status, "complete", "the end of the call");
      accumulator.free();
    }
  },

  "cut off"({ StreamAccumulator }) {
    const accumulator = new StreamAccumulator();
    accumulator.pushBytes(capture().subarray(0, 700));
    ok(accumulator.snapshot().ending === "open", "an open snapshot");
    ok(accumulator.finish().ending === "truncated", "a truncated ending");
    accumulator.free();
  },

  "an end without its line end"({ StreamAccumulator }) {
    const accumulator = new StreamAccumulator();
    const early = accumulator.pushBytes(new TextEncoder().encode(`data: ${JSON.stringify(CHUNKS[1])}`));
    equal(early, [], "nothing yet");
    equal(accumulator.finish().text, "Tromsø", "text");
    equal(accumulator.takeDeltas(), [{ type: "text", text: "Tromsø" }], "the deltas of the end");
    accumulator.free();
  },

  aborted({ StreamAccumulator }) {
    const accumulator = new StreamAccumulator();
    accumulator.push(CHUNKS[1]);
    const { ending, text, error } = accumulator.abort(new Error("the page was left"));
    equal([ending, text, error.message], ["aborted", "Tromsø", "the page was left"], "result");
    accumulator.free();
  },

  "broken events are warnings"({ StreamAccumulator }) {
    const accumulator = new StreamAccumulator();
    accumulator.pushBytes(new TextEncoder().encode(`data: {"choices":[\n\ndata: ${JSON.stringify(CHUNKS[1])}\n\n`));
    const { text, warnings } = accumulator.finish();
    equal(text, "Tromsø", "what came after");
    ok(
      warnings.some(({ code }) => code === "invalid-event"),
      `a warning, not ${JSON.stringify(warnings)}`,
    );
    accumulator.free();
  },

  "the framing alone"({ SseDecoder }) {
    const decoder = new SseDecoder();
    const bytes = new TextEncoder().encode("event: ping\ndata: {\ndata: }\n\ndata: Bodø");
    const events = [];
    for (let at = 0; at < bytes.length; at += 3) events.push(...decoder.push(bytes.subarray(at, at + 3)));
    equal(
      events.map(({ event, data }) => [event, data]),
      [["ping", "{\n}"]],
      "events",
    );
    equal(
      decoder.finish().map(({ data }) => data),
      ["Bodø"],
      "the one without its end",
    );
    decoder.free();
  },
};

function byObject(accumulator, events) {
  return events.flatMap((event) => accumulator.push(event));
}

function byBytes(accumulator, events) {
  return pushInPieces(accumulator, sse(events), 11);
}

function pushInPieces(accumulator, bytes, size) {
  const deltas = [];
  for (let at = 0; at < bytes.length; at += size) deltas.push(...accumulator.pushBytes(bytes.subarray(at, at + size)));
  return deltas;
}

function checkResult(result, deltas) {
  equal(result.text, STREAM.text, "text");
  equal(result.toolCalls, STREAM.toolCalls, "tool calls");
  equal(result.toolCallStatus, ["complete", "complete"], "tool call status");
  equal(result.usage.totalTokens, STREAM.totalTokens, "usage");
  equal([result.finishReason, result.ending], ["tool_use", "complete"], "finish reason and ending");
  const joined = (type, field) =>
    deltas
      .filter((delta) => delta.type === type)
      .map((delta) => delta[field])
      .join("");
  equal(joined("text", "text"), STREAM.text, "joined text deltas");
  const first = deltas.filter((delta) => delta.type === "tool-call-delta" && delta.id === "call_a");
  equal(first.map((delta) => delta.arguments).join(""), STREAM.toolCalls[0].arguments, "joined argument deltas");
}
