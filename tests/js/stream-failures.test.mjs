// Streams that fail: the model refuses, the provider reports an error, or the transport breaks.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { collect as collectResult, processAsync, processStream, runRequest, streamDeltas } from "respool";
import { ProviderError, RefusalError, StreamError } from "respool";
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

  for (const [name, read] of Object.entries({ streamDeltas, processStream: (source) => processStream({}, source) })) {
    test(`${name} throws after the delta`, async () => {
      const log = [];
      const { items, error } = await collectUntilThrown(read(generated([chunk("a"), failed, chunk("b")], log)));
      assert.equal(items[0].text ?? items[0], "a");
      assert.ok(error instanceof ProviderError);
      assert.deepEqual([error.code, error.message, error.outcome], ["provider-error", "Overloaded", "determinate"]);
      assert.deepEqual([error.providerType, error.providerCode, error.raw], ["server_error", "529", failed]);
      assert.deepEqual([error.partial.text, error.partial.ending, log], ["a", "failed", ["closed"]]);
    });
  }

  test("content of the same read is in the deltas and in the partial result", async () => {
    const events = [chunk("a"), failed, chunk("b"), chunk("c")].map((event) => `data: ${JSON.stringify(event)}\n\n`);
    const read = events.join("").trimEnd(); // the last event has no end yet
    const ways = { streamDeltas, processStream: (source) => processStream({}, source) };
    for (const [name, way] of Object.entries(ways)) {
      const { items, error } = await collectUntilThrown(way([read, "nobody reads this"]));
      const texts = items.map((item) => item.text ?? (typeof item === "string" ? item : ""));
      assert.deepEqual([texts.join(""), error.partial.text], ["abc", "abc"], name);
      assert.equal(error.code, "provider-error");
    }
    const error = await collectResult([read]).catch((thrown) => thrown);
    assert.deepEqual([error.code, error.partial.text], ["provider-error", "abc"]);
  });

  test("with throwOnError: false, there is only the delta", async () => {
    const deltas = streamDeltas([chunk("a"), failed, chunk("b")], { throwOnError: false });
    const [, { type, error }] = await collect(deltas);
    assert.deepEqual([type, error.code, error.message], ["error", "provider-error", "Overloaded"]);
    assert.deepEqual([deltas.result.text, deltas.result.ending], ["ab", "failed"]);
    assert.deepEqual(deltas.result.error, error);
    assert.equal(await deltas.finished, deltas.result);
  });

  test("processStream, which has no deltas, throws at the end even then", async () => {
    const cut = callChunk({ id: "c", function: { name: "pay", arguments: '{"amount": 100' } });
    for (const [events, code, expected] of [
      [[chunk("a"), cut, failed, chunk("b")], "provider-error", ["a", "b"]],
      [[new TextEncoder().encode("<html>")], "unknown-response", []],
    ]) {
      const { items, error } = await collectUntilThrown(processStream({}, events, { throwOnError: false }));
      assert.deepEqual([items, error.code, error.partial.ending], [expected, code, "failed"]);
    }
  });

  test("an HTTP status is thrown even with throwOnError: false", async () => {
    const response = () => new Response('{"error":{"message":"Wrong key","type":"auth_error"}}', { status: 401 });
    for (const throwOnError of [true, false]) {
      const { items, error } = await collectUntilThrown(streamDeltas(response(), { throwOnError }));
      assert.deepEqual(
        [items, error.name, error.code, error.status, error.message, error.providerType],
        [[], "ProviderError", "http-error", 401, "HTTP status 401: Wrong key", "auth_error"],
      );
    }
  });

  test("the result of a failed request has the ending failed", async () => {
    const sdkError = Object.assign(new Error("429 Slow down"), { status: 429 });
    const cases = [
      [new Response('{"error":{"message":"Wrong key","type":"auth_error"}}', { status: 401 }), "HTTP status 401: Wrong key"],
      [new Response("<html>", { status: 502 }), /HTTP status 502/],
      [Promise.reject(sdkError), /Slow down/],
    ];
    for (const [source, message] of cases) {
      const deltas = streamDeltas(source);
      const { items } = await collectUntilThrown(deltas);
      const { ending, error } = await deltas.finished;
      assert.deepEqual([items, ending, error.code], [[], "failed", "provider-error"]);
      assert.match(error.message, new RegExp(message));
      assert.equal(deltas.result.ending, "failed");
    }
  });

  test("the error of an SDK, for a status and for an event", async () => {
    const sdkError = (members) => Object.assign(new Error("429 Slow down"), members);
    const headers = new Headers({ "retry-after": "3", "x-request-id": "req_1" });
    const ofStatus = sdkError({ status: 429, headers, type: "rate", code: "slow" });
    const { error } = await collectUntilThrown(streamDeltas(Promise.reject(ofStatus)));
    assert.deepEqual(
      [error.code, error.status, error.retryAfter, error.requestId, error.providerType, error.providerCode, error.cause],
      ["http-error", 429, 3, "req_1", "rate", "slow", ofStatus],
    );
    const ofEvent = sdkError({ status: undefined, error: { type: "error", error: { type: "overloaded_error" } } });
    const second = await collectUntilThrown(streamDeltas(generated([chunk("a")], [], ofEvent)));
    assert.deepEqual([second.error.code, second.error.providerType], ["provider-error", "overloaded_error"]);
    assert.equal(second.error.partial.text, "a");
  });

  test("the provider's message in the errors of SDKs", async () => {
    const thrown = (message, members) => Object.assign(new Error(message), members);
    const quota = JSON.stringify({ error: { code: 429, message: "Quota", status: "RESOURCE_EXHAUSTED" } });
    const $metadata = { httpStatusCode: 400, requestId: "aws_1" };
    const errors = {
      openai: thrown("404 No model", { status: 404, error: { message: "No model", code: "model_not_found" } }),
      anthropic: thrown("529 {…}", {
        status: 529,
        error: { type: "error", error: { type: "overloaded_error", message: "Busy" } },
      }),
      google: thrown(`got status: 429. ${JSON.stringify({ error: { message: quota, code: 429 } })}`, { status: 429 }),
      aws: thrown("Bad", { name: "ValidationException", $fault: "client", $metadata }),
      cohere: thrown("Status code: 401\nBody: {…}", { statusCode: 401, body: { message: "No key" } }),
      ollama: thrown("no model", { status_code: 404, error: "no model" }),
    };
    const expected = {
      openai: ["HTTP status 404: No model", 404, undefined, "model_not_found", undefined],
      anthropic: ["HTTP status 529: Busy", 529, "overloaded_error", undefined, undefined],
      google: ["HTTP status 429: Quota", 429, "RESOURCE_EXHAUSTED", "429", undefined],
      aws: ["HTTP status 400: Bad", 400, "ValidationException", undefined, "aws_1"],
      cohere: ["HTTP status 401: No key", 401, undefined, undefined, undefined],
      ollama: ["HTTP status 404: no model", 404, undefined, undefined, undefined],
    };
    for (const [sdk, reason] of Object.entries(errors)) {
      const { items, error } = await collectUntilThrown(streamDeltas(Promise.reject(reason)));
      assert.deepEqual([items, error.code, error.outcome, error.cause], [[], "http-error", "determinate", reason], sdk);
      const { message, status, providerType, providerCode, requestId } = error;
      assert.deepEqual([message, status, providerType, providerCode, requestId], expected[sdk], sdk);
    }
  });

  test("an error event that an SDK throws is the stream's error", async () => {
    const exception = { name: "ThrottlingException", $fault: "client", $metadata: { httpStatusCode: 200 } };
    const thrown = Object.assign(new Error("Slow down"), exception);
    const { items, error } = await collectUntilThrown(streamDeltas(generated([chunk("a")], [], thrown)));
    assert.deepEqual(
      items.map(({ type }) => type),
      ["text", "error"],
    );
    assert.deepEqual([error.code, error.providerType, error.cause], ["provider-error", "ThrottlingException", thrown]);
    const { text, ending, error: partialError } = error.partial;
    assert.deepEqual(
      [text, ending, partialError.message, partialError.providerType],
      ["a", "failed", "Slow down", "ThrottlingException"],
    );
  });

  test("an exceeded limit has its own error code", async () => {
    const { error } = await collectUntilThrown(processStream({}, ["x".repeat(100)], { limits: { maxTotalBytes: 10 } }));
    assert.deepEqual([error.name, error.code, error.outcome], ["LimitError", "limit-exceeded", "determinate"]);
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
        assert.deepEqual([error.partial.text, error.partial.ending], ["a", "truncated"]);
      });
    }
  }

  test("an abort of the request itself isn't a broken transport", async () => {
    const abort = new DOMException("stop", "AbortError");
    const deltas = streamDeltas(generated([chunk("a")], [], abort));
    assert.equal((await collectUntilThrown(deltas)).error, abort);
    assert.deepEqual([deltas.result.text, deltas.result.ending], ["a", "aborted"]);
  });

  test("text that was held back is emitted before the error", async () => {
    const source = generated([chunk("a <tool")], [], cause);
    const { items, error } = await collectUntilThrown(streamDeltas(source, { textToolCalls: { tools: [{ name: "tide" }] } }));
    assert.equal(items.map(({ text }) => text).join(""), error.partial.text);
  });

  test("a rejected fetch", async () => {
    const { error } = await collectUntilThrown(processStream({}, Promise.reject(cause)));
    assert.deepEqual([error.code, error.outcome, error.cause, error.partial.text], ["stream-broken", "indeterminate", cause, ""]);
  });

  test("the error of a failed request isn't that of a broken stream, and says why", async () => {
    const refused = { code: "ECONNREFUSED" };
    const thrown = new TypeError("fetch failed", { cause: refused });
    const message = "The request failed: fetch failed (ECONNREFUSED)";
    const { failure } = await runRequest({ transport: () => Promise.reject(thrown), messages: [] }).result();
    assert.deepEqual([failure.code, failure.message, failure.cause.cause], ["unknown_error", message, thrown]);
    await assert.rejects(collectResult(Promise.reject(thrown)), { code: "stream-broken", message });
    await assert.rejects(processAsync({}, Promise.reject(thrown)), { code: "stream-broken", message });
    await assert.rejects(collectResult(generated([chunk("a")], [], thrown)), {
      message: "The stream broke: fetch failed (ECONNREFUSED)",
    });
    const unknown = new TypeError("fetch failed", { cause: new Error("unknown scheme") });
    await assert.rejects(collectResult(Promise.reject(unknown)), {
      message: "The request failed: fetch failed (unknown scheme)",
    });
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
    assert.deepEqual([deltas.result.ending, deltas.result.error], ["truncated", undefined]);
  });
});

describe("a stream that ends too early", () => {
  test("at a limit of watsonx, before the arguments of a call", async () => {
    const begun = callChunk({ id: "c", function: { name: "f", arguments: "" } });
    const { toolCallStatus, finishReason } = await collectResult([begun, chunk(null, "time_limit")]);
    assert.deepEqual([toolCallStatus, finishReason], [["truncated"], { unknown: "time_limit" }]);
  });

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
