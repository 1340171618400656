// collect reads a source to its end; tap reads a response on its way to someone else.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { collect, StreamError, tap } from "respool";
import { chatBody, CHAT_STREAM, chunk, sseBytes } from "./answers.mjs";
import { generated, readable, stalled } from "./sources.mjs";

const TEXT = "The ferry leaves at 9:35.";
const bytes = sseBytes(CHAT_STREAM);

describe("collect", () => {
  test("any source, streamed or complete", async () => {
    const SOURCES = [
      CHAT_STREAM,
      new Response(bytes),
      Promise.resolve(readable([bytes])),
      generated(CHAT_STREAM),
      [chatBody(TEXT)],
    ];
    for (const source of SOURCES) {
      const { text, ending, response } = await collect(source);
      assert.deepEqual([text, ending, response.message], [TEXT, "complete", TEXT]);
    }
  });

  test("throws like streamDeltas, unless throwOnError is false", async () => {
    const events = [chunk("a"), { error: { message: "Overloaded" } }];
    await assert.rejects(collect(events), { name: "ProviderError", message: "Overloaded" });
    const { text, ending, error } = await collect(events, { throwOnError: false });
    assert.deepEqual([text, ending, error.message], ["a", "failed", "Overloaded"]);
    await assert.rejects(collect([], { mood: 1 }), { code: "invalid-option" });
  });

  test("a signal", async () => {
    const controller = new AbortController();
    const log = [];
    const waiting = collect(stalled([chunk("a")], log), { signal: controller.signal });
    controller.abort();
    await assert.rejects(waiting, (error) => error === controller.signal.reason);
  });
});

describe("tap", () => {
  test("the response passes unchanged", async () => {
    const headers = { "content-type": "text/event-stream", "x-request-id": "req_7" };
    const original = new Response(readable([bytes.subarray(0, 50), bytes.subarray(50)]), {
      status: 201,
      statusText: "Made",
      headers,
    });
    const { response, result } = tap(original);
    assert.deepEqual([response.status, response.statusText, Object.fromEntries(response.headers)], [201, "Made", headers]);
    assert.deepEqual(new Uint8Array(await response.arrayBuffer()), new Uint8Array(bytes));
    const { text, ending, usage } = await result;
    assert.deepEqual([text, ending, usage.totalTokens], [TEXT, "complete", 15]);
  });

  test("it is read no faster than its reader reads", async () => {
    let reads = 0;
    const body = new ReadableStream(
      { pull: (controller) => (reads++ < 100 ? controller.enqueue(bytes.slice(0, 10)) : controller.close()) },
      { highWaterMark: 0 },
    );
    const reader = tap(new Response(body)).response.body.getReader();
    await reader.read();
    assert.equal(reads, 1);
    await reader.cancel();
  });

  test("the bytes pass whatever they are", async () => {
    const page = "<html>Bad gateway</html>";
    const failed = tap(new Response(page, { status: 502, headers: { "x-request-id": "req_7" } }));
    assert.equal(await failed.response.text(), page);
    await assert.rejects(failed.result, { name: "ProviderError", code: "http-error", status: 502, requestId: "req_7" });
    const junk = tap(new Response(page));
    assert.equal(await junk.response.text(), page);
    await assert.rejects(junk.result, { name: "DecodeError", code: "unknown-response" });
    const full = tap(new Response("x".repeat(1000)), { limits: { maxTotalBytes: 10 }, throwOnError: false });
    assert.equal((await full.response.text()).length, 1000);
    assert.equal((await full.result).error.code, "limit-exceeded");
  });

  test("a body that doesn't contain bytes", async () => {
    const body = new ReadableStream({
      pull(controller) {
        controller.enqueue("data: no bytes\n\n");
        controller.enqueue(bytes);
        controller.close();
      },
    });
    const { response, result } = tap(new Response(body));
    // Reading it fails at the first piece, without a useful message.
    await assert.rejects(response.text());
    await assert.rejects(result, { name: "RespoolError", code: "invalid-chunk", message: /got a string/ });
  });

  test("the connection is lost", async () => {
    const cause = new TypeError("terminated");
    const { response, result } = tap(new Response(readable([sseBytes([chunk("a")]).subarray(0, -14)], [], cause)));
    await assert.rejects(response.text(), (error) => error === cause);
    await assert.rejects(result, (error) => {
      assert.ok(error instanceof StreamError);
      assert.deepEqual(
        [error.code, error.cause, error.partial.text, error.partial.ending],
        ["stream-broken", cause, "a", "truncated"],
      );
      return true;
    });
  });

  test("its reader leaves", async () => {
    const log = [];
    const { response, result } = tap(new Response(readable([bytes.subarray(0, 60)], log, "stall")));
    const reader = response.body.getReader();
    await reader.read();
    await reader.cancel("gone");
    const { ending, error } = await result;
    assert.deepEqual([ending, error.message, log], ["aborted", "gone", ["closed"]]);
  });

  test("a signal", async () => {
    const controller = new AbortController();
    const log = [];
    const { response, result } = tap(new Response(readable([bytes.subarray(0, 60)], log, "stall")), {
      signal: controller.signal,
    });
    const text = response.text();
    controller.abort();
    for (const promise of [text, result]) await assert.rejects(promise, (error) => error === controller.signal.reason);
    assert.deepEqual(log, ["closed"]);
  });

  test("the signal of the request fires when its reader leaves", async () => {
    const gone = new DOMException("gone", "AbortError");
    let controller;
    const body = new ReadableStream({ start: (given) => (controller = given) });
    const { response, result } = tap(new Response(body));
    controller.enqueue(bytes.subarray(0, 60));
    const reader = response.body.getReader();
    await reader.read();
    controller.error(gone);
    await assert.rejects(reader.read(), (error) => error === gone);
    assert.equal((await result).ending, "aborted");
  });

  test("the length and encoding of bytes that fetch has decompressed are left out", () => {
    const headers = { "content-encoding": "gzip", "content-length": "7", "content-type": "text/plain" };
    assert.deepEqual(Object.fromEntries(tap(new Response("{}", { headers })).response.headers), { "content-type": "text/plain" });
  });

  test("a response without a body", async () => {
    const empty = new Response(null, { status: 204 });
    const { response, result } = tap(empty);
    assert.equal(response, empty);
    assert.equal((await result).ending, "truncated");
  });

  test("invalid arguments", async () => {
    const used = new Response("a");
    await used.text();
    const locked = new Response("a");
    locked.body.getReader();
    for (const response of [used, locked, undefined, {}, CHAT_STREAM, Promise.resolve(new Response("a"))]) {
      assert.throws(() => tap(response), { code: "invalid-source" });
    }
    assert.throws(() => tap(new Response("a"), { mood: 1 }), { code: "invalid-option" });
  });
});
