// translateStream: any source as input, a stream of bytes as output, at the speed of its reader.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { collect as collectResult, ProviderError, StreamError, streamDeltas } from "respool";
import { translateStream } from "respool/encode";
import { CHAT_STREAM, chunk, sseBytes } from "./answers.mjs";
import { generated, readable, stalled } from "./sources.mjs";
import { refuseRejections } from "./translated.mjs";

const TEXT = "The ferry leaves at 9:35.";
const bytes = sseBytes(CHAT_STREAM);
const to = "anthropic-messages";

refuseRejections();

const read = (stream) => new Response(stream).text();
const eventsIn = (text) => Array.from(text.matchAll(/^event: (.*)$/gm), ([, name]) => name);
const streamedText = (text) => Array.from(text.matchAll(/"text_delta","text":"([^"]*)"/g), ([, piece]) => piece).join("");

/** Checks that a text ends with a failure, and returns it. */
function failureIn(text) {
  assert.equal(eventsIn(text).at(-1), "error", text);
  assert.doesNotMatch(text, /message_stop|end_turn/);
  return JSON.parse(text.slice(text.lastIndexOf("data: ") + 6)).error;
}

describe("sources", () => {
  const SOURCES = {
    chunks: () => CHAT_STREAM,
    "a generator": () => generated(CHAT_STREAM),
    "a Response": () => new Response(bytes),
    "a promise of a Response": () => Promise.resolve(new Response(bytes)),
    "a stream of bytes": () => readable([bytes.subarray(0, 33), bytes.subarray(33)]),
    strings: () => [new TextDecoder().decode(bytes)],
    "one byte a read": () => Array.from(bytes, (byte) => Uint8Array.of(byte)),
  };
  for (const [name, source] of Object.entries(SOURCES)) {
    test(name, async () => {
      const { stream, result, lost } = translateStream(source(), { to });
      const text = await read(stream);
      assert.equal(streamedText(text), TEXT);
      assert.equal(eventsIn(text).at(-1), "message_stop");
      assert.deepEqual(await result, await collectResult(source()));
      assert.deepEqual(lost, []);
    });
  }
});

describe("output is written as soon as possible", () => {
  test("before the source has more", async () => {
    const { stream } = translateStream(stalled([chunk("The ")]), { to });
    const reader = stream.getReader();
    const { value } = await reader.read();
    assert.equal(streamedText(new TextDecoder().decode(value)), "The ");
    await reader.cancel();
  });

  test("the source is read only on demand", async () => {
    let reads = 0;
    const source = { [Symbol.asyncIterator]: () => ({ next: async () => ({ done: false, value: chunk(`${++reads} `) }) }) };
    const { stream } = translateStream(source, { to });
    await new Promise(setImmediate);
    assert.equal(reads, 0);
    const reader = stream.getReader();
    for (let count = 1; count <= 5; count++) {
      await reader.read();
      assert.equal(reads, count);
    }
    await reader.cancel();
  });

  test("reads without a whole event emit no chunks", async () => {
    const { stream } = translateStream(
      Array.from(bytes, (byte) => Uint8Array.of(byte)),
      { to },
    );
    let count = 0;
    for await (const chunk of stream) {
      assert.ok(chunk.length > 0);
      count += 1;
    }
    assert.ok(count <= CHAT_STREAM.length + 2, String(count));
  });
});

describe("failures", () => {
  test("an error event", async () => {
    const log = [];
    const source = generated([chunk("a"), { error: { message: "Overloaded", type: "overloaded_error" } }, chunk("never")], log);
    const { stream, result } = translateStream(source, { to });
    const text = await read(stream);
    assert.equal(streamedText(text), "a");
    assert.match(failureIn(text).message, /Overloaded/);
    await assert.rejects(result, (error) => error instanceof ProviderError && error.partial.text === "a");
    assert.deepEqual(log, ["closed"]);
  });

  test("with throwOnError: false, an error event is only in the result", async () => {
    const { stream, result } = translateStream([chunk("a"), { error: { message: "No" } }], { to, throwOnError: false });
    failureIn(await read(stream));
    const { ending, error } = await result;
    assert.deepEqual([ending, error.message], ["failed", "No"]);
  });

  test("a truncated stream", async () => {
    const { stream, result } = translateStream([chunk("a")], { to });
    failureIn(await read(stream));
    assert.equal((await result).ending, "truncated");
  });

  test("a lost connection", async () => {
    const { stream, result } = translateStream(
      readable([sseBytes([chunk("a")]).subarray(0, -14)], [], new TypeError("terminated")),
      {
        to,
      },
    );
    failureIn(await read(stream));
    await assert.rejects(result, (error) => error instanceof StreamError && error.partial.text === "a");
  });

  test("a request that fails", async () => {
    const { stream, result } = translateStream(Promise.reject(new TypeError("fetch failed")), { to });
    failureIn(await read(stream));
    await assert.rejects(result, { code: "stream-broken", message: "The request failed: fetch failed" });
  });

  test("an HTTP status without success", async () => {
    const body = '{"error":{"message":"Slow down","type":"rate_limit_error"}}';
    const { stream, result } = translateStream(new Response(body, { status: 429, headers: { "retry-after": "7" } }), { to });
    const { type, message } = failureIn(await read(stream));
    assert.deepEqual([type, message], ["rate_limit_error", "Slow down"]);
    await assert.rejects(result, { name: "ProviderError", status: 429, retryAfter: 7 });
    const page = translateStream(new Response("<h1>Bad gateway</h1>", { status: 502 }), { to: "openai-chat" });
    assert.match(await read(page.stream), /^data: \{"error":\{"message":"[^\n]*Bad gateway/);
    await assert.rejects(page.result, { status: 502 });
  });

  test("the status says what kind of failure it is", async () => {
    const error = { message: "Busy", type: "new_api_error", code: "" };
    const kinds = [];
    for (const [status, target] of [
      [429, "anthropic-messages"],
      [401, "anthropic-messages"],
      [429, "openai-responses"],
    ]) {
      const { stream, result } = translateStream(Response.json({ error }, { status }), { to: target });
      kinds.push(/"(?:type|code)":"(\w+)","message":"Busy"/.exec(await read(stream))[1]);
      await assert.rejects(result, { status });
    }
    assert.deepEqual(kinds, ["rate_limit_error", "authentication_error", "rate_limit_exceeded"]);
  });

  test("values that aren't a stream", async () => {
    for (const source of [7, null, [7], "text"]) {
      const { stream, result } = translateStream(source, { to });
      failureIn(await read(stream));
      await assert.rejects(result, { name: "RespoolError", code: /^invalid-/ });
    }
    const { stream, result } = translateStream(["<p>hello</p>\n\n"], { to });
    failureIn(await read(stream));
    await assert.rejects(result, { name: "DecodeError", code: "unknown-response" });
  });

  test("an error of this package isn't an abort", async () => {
    const codeOf = async (source, options) => {
      const { stream, result } = translateStream(source, { to: "openai-chat", ...options });
      const text = await read(stream);
      return [JSON.parse(text.slice(text.lastIndexOf("data: ") + 6)).error.code, await result.catch(({ code }) => code)];
    };
    const lost = () => readable([chunk("a")], [], new TypeError("terminated"));
    const cutOff = ["stream_broken", "stream-broken"];
    assert.deepEqual(await codeOf(lost()), cutOff);
    assert.deepEqual(await codeOf(streamDeltas(lost())), cutOff);
    assert.deepEqual(await codeOf(streamDeltas(lost()), { resume: [] }), cutOff);
    for (const source of ["text", [chunk("a"), 7]]) {
      const [written, code] = await codeOf(source);
      assert.deepEqual([written, code.startsWith("invalid-")], [null, true]);
    }
  });

  test("a limit ends an endless source", async () => {
    const log = [];
    async function* endless() {
      try {
        for (;;) yield "data: x";
      } finally {
        log.push("closed");
      }
    }
    const { stream, result } = translateStream(endless(), { to, limits: { maxEventBytes: 1000 } });
    failureIn(await read(stream));
    await assert.rejects(result, { code: "limit-exceeded" });
    assert.deepEqual(log, ["closed"]);
  });
});

describe("leaving", () => {
  test("cancelling closes the source, even in the middle of a read", async () => {
    const log = [];
    const { stream, result } = translateStream(stalled([chunk("a")], log), { to });
    const reader = stream.getReader();
    await reader.read();
    const waiting = reader.read();
    await reader.cancel("gone");
    assert.deepEqual(log, ["closed"]);
    assert.equal((await waiting).done, true);
    const { ending, error, text } = await result;
    assert.deepEqual([ending, error.message, text], ["aborted", "gone", "a"]);
  });

  test("cancelling as soon as the last event is there", async () => {
    const log = [];
    const source = stalled([chunk("a"), { choices: [{ delta: {}, finish_reason: "stop" }] }, "data: [DONE]\n\n"], log);
    const { stream, result } = translateStream(source, { to });
    const reader = stream.getReader();
    let text = "";
    while (!text.includes("message_stop")) text += new TextDecoder().decode((await reader.read()).value);
    await reader.cancel("gone");
    assert.deepEqual(log, ["closed"]);
    const { ending, error, finishReason } = await result;
    assert.deepEqual([ending, error, finishReason], ["complete", undefined, "complete"]);
  });

  test("cancelling before the first read", async () => {
    const log = [];
    const { stream, result } = translateStream(readable([bytes], log), { to });
    await stream.cancel();
    assert.equal((await result).ending, "aborted");
    await new Promise(setImmediate);
    assert.deepEqual(log, ["closed"]);
    const pending = translateStream(new Promise(() => {}), { to });
    await pending.stream.cancel();
    assert.equal((await pending.result).ending, "aborted");
  });

  test("a signal ends the stream with a failure", async () => {
    const controller = new AbortController();
    const log = [];
    const { stream, result } = translateStream(stalled([chunk("a")], log), { to, signal: controller.signal });
    const reader = stream.getReader();
    await reader.read();
    const waiting = reader.read();
    controller.abort(new Error("too late"));
    const { value } = await waiting;
    assert.match(failureIn(new TextDecoder().decode(value)).message, /too late/);
    assert.equal((await reader.read()).done, true);
    assert.deepEqual(log, ["closed"]);
    await assert.rejects(result, (error) => error === controller.signal.reason);
  });

  test("a signal closes a source that nobody reads", async () => {
    const log = [];
    const controller = new AbortController();
    const { stream, result } = translateStream(readable([bytes], log), { to, signal: controller.signal });
    controller.abort();
    await assert.rejects(result, { name: "AbortError" });
    await new Promise(setImmediate);
    assert.deepEqual(log, ["closed"]);
    failureIn(await read(stream));
    const before = translateStream(readable([bytes], log), { to, signal: AbortSignal.abort(new Error("never")) });
    await assert.rejects(before.result, { message: "never" });
    failureIn(await read(before.stream));
    assert.deepEqual(log, ["closed", "closed"]);
  });

  test("a signal leaves no listener behind", async () => {
    const { signal } = new AbortController();
    let listeners = 0;
    for (const [name, step] of [
      ["addEventListener", 1],
      ["removeEventListener", -1],
    ]) {
      const own = signal[name].bind(signal);
      signal[name] = (...args) => {
        listeners += step;
        return own(...args);
      };
    }
    const { stream, result } = translateStream(generated(CHAT_STREAM), { to, signal });
    await read(stream);
    await result;
    await new Promise(setImmediate);
    assert.equal(listeners, 0);
  });

  test("an AbortError of the source is passed on", async () => {
    const abort = new DOMException("The user left", "AbortError");
    const { stream, result } = translateStream(generated([chunk("a")], [], abort), { to });
    failureIn(await read(stream));
    await assert.rejects(result, (error) => error === abort);
  });
});

test("invalid options throw at the call, and close the source", async () => {
  const log = [];
  for (const options of [undefined, {}, { to: "gemini" }, { to, mood: 1 }, { to, signal: 7 }, { to, throwOnError: 1 }]) {
    const count = log.length;
    assert.throws(() => translateStream(readable([bytes], log), options), { name: "RespoolError", code: "invalid-option" });
    await new Promise(setImmediate);
    assert.equal(log.length, count + 1, JSON.stringify(options));
  }
  assert.throws(() => translateStream([], { to: "openai" }), /openai-chat, openai-responses, anthropic-messages/);
});
