// How the inspector reads captures, without its page.
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { gzipSync } from "node:zlib";
import { StreamAccumulator } from "respool";
import { openCapture } from "../../www/src/capture/capture.js";
import { shownValue } from "../../www/src/capture/exchange.js";
import { toFixture } from "../../www/src/capture/fixture.js";
import { plainText } from "../../www/src/diagnosis/piece.js";
import { verdictOf } from "../../www/src/diagnosis/verdict.js";
import { ask } from "../../www/src/playground/ask.js";
import { EMPTY_FORM, formOfCurl, requestOf } from "../../www/src/playground/form.js";
import { rechunk } from "../../www/src/session/rechunk.js";
import { Recording } from "../../www/src/session/recording.js";

mock.method(performance, "now", () => 0); // so that no work is interrupted to update the page

const body = { choices: [{ message: { content: "a" }, finish_reason: "stop" }] };

async function recorded(text) {
  const { entries } = await openCapture("capture", new TextEncoder().encode(text));
  return Recording.of(entries[0]);
}

async function verdictIn(text) {
  const { tone, title, findings, advice } = verdictOf(await recorded(text));
  return { tone, title: plainText(title), findings: findings.map(plainText), advice };
}

test("a stream that was cut off after its first line isn't complete", async () => {
  const ollama = { model: "tern", message: { role: "assistant", content: "a" }, done: false };
  const chunk = { object: "chat.completion.chunk", choices: [{ delta: { content: "a" } }] };
  for (const first of [ollama, chunk]) assert.equal((await verdictIn(`${JSON.stringify(first)}\n`)).tone, "bad");
  for (const whole of [{ ...ollama, done: true }, body]) assert.equal((await verdictIn(JSON.stringify(whole))).tone, "good");
});

test("a connection lost after the answer changes nothing; one lost before its end is reported", async () => {
  const chunk = (more) =>
    new TextEncoder().encode(`data: ${JSON.stringify({ choices: [{ delta: { content: "a" }, ...more }] })}\n\n`);
  for (const [pieces, ending, tone, expected, expectedReply] of [
    [[chunk(), chunk({ finish_reason: "stop" })], "complete", "good", /^Complete: /, undefined],
    [[chunk()], "truncated", "bad", /^The connection broke .*: reset\.$/, "The connection broke: reset"],
  ]) {
    const stream = new ReadableStream({
      pull(controller) {
        if (pieces.length > 0) controller.enqueue(pieces.shift());
        else controller.error(new Error("reset"));
      },
    });
    mock.method(globalThis, "fetch", async () => new Response(stream));
    let recording;
    const listeners = { onStart: (started) => (recording = started), onBytes() {} };
    const request = { url: "https://a.example", method: "POST", headers: {}, body: "{}" };
    assert.equal(await ask(request, "run", new AbortController().signal, listeners), expectedReply);
    assert.deepEqual([recording.result.ending, recording.exchange.failure], [ending, "reset"]);
    const verdict = verdictOf(recording);
    assert.equal(verdict.tone, tone);
    assert.match(plainText(verdict.title), expected);
  }
});

test("lines of a batch without a response say why", async () => {
  const lines = [
    [{ custom_id: "a", result: { type: "expired" } }, /^No response: .*expired/],
    [{ status: "Bad Request: x", request: { contents: [] }, response: {} }, /^No response: .*Bad Request: x/],
    [{ custom_id: "a", response: { status_code: 502, body: "<html>Bad</html>" }, error: null }, /^HTTP 502/],
    [{ custom_id: "a", response: { status_code: 404, body }, error: null }, /^HTTP 404/],
  ];
  for (const [line, expected] of lines) {
    const { tone, title } = await verdictIn(`${JSON.stringify(line)}\n`);
    assert.equal(tone, "bad", title);
    assert.match(title, expected);
  }
  for (const [line, expected] of [
    [{ custom_id: "a", result: { type: "expired" } }, /ended before this request/],
    [{ custom_id: "a", result: { type: "canceled" } }, /ended before this request/],
    [
      { custom_id: "a", response: null, error: { code: "batch_expired", message: "The completion window expired" } },
      /ended before this request/,
    ],
    [{ status: "Bad Request: x", request: { contents: [] }, response: {} }, /what the error names/],
  ]) {
    const { findings, advice } = await verdictIn(`${JSON.stringify(line)}\n`);
    assert.match(findings[0], /^This line of a batch result file has an error/);
    assert.match(advice[0], expected);
  }
  const answered = { custom_id: "a", response: { status_code: 200, body }, error: null };
  assert.equal((await verdictIn(JSON.stringify(answered))).tone, "good");
});

test("a failed response that isn't text isn't quoted", async () => {
  const bytes = Uint8Array.from({ length: 300 }, (_, at) => (at * 7 + 130) % 256);
  const { entries } = await openCapture(
    "capture",
    Uint8Array.from([...new TextEncoder().encode("HTTP/2 429 \r\n\r\n"), ...bytes]),
  );
  assert.equal(plainText(verdictOf(await Recording.of(entries[0])).title), "HTTP 429 Too Many Requests.");
});

test("a compressed body after plain headers", async () => {
  const body = gzipSync(JSON.stringify({ choices: [{ message: { content: "At 9:35." }, finish_reason: "stop" }] }));
  const open = (/** @type {Uint8Array} */ bytes) =>
    openCapture("capture", Uint8Array.from(Buffer.concat([Buffer.from("HTTP/2 200 \r\ncontent-encoding: gzip\r\n\r\n"), bytes])));
  const { entries, notice } = await open(body);
  assert.equal((await Recording.of(entries[0])).result.text, "At 9:35.");
  assert.equal(notice, undefined);
  assert.match((await open(body.subarray(0, -8))).notice, /corrupt or truncated/);
});

test("keys in the headers of gateways are hidden, and aren't kept with a run", () => {
  const names = ["authorization", "cf-aig-authorization", "helicone-auth", "x-vercel-authorization", "x-portkey-api-key"];
  for (const name of names) {
    assert.match(shownValue([name, "Bearer sk-1"]), /^hidden/, name);
    const headers = [
      [name, "Bearer sk-1"],
      ["other-authorization", "sk-2"],
      ["x-max", "3"],
    ];
    const { key, ...kept } = formOfCurl({ method: "POST", url: "https://a.example", headers, body: "{}" }, EMPTY_FORM);
    assert.equal(kept.headers, `${name}: Bearer {key}\nother-authorization: {key 2}\nx-max: 3`);
    assert.deepEqual(requestOf({ ...kept, key }, []).headers, Object.fromEntries(headers));
  }
  const variable = formOfCurl({ method: "POST", url: "", headers: [["authorization", "Bearer $KEY"]], body: "" }, EMPTY_FORM);
  assert.equal(variable.key, "");
});

test("a fixture leads to the result that it expects", async () => {
  const captures = [
    "[]",
    'data: {"response":"Hi","p":"abc"}\n\ndata: {"response":" there","p":"abc"}\n\ndata: [DONE]\n\n',
    'data: {"choices":[{"delta":{"content":"Hi"}}]}\n\ndata: [DONE]\n\n',
    'data: {"choices":[{"delta":{"content":"Hi"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
    'event: message_start\ndata: {"message":{"id":"m","content":[]}}\n\nevent: content_block_delta\ndata: {"index":0,"delta":{"type":"text_delta","text":"Hi"}}\n\nevent: message_stop\ndata: {}\n\n',
  ];
  for (const text of captures) {
    const { input, expected } = JSON.parse(toFixture(await recorded(text)));
    const accumulator = new StreamAccumulator();
    for (const event of input.events ?? []) accumulator.push(event);
    if (input.bytes) accumulator.pushBytes(new TextEncoder().encode(input.bytes));
    const { text: replayed, ending } = accumulator.finish();
    accumulator.free();
    assert.deepEqual([replayed, ending], [expected.text ?? "", expected.ending], text);
  }
});

test("chunks of any size lead to the same result, also of a stream with white space or one that was stopped", async () => {
  const event = `data: ${JSON.stringify({ choices: [{ delta: { content: "a" }, finish_reason: "stop" }] })}\n\n`;
  const stopped = new Recording("stopped");
  stopped.append(new TextEncoder().encode(event), 0);
  stopped.abort("stopped");
  const texts = [`\n\n\n\ndata: {bad\n\n${event}`, `${event}\n \n\ndata: {bad\n\n`, `{"choices":[]}\n\n  \n{bad\n`];
  for (const recording of [stopped, ...(await Promise.all(texts.map(recorded)))]) {
    for (const size of [1, 7, 1000]) assert.equal((await rechunk(recording, size)).isSame, true);
  }
});
