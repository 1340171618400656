// Streams that fail: the model refuses, the provider reports an error, or the transport breaks.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { processStream, ProviderError, RefusalError, StreamError, streamDeltas } from "respool";
import { callChunk, chunk, refusalChunk } from "./answers.mjs";
import { collect, collectUntilThrown, generated, readable, withoutIterator } from "./sources.mjs";

describe("a refusal", () => {
  test("processStream throws at once and closes the source", async () => {
    const log = [];
    const source = generated([refusalChunk("I can't do that."), refusalChunk(" Sorry.")], log);
    const { items, error } = await collectUntilThrown(processStream({}, source));
    assert.deepEqual(items, []);
    assert.ok(error instanceof RefusalError);
    assert.equal(error.code, "refusal");
    assert.equal(error.message, "Model refused: I can't do that.");
    assert.equal(error.refusal, "I can't do that.");
    assert.equal(error.outcome, "determinate");
    assert.equal(error.partial.refusal, "I can't do that.");
    assert.deepEqual(log, ["closed"]);
  });

  test("after some text", async () => {
    const { items, error } = await collectUntilThrown(processStream({}, [chunk("Well, "), refusalChunk("no.")]));
    assert.deepEqual(items, ["Well, "]);
    assert.equal(error.partial.text, "Well, ");
  });

  test("streamDeltas emits it as deltas", async () => {
    const deltas = streamDeltas([refusalChunk("No"), refusalChunk("."), chunk(null, "stop")]);
    const given = await collect(deltas);
    assert.deepEqual(given.slice(0, 2), [
      { type: "refusal", text: "No" },
      { type: "refusal", text: "." },
    ]);
    assert.deepEqual([deltas.result.refusal, deltas.result.ending], ["No.", "complete"]);
  });
});

describe("a provider error", () => {
  const failed = { error: { message: "Overloaded", type: "server_error", code: 529 } };

  test("processStream throws at the end of the stream", async () => {
    const { items, error } = await collectUntilThrown(processStream({}, [chunk("a"), failed]));
    assert.deepEqual(items, ["a"]);
    assert.ok(error instanceof StreamError);
    assert.deepEqual([error.code, error.message, error.outcome], ["provider-error", "Overloaded", "determinate"]);
    assert.ok(error.cause instanceof ProviderError);
    assert.deepEqual([error.cause.providerType, error.cause.providerCode, error.cause.raw], ["server_error", "529", failed]);
    assert.deepEqual([error.partial.text, error.partial.ending], ["a", "failed"]);
  });

  test("streamDeltas emits it as a delta", async () => {
    const deltas = streamDeltas([chunk("a"), failed]);
    const [, { type, error }] = await collect(deltas);
    assert.deepEqual([type, error.code, error.message], ["error", "provider-error", "Overloaded"]);
    assert.deepEqual([deltas.result.text, deltas.result.ending], ["a", "failed"]);
    assert.deepEqual(deltas.result.error, error);
  });

  test("a fetch Response with an error body", async () => {
    const response = new Response('{"error":{"message":"Wrong key","type":"auth_error"}}', { status: 401 });
    const { error } = await collectUntilThrown(processStream({}, response));
    assert.deepEqual(
      [error.name, error.code, error.message, error.cause.providerType],
      ["StreamError", "provider-error", "Wrong key", "auth_error"],
    );
  });

  test("an exceeded limit has its own error code", async () => {
    const { error } = await collectUntilThrown(processStream({}, ["x".repeat(100)], { limits: { maxTotalBytes: 10 } }));
    assert.deepEqual([error.name, error.code, error.outcome], ["StreamError", "limit-exceeded", "determinate"]);
  });
});

describe("a broken transport", () => {
  const cause = new TypeError("terminated");
  const SOURCES = {
    "an async generator that throws": () => generated([chunk("a")], [], cause),
    "a ReadableStream that fails": () => readable([chunk("a")], [], cause),
    "a ReadableStream without an iterator": () => withoutIterator(readable([chunk("a")], [], cause)),
    "a generator that throws": () =>
      (function* () {
        yield chunk("a");
        throw cause;
      })(),
  };
  for (const [name, make] of Object.entries(SOURCES)) {
    for (const read of [streamDeltas, (source) => processStream({}, source)]) {
      test(`${name}, ${read === streamDeltas ? "streamDeltas" : "processStream"}`, async () => {
        const { items, error } = await collectUntilThrown(read(make()));
        assert.equal(items.length, 1);
        assert.ok(error instanceof StreamError);
        assert.deepEqual([error.code, error.outcome, error.cause], ["stream-broken", "indeterminate", cause]);
        assert.match(error.message, /terminated/);
        assert.deepEqual([error.partial.text, error.partial.ending], ["a", "aborted"]);
      });
    }
  }

  test("a rejected fetch", async () => {
    const { error } = await collectUntilThrown(processStream({}, Promise.reject(cause)));
    assert.deepEqual([error.code, error.outcome, error.cause, error.partial.text], ["stream-broken", "indeterminate", cause, ""]);
  });

  test("an iterator that throws instead of rejecting", async () => {
    const source = {
      [Symbol.asyncIterator]: () => ({
        next() {
          throw cause;
        },
      }),
    };
    assert.equal((await collectUntilThrown(streamDeltas(source))).error.cause, cause);
  });

  test("a thrown value that isn't an Error", async () => {
    for (const thrown of ["gone", null, Object.create(null)]) {
      const { error } = await collectUntilThrown(streamDeltas(generated([chunk("a")], [], thrown)));
      assert.deepEqual([error.code, error.partial.text], ["stream-broken", "a"]);
    }
  });

  test("the result is kept", async () => {
    const deltas = streamDeltas(generated([chunk("a")], [], cause));
    const { error } = await collectUntilThrown(deltas);
    assert.equal(deltas.result, error.partial);
    assert.deepEqual(deltas.result.error, { code: "aborted", message: "terminated" });
  });
});

describe("a stream that ends too early", () => {
  test("in the middle of a tool call", async () => {
    const begun = [chunk("a"), callChunk({ id: "c", function: { name: "f", arguments: '{"port":"Sk' } })];
    const { items, error } = await collectUntilThrown(processStream({}, begun));
    assert.deepEqual(items, ["a"]);
    assert.deepEqual([error.name, error.code, error.outcome], ["StreamError", "stream-truncated", "indeterminate"]);
    assert.deepEqual(error.partial.toolCallStatus, ["truncated"]);
  });

  test("in the middle of a text: the text so far is the result", async () => {
    const deltas = streamDeltas([chunk("The ferry lea")]);
    await collect(deltas);
    assert.deepEqual([deltas.result.text, deltas.result.ending], ["The ferry lea", "truncated"]);
    assert.deepEqual(await collect(processStream({}, [chunk("The ferry lea")])), ["The ferry lea"]);
  });
});
