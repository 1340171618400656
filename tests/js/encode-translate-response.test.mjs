// translateResponse: status, headers and body in another interface, for any response.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { decode } from "respool";
import { translateResponse } from "respool/encode";
import { ANTHROPIC_STREAM, CHAT_STREAM, chatBody, chunk, sseBytes, sseText } from "./answers.mjs";
import { readable, stalled } from "./sources.mjs";
import { JSON_TYPE, SSE, recorder, refuseRejections } from "./translated.mjs";

const TARGETS = ["openai-chat", "openai-responses", "anthropic-messages"];
const to = "anthropic-messages";

refuseRejections();

test("a success without a body is a failure of the gateway", async () => {
  for (const status of [204, 205]) {
    const { calls, onEnd } = recorder();
    const response = await translateResponse(new Response(null, { status, headers: SSE }), { to, onEnd });
    const { error } = await response.json();
    assert.deepEqual([response.status, error.message], [502, `The response has no body: HTTP status ${status}`]);
    assert.deepEqual([calls.length, calls[0].error.code], [1, "empty-response"]);
  }
});

test("a connection that is lost before the response is recognised as a stream is a failure of the gateway", async () => {
  const half = new TextEncoder().encode(JSON.stringify(chatBody("At 9:35.")).slice(0, 60));
  for (const [headers, pieces] of [
    [JSON_TYPE, [half]],
    [{}, [half]],
    [JSON_TYPE, []],
  ]) {
    let isFirst = true;
    const body = new ReadableStream({
      pull(controller) {
        if (isFirst && pieces.length > 0) controller.enqueue(pieces[0]);
        else controller.error(new Error("reset"));
        isFirst = false;
      },
    });
    const { calls, onEnd } = recorder();
    const response = await translateResponse(new Response(body, { headers }), { to, onEnd });
    assert.deepEqual([response.status, response.headers.get("content-type")], [502, "application/json"]);
    assert.equal((await response.json()).error.message, "The stream broke: reset");
    assert.deepEqual([calls.length, calls[0].error.code], [1, "stream-broken"]);
  }
});

describe("a stream", () => {
  for (const target of TARGETS) {
    test(target, async () => {
      const { calls, onEnd } = recorder();
      const source = new Response(sseBytes(CHAT_STREAM), { headers: { ...SSE, "content-length": "7", "request-id": "req_7" } });
      const response = await translateResponse(source, { to: target, onEnd });
      assert.equal(response.status, 200);
      assert.match(response.headers.get("content-type"), /^text\/event-stream/);
      assert.equal(response.headers.get("cache-control"), "no-cache");
      assert.equal(response.headers.get("content-length"), null);
      assert.equal(response.headers.get(target === to ? "request-id" : "x-request-id"), "req_7");
      assert.deepEqual(calls, []);
      assert.match(await response.text(), /9:35/);
      assert.equal(calls.length, 1);
      assert.deepEqual([calls[0].result.ending, calls[0].response.usage.totalTokens], ["complete", 15]);
    });
  }

  test("is recognised without a content type", async () => {
    const response = await translateResponse(new Response(sseBytes(ANTHROPIC_STREAM)), { to: "openai-chat" });
    assert.match(await response.text(), /"finish_reason":"tool_calls".*data: \[DONE\]\n\n$/s);
  });

  test("is written while it arrives", async () => {
    const body = readable([new TextEncoder().encode(sseText([chunk("The ")])[0])], [], "stall");
    const response = await translateResponse(new Response(body, { headers: SSE }), { to });
    const reader = response.body.getReader();
    assert.match(new TextDecoder().decode((await reader.read()).value), /"The "/);
    await reader.cancel();
  });

  test("that breaks off, and that its reader leaves", async () => {
    const [piece] = sseText([chunk("a")]);
    const broken = recorder();
    const cut = readable([new TextEncoder().encode(piece)], [], new TypeError("terminated"));
    const response = await translateResponse(new Response(cut, { headers: SSE }), { to, onEnd: broken.onEnd });
    assert.match(await response.text(), /event: error\n/);
    assert.deepEqual([broken.calls[0].error.code, broken.calls[0].response.message], ["stream-broken", "a"]);

    const left = recorder();
    const log = [];
    const stalling = readable([new TextEncoder().encode(piece)], log, "stall");
    const other = await translateResponse(new Response(stalling, { headers: SSE }), { to, onEnd: left.onEnd });
    const reader = other.body.getReader();
    await reader.read();
    await reader.cancel("gone");
    await new Promise(setImmediate);
    assert.deepEqual([left.calls.length, left.calls[0].result.ending, log], [1, "aborted", ["closed"]]);
  });
});

describe("a request that failed", () => {
  const ERROR = '{"error":{"message":"Slow down","type":"rate_limit_error","code":"rate_limited"}}';

  for (const target of TARGETS) {
    test(target, async () => {
      const { calls, onEnd } = recorder();
      const headers = {
        ...JSON_TYPE,
        "retry-after": "7",
        "retry-after-ms": "6500",
        "x-request-id": "req_7",
        "content-length": "9",
      };
      const response = await translateResponse(new Response(ERROR, { status: 429, headers }), { to: target, onEnd });
      assert.equal(response.status, 429);
      assert.deepEqual([response.headers.get("retry-after"), response.headers.get("retry-after-ms")], ["7", "6500"]);
      assert.equal(response.headers.get("content-type"), "application/json");
      const body = await response.json();
      assert.equal(body.error.message, "Slow down");
      assert.equal(body.type, target === to ? "error" : undefined);
      assert.throws(() => decode(body), { name: "ProviderError", message: "Slow down" });
      assert.deepEqual([calls.length, calls[0].error.status, calls[0].response], [1, 429, undefined]);
    });

    test(`${target}: a page`, async () => {
      const page = new Response("<html><h1>Bad gateway</h1></html>", { status: 502, headers: { "content-type": "text/html" } });
      const response = await translateResponse(page, { to: target });
      assert.equal(response.status, 502);
      assert.equal(response.headers.get("content-type"), "application/json");
      assert.match((await response.json()).error.message, /502/);
    });
  }

  test("with the retry delay in Google's body", async () => {
    const details = [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "17.2s" }];
    const body = { error: { code: 429, message: "Slow down", status: "RESOURCE_EXHAUSTED", details } };
    const delayOf = async (headers) =>
      (await translateResponse(Response.json(body, { status: 429, headers }), { to })).headers.get("retry-after");
    assert.deepEqual([await delayOf({}), await delayOf({ "retry-after": "3" })], ["18", "3"]);
  });

  test("the body of the same interface", async () => {
    const translate = async (/** @type {string} */ body, /** @type {"openai-chat" | "anthropic-messages"} */ to) =>
      (await translateResponse(new Response(body, { status: 400 }), { to })).text();
    const filtered = { message: "Filtered", type: "invalid_request_error", param: "prompt", code: "content_filter" };
    const chat = JSON.stringify({ error: { ...filtered, innererror: { code: "ResponsibleAIPolicyViolation" } } });
    assert.equal(await translate(chat, "openai-chat"), chat);
    const error = { type: "invalid_request_error", message: "No" };
    const anthropic = JSON.stringify({ type: "error", error, request_id: "req_7" });
    assert.equal(await translate(anthropic, to), anthropic);
    // Bodies of another interface, and bodies without the code that clients look for.
    assert.deepEqual(JSON.parse(await translate(anthropic, "openai-chat")), { error: { ...error, param: null, code: null } });
    assert.deepEqual(JSON.parse(await translate(chat, to)), { type: "error", error: { ...error, message: "Filtered" } });
    const long = chat.replace("Filtered", "It exceeds the context window");
    assert.equal(JSON.parse(await translate(long, "openai-chat")).error.code, "context_length_exceeded");
  });

  test("statuses that can't have a body", async () => {
    for (const status of [204, 304, 301]) {
      const response = await translateResponse(new Response(null, { status }), { to });
      assert.equal(response.status, 502, String(status));
      assert.equal((await response.json()).type, "error");
    }
    const response = await translateResponse(Response.error(), { to });
    assert.equal(response.status, 502);
  });

  test("a connection that can't be opened", async () => {
    const { calls, onEnd } = recorder();
    const response = await translateResponse(Promise.reject(new TypeError("fetch failed")), { to, onEnd });
    assert.equal(response.status, 502);
    assert.match((await response.json()).error.message, /fetch failed/);
    assert.deepEqual([calls.length, calls[0].error.code], [1, "stream-broken"]);
  });

  test("a connection that is lost after a complete body, or before its end", async () => {
    const whole = JSON.stringify(chatBody("At 9:35."));
    const line = '{"model":"m","message":{"role":"assistant","content":"At"},"done":false}\n';
    const lost = (text) => {
      const pull = (controller) => (pieces.length > 0 ? controller.enqueue(pieces.pop()) : controller.error(new Error("reset")));
      const pieces = [new TextEncoder().encode(text)];
      return new Response(new ReadableStream({ pull }), { headers: JSON_TYPE });
    };
    const { calls, onEnd } = recorder();
    const response = await translateResponse(lost(whole), { to, onEnd });
    assert.deepEqual([response.status, (await response.json()).content[0].text], [200, "At 9:35."]);
    assert.deepEqual([calls.length, calls[0].error], [1, undefined]);
    for (const text of [whole.slice(0, -1), line, "", '{"error":{"message":"Slow down"}}']) {
      const { calls, onEnd } = recorder();
      const response = await translateResponse(lost(text), { to, onEnd });
      assert.deepEqual([response.status, calls.length, calls[0].error.code], [502, 1, "stream-broken"], text);
    }
  });
});

test("a callback that fails changes nothing, and is called once", async () => {
  const body = chatBody("At 9:35.");
  const sources = [
    ["a body", () => new Response(JSON.stringify(body), { headers: JSON_TYPE }), 200],
    ["a stream", () => new Response(sseBytes(CHAT_STREAM), { headers: SSE }), 200],
    ["lines of JSON", () => new Response(CHAT_STREAM.map((event) => `${JSON.stringify(event)}\n`).join("")), 200],
    ["an error", () => new Response('{"error":{"message":"Slow down"}}', { status: 429 }), 429],
    ["an error in a success", () => new Response('{"error":{"message":"Slow down"}}', { headers: JSON_TYPE }), 502],
  ];
  for (const [name, source, status] of sources) {
    const expected = await translateResponse(source(), { to });
    const text = await expected.text();
    for (const fail of [() => assert.fail("bug"), () => Promise.reject(new Error("bug"))]) {
      let count = 0;
      const onEnd = () => {
        count += 1;
        return fail();
      };
      const response = await translateResponse(source(), { to, onEnd });
      assert.deepEqual([response.status, expected.status], [status, status], name);
      const withoutIds = (page) => page.replace(/"(?:msg|chatcmpl)[^"]*"/g, "");
      assert.equal(withoutIds(await response.text()), withoutIds(text), name);
      await new Promise(setImmediate);
      assert.equal(count, 1, name);
    }
  }
});

describe("misuse and aborts", () => {
  test("invalid options close the source", async () => {
    const log = [];
    for (const options of [
      undefined,
      { to: "gemini" },
      { to, onEnd: 7 },
      { to, signal: {} },
      { to, mood: 1 },
      { to, limits: 7 },
    ]) {
      const response = new Response(readable([sseBytes(CHAT_STREAM)], log), { headers: SSE });
      await assert.rejects(translateResponse(response, options), { name: "RespoolError", code: "invalid-option" });
    }
    await new Promise(setImmediate);
    assert.equal(log.length, 6);
  });

  test("values that aren't a Response", async () => {
    for (const source of [7, null, CHAT_STREAM, "text", Promise.resolve({})])
      await assert.rejects(translateResponse(source, { to }), { name: "RespoolError", code: "invalid-source" });
    const read = new Response("x");
    await read.text();
    await assert.rejects(translateResponse(read, { to }), { code: "invalid-source" });
  });

  test("a signal before and after the response begins", async () => {
    const controller = new AbortController();
    const waiting = translateResponse(new Promise(() => {}), { to, signal: controller.signal });
    controller.abort(new Error("too late"));
    await assert.rejects(waiting, { message: "too late" });
    await assert.rejects(translateResponse(new Response("x"), { to, signal: AbortSignal.abort(new Error("no")) }), {
      message: "no",
    });

    const second = new AbortController();
    const log = [];
    const body = stalled([new TextEncoder().encode(sseText([chunk("a")])[0])], log);
    const source = { status: 200, ok: true, headers: new Headers(SSE), body };
    const { calls, onEnd } = recorder();
    const response = await translateResponse(source, { to, signal: second.signal, onEnd });
    const text = response.text();
    await new Promise(setImmediate);
    second.abort(new Error("enough"));
    assert.match(await text, /event: error\ndata: .*enough/);
    assert.deepEqual(log, ["closed"]);
    const [{ error, response: decoded, result }] = calls;
    assert.deepEqual([error.message, decoded.message, result.text, result.ending], ["enough", "a", "a", "aborted"]);
  });
});
