// The life of a StreamAccumulator: open, finished or aborted, freed.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { RespoolError, StreamAccumulator } from "respool";
import { callChunk, chunk, sseBytes } from "./answers.mjs";

const OVER = { name: "RespoolError", code: "stream-finished" };

/** Returns an accumulator in the middle of a stream. */
function begun() {
  const accumulator = new StreamAccumulator();
  accumulator.push(chunk("a"));
  return accumulator;
}

describe("snapshot", () => {
  test("contains the result so far", () => {
    const accumulator = begun();
    accumulator.push(callChunk({ id: "c", function: { name: "f", arguments: '{"a' } }));
    const result = accumulator.snapshot();
    assert.deepEqual([result.text, result.ending, result.finishReason], ["a", "open", undefined]);
    assert.deepEqual(result.toolCalls, [{ id: "c", name: "f", arguments: '{"a' }]);
  });

  test("doesn't change the stream, and later chunks don't change it", () => {
    const accumulator = begun();
    const before = accumulator.snapshot();
    assert.deepEqual(accumulator.snapshot(), before);
    accumulator.push(chunk("b"));
    assert.equal(before.text, "a");
    assert.equal(accumulator.snapshot().text, "ab");
  });

  test("after the end", () => {
    const accumulator = begun();
    assert.deepEqual(accumulator.finish(), accumulator.snapshot());
  });

  test("each snapshot contains the whole of a long text", () => {
    const long = "The ferry leaves at 9:35 “sharp” 🚢. ".repeat(20);
    const chunks = [
      chunk(long),
      callChunk({ id: "c", function: { name: "f", arguments: `{"__proto__":"${long}",` } }),
      chunk("\\u0000 respool:1; !"),
      callChunk({ function: { arguments: `"b":["${long}"]}` } }),
      callChunk({ index: 1, id: "d", function: { name: "g", arguments: long } }),
      chunk(long, "tool_calls"),
    ];
    const accumulator = new StreamAccumulator();
    chunks.forEach((next, at) => {
      accumulator.push(next);
      const alone = new StreamAccumulator();
      for (const earlier of chunks.slice(0, at + 1)) alone.push(earlier);
      assert.deepEqual(accumulator.snapshot(), alone.snapshot(), `after chunk ${at}`);
    });
    const { text, toolCalls, response } = accumulator.snapshot();
    assert.equal(text, `${long}\\u0000 respool:1; !${long}`);
    assert.equal(response.message, text);
    assert.equal(toolCalls[0].arguments, `{"__proto__":"${long}","b":["${long}"]}`);
    assert.deepEqual(response.toolCalls[0].arguments, JSON.parse(toolCalls[0].arguments));
    assert.equal(response.toolCalls[1].arguments, long, "no JSON, so the text");
    assert.deepEqual(accumulator.finish(), { ...accumulator.snapshot(), ending: "complete" });
  });
});

describe("finish", () => {
  test("returns the same result twice", () => {
    const accumulator = begun();
    assert.deepEqual(accumulator.finish(), accumulator.finish());
  });

  test("rejects further input", () => {
    const accumulator = begun();
    accumulator.finish();
    assert.throws(() => accumulator.push(chunk("b")), OVER);
    assert.throws(() => accumulator.pushBytes(sseBytes([chunk("b")])), OVER);
    assert.equal(accumulator.finish().text, "a");
  });

  test("ends an empty stream", () => {
    const { text, toolCalls, ending, error, warnings } = new StreamAccumulator().finish();
    assert.deepEqual(
      { text, toolCalls, ending, error, warnings },
      { text: "", toolCalls: [], ending: "truncated", error: undefined, warnings: [] },
    );
  });

  test("keeps the deltas of an unterminated event for takeDeltas", () => {
    const accumulator = new StreamAccumulator();
    assert.deepEqual(accumulator.pushBytes(new TextEncoder().encode(`data: ${JSON.stringify(chunk("late"))}`)), []);
    assert.equal(accumulator.finish().text, "late");
    assert.deepEqual(accumulator.takeDeltas(), [{ type: "text", text: "late" }]);
    assert.deepEqual(accumulator.takeDeltas(), []);
  });
});

describe("abort", () => {
  const REASONS = [
    [undefined, "The stream was aborted"],
    ["enough", "enough"],
    [new Error("enough"), "enough"],
    [null, "null"],
    [Symbol("enough"), "Symbol(enough)"],
    [Object.create(null), "an error without a message"],
  ];
  for (const [reason, message] of REASONS) {
    test(`because of ${message}`, () => {
      const result = begun().abort(reason);
      assert.deepEqual([result.ending, result.text], ["aborted", "a"]);
      assert.deepEqual(result.error, { code: "aborted", message });
    });
  }

  test("keeps an unfinished call", () => {
    const accumulator = new StreamAccumulator();
    accumulator.push(callChunk({ id: "c", function: { name: "f", arguments: '{"a' } }));
    const { toolCalls, toolCallStatus } = accumulator.abort();
    assert.deepEqual(toolCalls, [{ id: "c", name: "f", arguments: '{"a' }]);
    assert.deepEqual(toolCallStatus, ["truncated"]);
  });

  test("ends the stream", () => {
    const accumulator = begun();
    accumulator.abort();
    assert.throws(() => accumulator.push(chunk("b")), OVER);
    assert.equal(accumulator.finish().ending, "aborted");
  });

  test("leaves a stream failed whose finish reason was an error", () => {
    const accumulator = new StreamAccumulator();
    accumulator.push(chunk("a", "error"));
    const { ending, error } = accumulator.abort();
    assert.deepEqual([ending, error.code], ["failed", "provider-error"]);
  });

  test("accepts a reason whose getter frees the accumulator", () => {
    const accumulator = new StreamAccumulator();
    const reason = {
      get message() {
        accumulator.free();
        return "enough";
      },
    };
    assert.throws(() => accumulator.abort(reason), { code: "stream-finished" });
  });

  test("changes nothing after the end", () => {
    const accumulator = begun();
    const result = accumulator.finish();
    assert.deepEqual(accumulator.abort("too late"), result);
  });
});

describe("free", () => {
  test("can be called twice", () => {
    const accumulator = begun();
    accumulator.free();
    assert.doesNotThrow(() => accumulator.free());
  });

  test("makes all other methods throw", () => {
    const accumulator = begun();
    accumulator.free();
    for (const use of [
      () => accumulator.push(chunk("b")),
      () => accumulator.pushBytes(new Uint8Array()),
      () => accumulator.finish(),
      () => accumulator.abort(),
      () => accumulator.snapshot(),
      () => accumulator.takeDeltas(),
    ]) {
      assert.throws(
        use,
        (error) => RespoolError.isInstance(error) && error.code === "stream-finished" && /was freed/.test(error.message),
      );
    }
  });

  test("makes push throw, even for chunks that repeat earlier ones", () => {
    const accumulator = new StreamAccumulator();
    for (const text of ["a", "b", "c"]) accumulator.push(chunk(text));
    accumulator.free();
    assert.throws(() => accumulator.push(chunk("d")), { code: "stream-finished" });
  });

  for (const name of ["then", "choices"]) {
    for (const isRepeated of [false, true]) {
      test(`while a chunk's ${name} is read${isRepeated ? ", after chunks like it" : ""}`, () => {
        const accumulator = new StreamAccumulator();
        if (isRepeated) for (const text of ["a", "b", "c"]) accumulator.push(chunk(text));
        const { choices } = chunk("d");
        const freeing = {
          ...chunk("d"),
          get [name]() {
            accumulator.free();
            return name === "choices" ? choices : undefined;
          },
        };
        assert.throws(() => accumulator.push(freeing), { code: "stream-finished" });
        assert.throws(() => accumulator.snapshot(), { code: "stream-finished" });
      });
    }
  }

  test("while a chunk is checked for being a stream", () => {
    const accumulator = new StreamAccumulator();
    const get = () => accumulator.free();
    const freeing = Object.create(Object.create({}), { getReader: { get } });
    assert.throws(() => accumulator.push(freeing), { code: "stream-finished" });
  });

  test("keeps earlier results valid", () => {
    const accumulator = begun();
    const result = accumulator.finish();
    accumulator.free();
    assert.equal(result.text, "a");
  });

  test("doesn't affect other accumulators", () => {
    const [one, other] = [begun(), begun()];
    one.free();
    assert.deepEqual(other.push(chunk("b")), [{ type: "text", text: "b" }]);
    assert.equal(other.finish().text, "ab");
  });

  test("Symbol.dispose does the same", { skip: Symbol.dispose === undefined }, () => {
    const accumulator = begun();
    accumulator[Symbol.dispose]();
    accumulator[Symbol.dispose]();
    assert.throws(() => accumulator.snapshot(), OVER);
  });
});
