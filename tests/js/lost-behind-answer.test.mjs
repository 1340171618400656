// A connection that is lost, or stays silent, after a complete answer: nothing of the answer is lost.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as respool from "respool";
import { toAgUiEvents } from "respool/ag-ui";
import { toUIMessageStream } from "respool/ai-sdk";
import { translateResponse, translateStream } from "respool/encode";
import { IDS } from "./ag-ui-client.mjs";
import { CHAT_STREAM, chunk, sseBytes, sseText } from "./answers.mjs";
import { FakeClock } from "./fake-clock.mjs";
import { collect, collectUntilThrown, generated, readable } from "./sources.mjs";

const TEXT = "The ferry leaves at 9:35.";
const to = "anthropic-messages";
const lost = new TypeError("terminated");

const bytesOf = (text) => new TextEncoder().encode(text);
/** Beginnings of streams that contain the complete answer, with its end. */
const ANSWERS = {
  "a finish reason": bytesOf(sseText(CHAT_STREAM.slice(0, 3)).join("")),
  "[DONE]": bytesOf(`${sseText(CHAT_STREAM.slice(0, 2)).join("")}data: [DONE]\n\n`),
  "both, and the usage": sseBytes(CHAT_STREAM),
};
const PART = bytesOf(sseText(CHAT_STREAM.slice(0, 2)).join(""));

/** @param {Uint8Array} bytes */
const broken = (bytes) => readable([bytes], [], lost);
const responseOf = (bytes) => new Response(broken(bytes), { headers: { "content-type": "text/event-stream" } });

/** Returns the deltas of a stream as its text. */
const textOf = async (deltas) => (await collect(deltas)).map(({ type, text }) => (type === "text" ? text : "")).join("");

/** For each function, its text of a source. Rejects with the function's error. */
const READERS = {
  streamDeltas: (bytes) => textOf(respool.streamDeltas(broken(bytes))),
  "streamDeltas, the source throws": (bytes) => textOf(respool.streamDeltas(generated([bytes], [], lost))),
  "streamDeltas, without errors": (bytes) => textOf(respool.streamDeltas(broken(bytes), { throwOnError: false })),
  StreamDeltas: (bytes) => textOf(broken(bytes).pipeThrough(new respool.StreamDeltas())),
  collect: async (bytes) => (await respool.collect(broken(bytes))).text,
  processStream: async (bytes) => (await collect(respool.processStream({}, broken(bytes)))).join(""),
  processAsync: (bytes) => respool.processAsync({}, broken(bytes)),
  async tap(bytes) {
    const { response, result } = respool.tap(responseOf(bytes));
    await assert.rejects(response.text(), (error) => error === lost); // the same bytes, and the same end
    return (await result).text;
  },
  async invoke(bytes) {
    const { content } = await new respool.ModelResponseConverter(broken(bytes), "openai-chat").invoke();
    return content[0].text;
  },
  async stream(bytes) {
    const messages = await collect(new respool.ModelResponseConverter(broken(bytes), "openai-chat").stream({}, "node"));
    return messages.at(-1).content[0].text;
  },
  async translateStream(bytes) {
    const { stream, result } = translateStream(broken(bytes), { to });
    const text = await new Response(stream).text();
    const { ending } = await result;
    assert.deepEqual([ending, /message_stop/.test(text)], ["complete", true]);
    return (await respool.collect([text])).text;
  },
  async translateResponse(bytes) {
    const response = await translateResponse(responseOf(bytes), { to, onEnd: ({ error }) => assert.equal(error, undefined) });
    return (await respool.collect(response)).text;
  },
  async toUIMessageStream(bytes) {
    const chunks = await collect(toUIMessageStream(broken(bytes)));
    const { errorText } = chunks.find(({ type }) => type === "error") ?? {};
    if (errorText !== undefined) throw new Error(errorText);
    return chunks.map(({ type, delta }) => (type === "text-delta" ? delta : "")).join("");
  },
  async toAgUiEvents(bytes) {
    const events = await collect(toAgUiEvents(broken(bytes), IDS));
    if (events.at(-1).type === "RUN_ERROR") throw new Error(events.at(-1).message);
    return events.map(({ type, delta }) => (type === "TEXT_MESSAGE_CONTENT" ? delta : "")).join("");
  },
};

for (const [name, read] of Object.entries(READERS)) {
  describe(name, () => {
    for (const [end, bytes] of Object.entries(ANSWERS)) {
      test(`after ${end}`, async () => assert.equal(await read(bytes), TEXT));
    }
    test("in the middle", () => assert.rejects(read(PART)));
  });
}

test("the results are complete", async () => {
  for (const bytes of Object.values(ANSWERS)) {
    const deltas = respool.streamDeltas(broken(bytes));
    await collect(deltas);
    const pipe = new respool.StreamDeltas();
    await collect(broken(bytes).pipeThrough(pipe));
    const tapped = respool.tap(responseOf(bytes));
    await assert.rejects(tapped.response.text());
    for (const { ending, text, error } of [await deltas.finished, pipe.result, await tapped.result]) {
      assert.deepEqual([ending, text, error], ["complete", TEXT, undefined]);
    }
  }
});

test("deltas that are held back until the end are emitted before it", async () => {
  const call = { index: 0, id: "a", function: { name: "tide", arguments: "{}" } };
  const source = () => [{ choices: [{ delta: { tool_calls: [call] }, finish_reason: "tool_calls" }] }];
  const whole = await collect(respool.streamDeltas(source()));
  assert.deepEqual(await collect(respool.streamDeltas(generated(source(), [], lost))), whole);
  assert.deepEqual(await collect(readable(source(), [], lost).pipeThrough(new respool.StreamDeltas())), whole);
});

test("an abort is the caller's own, and an invalid piece the caller's mistake", async () => {
  const abort = new DOMException("stop", "AbortError");
  assert.equal((await collectUntilThrown(respool.streamDeltas(generated(CHAT_STREAM, [], abort)))).error, abort);
  await assert.rejects(respool.collect([...CHAT_STREAM, 5]), { code: "invalid-chunk" });
});

describe("runRequest", () => {
  /** Runs a request with these sources. */
  async function ask(source, options) {
    const clock = new FakeClock();
    const seen = { asked: 0 };
    const transport = (_, { signal }) => {
      seen.asked++;
      seen.signal = signal;
      return source();
    };
    const request = respool.runRequest({ transport, messages: [], maxRetries: 2, random: () => 1, clock, ...options });
    const result = await clock.runUntil(request.result());
    return { ...seen, result, deltas: await collect(request) };
  }
  const stalls = (bytes) => readable([bytes], [], "stall");

  for (const [end, bytes] of Object.entries(ANSWERS)) {
    test(`after ${end}`, async () => {
      for (const source of [broken, stalls]) {
        const { asked, deltas, result } = await ask(() => source(bytes), { stallTimeoutMs: 50 });
        assert.deepEqual([asked, result.state, result.text, result.failure], [1, "completed", TEXT, undefined]);
        assert.equal(deltas.at(-1).type, "step-finish");
      }
    });
  }

  test("a tool that was called runs", async () => {
    const call = { index: 0, id: "a", function: { name: "tide", arguments: "{}" } };
    const calling = { choices: [{ delta: { tool_calls: [call] }, finish_reason: "tool_calls" }] };
    for (const end of [lost, "stall"]) {
      const turns = [readable([calling], [], end), CHAT_STREAM];
      const options = { tools: { tide: () => "high" }, stallTimeoutMs: 50 };
      const { asked, result } = await ask(() => turns.shift(), options);
      assert.deepEqual([asked, result.state, result.steps[0].toolResults[0].result], [2, "completed", "high"]);
    }
  });

  test("in the middle", async () => {
    for (const [source, code, ending] of [
      [broken, "unknown_error", "The stream broke: terminated"],
      [stalls, "stall_timeout", "The model sent nothing for 50 ms"],
    ]) {
      const { asked, result } = await ask(() => source(PART), { stallTimeoutMs: 50 });
      assert.deepEqual([asked, result.failure.code, result.failure.message, result.text], [3, code, ending, TEXT.repeat(3)]);
    }
  });

  test("a stall aborts the transport with an error, and closes the source", async () => {
    const log = [];
    const { signal, result } = await ask(() => readable([chunk("a")], log, "stall"), { stallTimeoutMs: 50, maxRetries: 0 });
    assert.deepEqual([signal.reason.name, signal.reason.message], ["TimeoutError", result.failure.message]);
    assert.deepEqual(log, ["closed"]);
    const silent = await ask(() => new Promise(() => {}), { stallTimeoutMs: 50, maxRetries: 0 });
    assert.deepEqual([silent.signal.reason.name, silent.result.failure.code], ["TimeoutError", "stall_timeout"]);
  });
});
