// StreamDeltas: the accumulator as a transform stream.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { StreamDeltas, streamDeltas, tracer } from "respool";
import { CHAT_STREAM, chunk, sseBytes, sseText } from "./answers.mjs";
import { collect, collectUntilThrown, readable } from "./sources.mjs";
import { recordSpans, spanValue } from "./spans.mjs";

const rest = () => new Promise((resolve) => setImmediate(resolve));

describe("StreamDeltas", () => {
  const SOURCES = {
    bytes: () => new Response(sseBytes(CHAT_STREAM)).body,
    text: () => readable(sseText(CHAT_STREAM)),
    chunks: () => readable(CHAT_STREAM),
    "code units": () =>
      readable(
        sseText([...CHAT_STREAM, chunk("😀")])
          .join("")
          .split(""),
      ),
  };
  for (const [name, make] of Object.entries(SOURCES)) {
    test(name, async () => {
      const deltas = new StreamDeltas();
      assert.equal(deltas.result, undefined);
      const given = await collect(make().pipeThrough(deltas));
      const expected = streamDeltas(make());
      assert.deepEqual(given, await collect(expected));
      assert.deepEqual(deltas.result, expected.result);
      assert.equal(deltas.result.ending, "complete");
    });
  }

  test("it is a TransformStream", () => assert.ok(new StreamDeltas() instanceof TransformStream));

  test("the deltas that were held back when a limit was exceeded", async () => {
    const calls = [0, 1].map((index) => ({
      choices: [{ delta: { tool_calls: [{ index, id: `c${index}`, function: { name: "f", arguments: "{}" } }] } }],
    }));
    const deltas = new StreamDeltas({ limits: { maxToolCalls: 1 } });
    const types = [];
    for await (const { type } of ReadableStream.from(calls).pipeThrough(deltas)) types.push(type);
    assert.deepEqual(types, ["tool-call-start", "error", "tool-call-delta"]);
    assert.equal(deltas.result.toolCalls[0].arguments, "{}");
  });

  test("the deltas of an event that only the end of input terminates", async () => {
    const deltas = new StreamDeltas();
    const source = readable([`data: ${JSON.stringify(chunk("late"))}`]);
    assert.deepEqual(await collect(source.pipeThrough(deltas)), [{ type: "text", text: "late" }]);
    assert.equal(deltas.result.ending, "truncated");
  });

  test("options", async () => {
    const source = readable([sseBytes([chunk("a"), chunk("b")])]);
    assert.equal((await collect(source.pipeThrough(new StreamDeltas({ coalesce: false })))).length, 2);
    assert.throws(() => new StreamDeltas({ coalese: false }), { code: "invalid-option" });
  });

  test("an invalid chunk", async () => {
    const deltas = new StreamDeltas();
    const { items, error } = await collectUntilThrown(readable([chunk("a"), 5]).pipeThrough(deltas));
    assert.deepEqual([items.length, error.code], [1, "invalid-chunk"]);
    assert.deepEqual([deltas.result.text, deltas.result.ending], ["a", "aborted"]);
  });

  test("a source that fails", async (t) => {
    const spans = recordSpans(t);
    const reason = new Error("terminated");
    const deltas = new StreamDeltas();
    const { error } = await collectUntilThrown(readable([chunk("a")], [], reason).pipeThrough(deltas));
    assert.equal(error, reason);
    assert.deepEqual([deltas.result.text, deltas.result.ending, deltas.result.error], ["a", "truncated", undefined]);
    assert.equal(spanValue(spans[0], "error").code, "stream-broken");
    assert.equal(spanValue(spans[0], "result").ending, "truncated");
  });

  test("a writer that fails", async () => {
    const deltas = new StreamDeltas();
    const reader = deltas.readable.getReader();
    const writer = deltas.writable.getWriter();
    const [{ value }] = await Promise.all([reader.read(), writer.write(chunk("a"))]);
    assert.equal(value.text, "a");
    await writer.abort(new Error("terminated"));
    await assert.rejects(reader.read(), { message: "terminated" });
    assert.equal(deltas.result.ending, "truncated");
  });

  test("only the caller aborts", async (t) => {
    const leaving = new AbortController();
    const CASES = {
      "the request": (deltas) => readable([chunk("a")], [], new DOMException("aborted", "AbortError")).pipeThrough(deltas),
      "the pipe": (deltas) => readable([chunk("a"), chunk("b")]).pipeThrough(deltas, { signal: leaving.signal }),
    };
    for (const [name, pipe] of Object.entries(CASES)) {
      const spans = recordSpans(t);
      const deltas = new StreamDeltas();
      const reader = pipe(deltas).getReader();
      leaving.abort();
      await assert.rejects(async () => {
        while (!(await reader.read()).done);
      });
      tracer.clear();
      assert.deepEqual([deltas.result.ending, spans[0].isOver], ["aborted", true], name);
    }
  });

  test("the reader leaves while the source waits", async () => {
    const deltas = new StreamDeltas();
    let reason;
    const source = new ReadableStream({
      start: (controller) => controller.enqueue(chunk("a")),
      cancel(given) {
        reason = given;
      },
    });
    const reader = source.pipeThrough(deltas).getReader();
    await reader.read();
    await reader.cancel("enough");
    await rest();
    assert.deepEqual([reason, deltas.result?.ending], ["enough", "aborted"]);
  });

  test("it reads ahead as many pieces as any transform stream", async () => {
    const counts = [];
    const readers = [new StreamDeltas(), new TransformStream()].map((transform, index) => {
      counts[index] = 0;
      const pull = (controller) => controller.enqueue(chunk(`${counts[index]++}`));
      return new ReadableStream({ pull }, { highWaterMark: 0 }).pipeThrough(transform).getReader();
    });
    for (let nth = 0; nth < 3; nth++) {
      await rest();
      assert.equal(counts[0], counts[1]);
      await Promise.all(readers.map((reader) => reader.read()));
    }
  });

  test("leaving the loop closes the source", async () => {
    const log = [];
    for await (const delta of readable(CHAT_STREAM, log).pipeThrough(new StreamDeltas())) {
      assert.equal(delta.text, "The ferry");
      break;
    }
    await rest(); // a pipe closes its source later
    assert.deepEqual(log, ["closed"]);
  });
});
