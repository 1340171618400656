// respool/ag-ui when something goes wrong: errors, aborts, clients that leave, and wrong options.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { RespoolError, StreamAccumulator, streamDeltas } from "respool";
import { toAgUiEvents, toAgUiResponse } from "respool/ag-ui";
import { IDS, checkClient, checkEvents, eventsOf, ofType, readByClient, typesOf } from "./ag-ui-client.mjs";
import { CHAT_STREAM, callChunk, chunk } from "./answers.mjs";
import { collect, generated, readable, stalled } from "./sources.mjs";

const endOf = async (input, options) => (await eventsOf(input, options)).at(-1);

describe("failures", () => {
  test("the transport", async () => {
    const seen = [];
    const onError = (error) => seen.push(error.code) && "It broke.";
    const events = await eventsOf(generated([chunk("a")], [], new Error("secret host")), { onError });
    checkEvents(events);
    assert.deepEqual(events.slice(-2), [
      { type: "TEXT_MESSAGE_END", messageId: "run-message-0" },
      { type: "RUN_ERROR", message: "It broke.", code: "stream-broken" },
    ]);
    assert.deepEqual(seen, ["stream-broken"]);
    await checkClient(events);
  });

  test("an onError that fails, or returns no text, doesn't hide the error", async () => {
    const fail = () => {
      throw new Error("bug");
    };
    for (const onError of [fail, () => {}]) {
      const events = await eventsOf([chunk("a"), { error: { message: "busy" } }], { onError });
      checkEvents(events);
      assert.deepEqual(events.at(-1), { type: "RUN_ERROR", message: "An error occurred.", code: "provider-error" });
    }
  });

  test("error messages aren't sent without onError", async () => {
    const events = await eventsOf([{ error: { message: "No such key: sk-123" } }]);
    assert.deepEqual(events.at(-1), { type: "RUN_ERROR", message: "An error occurred.", code: "provider-error" });
    assert.doesNotMatch(JSON.stringify(events), /sk-123/);
  });

  test("nothing follows an error", async () => {
    const stream = [chunk("a"), { error: { message: "busy" } }, chunk("b"), chunk("", "stop")];
    for (const input of [stream, streamDeltas(stream)]) {
      const events = await eventsOf(input);
      checkEvents(events);
      assert.deepEqual([ofType(events, "TEXT_MESSAGE_CONTENT").length, events.at(-1).type], [1, "RUN_ERROR"]);
    }
    // Deltas after an error belong to the answer; it has failed all the same.
    const deltas = await collect(streamDeltas(stream, { throwOnError: false }));
    const events = await eventsOf(deltas);
    checkEvents(events);
    assert.deepEqual([ofType(events, "TEXT_MESSAGE_CONTENT").length, events.at(-1).type], [2, "RUN_ERROR"]);
  });

  test("an answer that breaks off", async () => {
    const expected = { type: "RUN_ERROR", message: "The answer broke off.", code: "stream-truncated" };
    const deltas = await collect(streamDeltas([chunk("a")]));
    // Complete calls don't mean that the answer is complete.
    const ofTwo = [
      callChunk({ id: "c", function: { name: "f", arguments: "{}" } }),
      { choices: [{ index: 1, delta: { content: "b" } }] },
    ];
    for (const input of [[chunk("a")], ofTwo, streamDeltas([chunk("a")]), deltas, [deltas[0]]])
      assert.deepEqual(await endOf(input), expected);
  });

  test("calls that never ended have a result, however the answer breaks off", async () => {
    const calls = [callChunk({ index: 0, id: "a", function: { name: "f", arguments: '{"p' } })];
    const controller = new AbortController();
    const aborting = async function* () {
      yield* calls;
      controller.abort();
    };
    for (const [input, options, end] of [
      [calls, {}, "RUN_ERROR"],
      [generated(calls, [], new Error("reset")), {}, "RUN_ERROR"],
      [[...calls, { error: { message: "busy" } }], {}, "RUN_ERROR"],
      [aborting(), { signal: controller.signal }, "RUN_FINISHED"],
    ]) {
      const events = await eventsOf(input, options);
      checkEvents(events);
      const results = ofType(events, "TOOL_CALL_RESULT").map(({ toolCallId, content }) => [toolCallId, content]);
      assert.deepEqual([results, events.at(-1).type], [[["a", "The arguments are incomplete."]], end]);
    }
  });

  test("the usage so far", async () => {
    const usage = { choices: [], usage: { prompt_tokens: 5, completion_tokens: 1, total_tokens: 6 } };
    const { usage: sent } = await endOf([chunk("a"), usage, { error: { message: "busy" } }]);
    assert.deepEqual(sent, [{ inputTokens: 5, outputTokens: 1, totalTokens: 6 }]);
  });

  test("an HTTP status", async () => {
    assert.equal((await endOf(new Response("{}", { status: 401 }))).code, "http-error");
  });

  test("an answer that isn't a model's response", async () => {
    assert.equal((await endOf([new TextEncoder().encode("<html><body>Hello</body></html>")])).code, "unknown-response");
  });

  test("an invalid source", async () => {
    for (const input of [5, null, undefined, Promise.reject(new Error("no network")), new Uint8Array(3)])
      assert.deepEqual(await typesOf(input), ["RUN_STARTED", "RUN_ERROR"]);
  });

  test("values that are nested too deeply end the run", async () => {
    const depth = 100_000;
    const log = [];
    const deltas = [
      { type: "text", text: "a" },
      { type: "annotation", annotation: nested(depth) },
      { type: "text", text: "b" },
    ];
    const text = await toAgUiResponse(generated(deltas, log), IDS).text();
    assert.match(text, /data: \{"type":"RUN_ERROR","message":"An error occurred."\}\n\n$/);
    assert.deepEqual(log, ["closed"]);
  });
});

function nested(depth) {
  let value = [];
  for (let left = depth; left > 0; left--) value = [value];
  return value;
}

describe("leaving", () => {
  test("a signal cancels the run at once", async () => {
    const controller = new AbortController();
    const log = [];
    const events = toAgUiEvents(stalled([chunk("a")], log), { ...IDS, signal: controller.signal });
    const seen = [];
    for (let each = 0; each < 3; each++) seen.push((await events.next()).value);
    const waiting = events.next();
    controller.abort();
    seen.push((await waiting).value, ...(await collect(events)));
    checkEvents(seen);
    assert.deepEqual(seen.at(-1), { type: "RUN_FINISHED", ...IDS, outcome: { type: "cancelled" } });
    assert.deepEqual(log, ["closed"]);
    await checkClient(seen);
  });

  test("a signal in the middle of a call", async () => {
    const controller = new AbortController();
    const seen = [];
    for await (const event of toAgUiEvents([callChunk({ id: "a", function: { name: "tide", arguments: "{" } })], {
      ...IDS,
      signal: controller.signal,
    })) {
      seen.push(event);
      if (event.type === "TOOL_CALL_ARGS") controller.abort();
    }
    checkEvents(seen);
    assert.deepEqual(seen.at(-1).outcome, { type: "cancelled" });
  });

  test("a signal that was already aborted", async () => {
    const log = [];
    const options = { signal: AbortSignal.abort() };
    assert.deepEqual(await typesOf(readable(CHAT_STREAM, log, "stall"), options), ["RUN_STARTED", "RUN_FINISHED"]);
    assert.deepEqual(log, ["closed"]);
  });

  for (const [name, leave] of Object.entries({
    "after a signal": (_, controller) => controller.abort(),
    "after the loop was left": (events) => void events.return(),
  })) {
    test(`a response that arrives ${name} is closed`, async () => {
      const log = [];
      const controller = new AbortController();
      let arrive;
      const response = new Promise((resolve) => (arrive = resolve));
      const events = toAgUiEvents(response, { ...IDS, signal: controller.signal });
      await events.next();
      const waiting = events.next();
      await new Promise(setImmediate);
      leave(events, controller);
      assert.deepEqual((await waiting).value?.outcome ?? { type: "cancelled" }, { type: "cancelled" });
      arrive(new Response(readable(CHAT_STREAM, log, "stall")));
      await new Promise(setImmediate);
      assert.deepEqual(log, ["closed"]);
    });
  }

  test("deltas whose signal was aborted", async () => {
    const deltas = streamDeltas(CHAT_STREAM, { signal: AbortSignal.abort() });
    assert.deepEqual((await endOf(deltas)).outcome, { type: "cancelled" });
  });

  for (const reads of [0, 1, 3]) {
    test(`the loop closes the source after ${reads} events`, async () => {
      const log = [];
      const events = toAgUiEvents(stalled([chunk("a")], log), IDS);
      for (let left = reads; left > 0; left--) await events.next();
      assert.deepEqual(await events.return(), { done: true, value: undefined });
      assert.deepEqual([log, (await events.next()).done], [["closed"], true]);
    });

    test(`throw() closes the source after ${reads} events`, async () => {
      const log = [];
      const events = toAgUiEvents(stalled([chunk("a")], log), IDS);
      for (let left = reads; left > 0; left--) await events.next();
      await assert.rejects(events.throw(new Error("left")), { message: "left" });
      assert.deepEqual([log, (await events.next()).done], [["closed"], true]);
    });

    test(`a client that disconnects closes the source after ${reads} reads`, async () => {
      const log = [];
      const reader = toAgUiResponse(stalled([chunk("a")], log), IDS).body.getReader();
      for (let left = reads; left > 0; left--) await reader.read();
      const waiting = reads === 3 ? reader.read() : undefined;
      await reader.cancel();
      await waiting;
      assert.deepEqual(log, ["closed"]);
    });
  }
});

describe("the response", () => {
  test("is server-sent events, which the client reads", async () => {
    const response = toAgUiResponse(CHAT_STREAM, { ...IDS, status: 203, statusText: "Fine", headers: { "x-own": "1" } });
    assert.deepEqual([response.status, response.statusText, response.headers.get("x-own")], [203, "Fine", "1"]);
    assert.equal(response.headers.get("content-type"), "text/event-stream");
    assert.equal(response.headers.get("x-vercel-ai-ui-message-stream"), null);
    const { messages, warnings, failure } = await readByClient(response);
    assert.deepEqual(
      [messages, warnings, failure],
      [[{ id: "run-message-0", role: "assistant", content: "The ferry leaves at 9:35." }], [], undefined],
    );
  });
});

describe("options", () => {
  const refused = (options, pattern) =>
    assert.throws(
      () => toAgUiEvents(CHAT_STREAM, options),
      (error) => RespoolError.isInstance(error) && error.code === "invalid-option" && pattern.test(error.message),
    );

  test("are checked at the call", () => {
    refused(undefined, /options\.threadId must be a string that isn't empty, not undefined/);
    refused({ threadId: "a" }, /options\.runId/);
    refused({ ...IDS, runId: "" }, /options\.runId/);
    refused({ ...IDS, parentRunId: 5 }, /options\.parentRunId/);
    refused({ ...IDS, onError: "no" }, /options\.onError must be a function/);
    refused({ ...IDS, result: {} }, /options\.result must be a function/);
    refused({ ...IDS, sendReasoning: "no" }, /options\.sendReasoning must be true or false/);
    refused({ ...IDS, resume: 5 }, /options\.resume must be an iterable of deltas/);
    refused({ ...IDS, resume: [{ type: "text", text: "a" }, null] }, /options\.resume\[1\]/);
    refused({ ...IDS, resum: [] }, /[Uu]nknown option/);
    const unset = { parentRunId: null, resume: null, result: null, sendReasoning: null, onError: null };
    assert.doesNotThrow(() => toAgUiEvents(CHAT_STREAM, { ...IDS, ...unset }));
  });

  test("whose result returns a promise fail the run", async () => {
    const accumulator = new StreamAccumulator();
    const deltas = accumulator.push(chunk("At 9:35.", "stop"));
    const events = await eventsOf(deltas, { result: async () => accumulator.finish(), onError: ({ message }) => message });
    assert.match(events.at(-1).message, /^options\.result can't be asynchronous: it returned a promise$/);
  });

  test("that are invalid leave no unhandled rejection", async () => {
    for (const open of [toAgUiEvents, toAgUiResponse]) {
      assert.throws(() => open(Promise.reject(new Error("late")), {}), { code: "invalid-option" });
    }
    await new Promise((resolve) => setImmediate(resolve));
  });

  test("that are invalid close the source", async () => {
    const log = [];
    for (const options of [{}, { ...IDS, bogus: 1 }, { ...IDS, result: 1 }, { ...IDS, limits: 7 }, { ...IDS, signal: {} }]) {
      for (const open of [toAgUiEvents, toAgUiResponse]) {
        assert.throws(() => open(readable([chunk("a")], log), options), { code: "invalid-option" });
      }
    }
    assert.throws(() => toAgUiResponse(new Response(readable([new Uint8Array(1)], log)), { ...IDS, status: 7 }), {
      code: "invalid-option",
    });
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(log.length, 11);
  });
});
