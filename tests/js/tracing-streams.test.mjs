// A stream is one span, reported once: when it is exhausted, fails or is left.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { processStream, StreamDeltas, streamDeltas, tracer } from "respool";
import { ANTHROPIC_STREAM, CHAT_STREAM, callChunk, chunk, refusalChunk } from "./answers.mjs";
import { collect, generated, readable, stalled } from "./sources.mjs";
import { keysOf, recordSpans, spanValue } from "./spans.mjs";

const TEXT = "The ferry leaves at 9:35.";
const WHOLE = ["signature", "inputs", "items", "result", "response", "usage"];

describe("streamDeltas", () => {
  test("exhausted", async (t) => {
    const spans = recordSpans(t);
    const deltas = streamDeltas(CHAT_STREAM, { coalesce: false });
    assert.equal(spans.length, 0, "a stream begins when it is read");
    const given = await collect(deltas);
    assert.equal(spans.length, 1);
    const [span] = spans;
    assert.deepEqual([span.name, span.isOver, keysOf(span)], ["process", true, WHOLE]);
    assert.equal(spanValue(span, "signature"), "respool.streamDeltas");
    assert.deepEqual(spanValue(span, "inputs"), { options: { coalesce: false } });
    const others = given.filter(({ type }) => type !== "text");
    assert.deepEqual(spanValue(span, "items"), [{ type: "text", text: TEXT }, ...others]);
    const { response, ...result } = deltas.result;
    assert.deepEqual(spanValue(span, "result"), result);
    assert.deepEqual(spanValue(span, "response").finishReasons, [response.rawFinishReason]);
    assert.equal(spanValue(span, "usage").totalTokens, 15);
  });

  test("the deltas and the result are the same with a backend", async (t) => {
    const plain = streamDeltas(ANTHROPIC_STREAM);
    const expected = await collect(plain);
    recordSpans(t);
    const traced = streamDeltas(ANTHROPIC_STREAM);
    assert.deepEqual(await collect(traced), expected);
    assert.deepEqual(traced.result, plain.result);
  });

  test("left", async (t) => {
    const spans = recordSpans(t);
    const log = [];
    for await (const delta of streamDeltas(generated(CHAT_STREAM, log))) {
      assert.equal(spans[0].isOver, false);
      assert.deepEqual(keysOf(spans[0]), ["signature", "inputs"]);
      if (delta.type === "text") break;
    }
    assert.deepEqual([log, spans[0].isOver], [["closed"], true]);
    assert.deepEqual(spanValue(spans[0], "items"), [{ type: "text", text: "The ferry" }]);
    assert.equal(spanValue(spans[0], "result").ending, "aborted");
    assert.equal(spanValue(spans[0], "error"), undefined);
  });

  test("broken", async (t) => {
    const spans = recordSpans(t);
    await assert.rejects(collect(streamDeltas(generated([chunk("a")], [], new Error("reset")))), { code: "stream-broken" });
    const [span] = spans;
    assert.deepEqual([spanValue(span, "error").code, spanValue(span, "error").cause.message], ["stream-broken", "reset"]);
    assert.deepEqual(spanValue(span, "items"), [{ type: "text", text: "a" }]);
    assert.deepEqual(
      [spanValue(span, "result").text, spanValue(span, "response").finishReasons, span.isOver],
      ["a", ["error"], true],
    );
  });

  test("a provider error", async (t) => {
    const spans = recordSpans(t);
    await assert.rejects(collect(streamDeltas([chunk("a"), { error: { message: "Overloaded", type: "overloaded_error" } }])));
    assert.deepEqual(
      [spanValue(spans[0], "error").message, spanValue(spans[0], "error").providerType],
      ["Overloaded", "overloaded_error"],
    );
  });

  test("aborted", async (t) => {
    const spans = recordSpans(t);
    const controller = new AbortController();
    const deltas = streamDeltas(stalled([chunk("a")]), { signal: controller.signal });
    assert.equal((await deltas.next()).value.text, "a");
    const waiting = deltas.next();
    controller.abort();
    await assert.rejects(waiting, { name: "AbortError" });
    assert.deepEqual([spanValue(spans[0], "error").name, spans[0].isOver], ["AbortError", true]);
  });

  test("never read", async (t) => {
    const spans = recordSpans(t);
    await streamDeltas(CHAT_STREAM).return();
    assert.deepEqual(spans, []);
  });

  test("choices are kept apart, and types in their order", async (t) => {
    const spans = recordSpans(t);
    const delta = (index, content) => ({ choices: [{ index, delta: content }] });
    const text = (index, content) => delta(index, { content });
    await collect(streamDeltas([text(0, "a"), text(1, "x"), delta(0, { reasoning_content: "hm" }), text(0, "b"), text(1, "y")]));
    assert.deepEqual(spanValue(spans[0], "items"), [
      { type: "text", text: "a" },
      { type: "text", text: "xy", choice: 1 },
      { type: "reasoning", text: "hm" },
      { type: "text", text: "b" },
    ]);
  });
});

describe("secrets in pieces", () => {
  test("text", async (t) => {
    const spans = recordSpans(t);
    const pieces = ['{"pass', 'word":"hun', 'ter2"}'].map((content) => chunk(content));
    await collect(streamDeltas(pieces));
    await collect(processStream({}, pieces));
    for (const span of spans) assert.doesNotMatch(JSON.stringify(span.emitted), /hun|ter2/);
    assert.equal(spans.length, 2);
  });

  test("arguments of calls, even of a truncated one", async (t) => {
    const spans = recordSpans(t);
    const call = [
      callChunk({ id: "a", function: { name: "log_in", arguments: '{"user":"me","pass' } }),
      callChunk({ function: { arguments: 'word":"hun' } }),
    ];
    await collect(streamDeltas(call, { partialJson: true }));
    await collect(streamDeltas([...call, callChunk({ function: { arguments: 'ter2"}' } }, "tool_calls")], { partialJson: true }));
    await collect(processStream({}, [...call, callChunk({ function: { arguments: 'ter2"}' } }, "tool_calls")]));
    assert.deepEqual(
      spanValue(spans[0], "items").map(({ type }) => type),
      ["tool-call-start"],
    );
    for (const span of spans) {
      assert.doesNotMatch(JSON.stringify(span.emitted), /hun|ter2/);
      assert.equal(spanValue(span, "result").toolCalls[0].name, "log_in");
    }
  });
});

describe("processStream", () => {
  test("text and calls", async (t) => {
    const spans = recordSpans(t);
    const items = await collect(processStream({ model: { id: "claude" } }, ANTHROPIC_STREAM));
    assert.equal(spans.length, 1, "the inner deltas have no span");
    assert.equal(spanValue(spans[0], "signature"), "respool.processStream");
    assert.deepEqual(spanValue(spans[0], "inputs"), { agent: { model: { id: "claude" } }, options: undefined });
    assert.deepEqual(spanValue(spans[0], "items"), items);
    assert.deepEqual(items, ["I look it up.", { id: "toolu_7", name: "timetable", arguments: '{"port":"Skjervøy"}' }]);
  });

  test("text is one item, however it was split", async (t) => {
    const spans = recordSpans(t);
    await collect(processStream({}, CHAT_STREAM));
    assert.deepEqual(spanValue(spans[0], "items"), [TEXT]);
  });

  test("a refusal", async (t) => {
    const spans = recordSpans(t);
    await assert.rejects(collect(processStream({}, [refusalChunk("No.")])), { code: "refusal" });
    assert.deepEqual([spanValue(spans[0], "error").code, spanValue(spans[0], "items"), spans[0].isOver], ["refusal", [], true]);
  });
});

describe("StreamDeltas", () => {
  test("exhausted", async (t) => {
    const spans = recordSpans(t);
    const given = await collect(readable(CHAT_STREAM).pipeThrough(new StreamDeltas({ coalesce: true })));
    assert.deepEqual([spans.length, keysOf(spans[0]), spans[0].isOver], [1, WHOLE, true]);
    assert.equal(spanValue(spans[0], "items").length, given.length - 1, "two deltas of text are one");
    assert.deepEqual(spanValue(spans[0], "inputs"), { options: { coalesce: true } });
  });

  test("broken by an invalid chunk", async (t) => {
    const spans = recordSpans(t);
    await assert.rejects(collect(readable([chunk("a"), 5]).pipeThrough(new StreamDeltas())), { code: "invalid-chunk" });
    assert.deepEqual(
      [spanValue(spans[0], "error").code, spanValue(spans[0], "result").text, spans[0].isOver],
      ["invalid-chunk", "a", true],
    );
  });
});

test("a backend that is added later traces the next stream", async (t) => {
  const deltas = streamDeltas(CHAT_STREAM);
  const spans = recordSpans(t);
  await collect(deltas);
  assert.equal(spans.length, 0);
  await collect(streamDeltas(CHAT_STREAM));
  tracer.clear();
  await collect(streamDeltas(CHAT_STREAM));
  assert.equal(spans.length, 1);
});
