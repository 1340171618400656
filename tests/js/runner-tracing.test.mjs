// The spans of a request: a span per turn, with the model's stream and the tools inside.
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { runRequest, tracer } from "respool";
import { callChunk, chunk, CHAT_STREAM } from "./answers.mjs";
import { FakeClock } from "./fake-clock.mjs";

afterEach(() => tracer.clear());

const calling = callChunk({ id: "a", function: { name: "tide", arguments: '{"port":"Bodø","api_key":"k"}' } }, "tool_calls");

/** Returns a backend that records the tree of spans: `{ name, emitted, inside, ended, endedAt }`. */
function backend() {
  const roots = [];
  let ends = 0;
  tracer.add("tree", (name, parent) => {
    const span = {
      name,
      emitted: {},
      inside: [],
      ended: 0,
      emit: (key, value) => (span.emitted[key] = value),
      end() {
        span.ended += 1;
        span.endedAt = ends++;
      },
    };
    (parent?.inside ?? roots).push(span);
    return span;
  });
  return roots;
}

const outline = (spans) => spans.map(({ name, inside }) => (inside.length > 0 ? [name, outline(inside)] : name));
const all = (spans) => spans.flatMap((span) => [span, ...all(span.inside)]);

function ask(options) {
  const turns = [[chunk("Hm. "), calling], CHAT_STREAM];
  return runRequest({
    transport: () => turns.shift(),
    messages: [],
    params: { model: "m" },
    tools: { tide: () => "high" },
    ...options,
  });
}

test("a turn with a tool, and one without", async () => {
  const roots = backend();
  await ask().result();
  assert.deepEqual(outline(roots), [
    ["turn", ["process", "execute_tool"]],
    ["turn", ["process"]],
  ]);
  const [
    {
      emitted,
      inside: [stream, tool],
    },
    last,
  ] = roots;
  assert.deepEqual(
    [emitted.signature, emitted.inputs.params, emitted.result.text],
    ["respool.runRequest", { model: "m" }, "Hm. "],
  );
  assert.deepEqual(
    emitted.result.toolCalls.map((call) => Object.keys(call)),
    [["id", "name", "arguments"]],
  );
  assert.deepEqual(
    [stream.emitted.inputs.payload.model, stream.emitted.items.length > 0, stream.emitted.result.ending],
    ["m", true, "complete"],
  );
  assert.deepEqual([tool.emitted.inputs.id, tool.emitted.inputs.name, tool.emitted.result], ["a", "tide", "high"]);
  assert.ok(!JSON.stringify(all(roots).map(({ emitted: each }) => each)).includes('"k"'), "secrets are kept");
  assert.equal(last.emitted.usage.totalTokens, 15);
  assert.ok(all(roots).every(({ ended }) => ended === 1));
});

test("a tool that fails, a request that fails", async () => {
  const roots = backend();
  await ask({ tools: { tide: () => Promise.reject(new Error("closed")) } }).result();
  const [
    {
      emitted,
      inside: [, tool],
    },
  ] = roots;
  assert.deepEqual([tool.emitted.error.message, emitted.error.message], ["closed", "closed"]);
  assert.ok(all(roots).every(({ ended }) => ended === 1));
});

test("an answer that breaks off and is retried", async () => {
  const roots = backend();
  const turns = [[chunk("Hm. ")], CHAT_STREAM];
  const noWait = { setTimeout: (run) => setTimeout(run, 0), clearTimeout };
  await ask({ transport: () => turns.shift(), maxRetries: 1, clock: noWait }).result();
  assert.deepEqual(outline(roots), [
    ["turn", ["process"]],
    ["turn", ["process"]],
  ]);
  assert.deepEqual(
    roots.map(({ emitted }) => emitted.error?.code),
    ["turn-retried", undefined],
  );
  assert.ok(all(roots).every(({ ended }) => ended === 1));
});

const macrotask = () => new Promise((resolve) => setImmediate(resolve));

test("a cancelled request ends its spans", async () => {
  const roots = backend();
  const request = ask({ tools: { tide: () => new Promise(() => {}) } });
  await macrotask();
  request.cancel();
  await macrotask();
  assert.deepEqual(outline(roots), [["turn", ["process", "execute_tool"]]]);
  assert.deepEqual(
    all(roots).map(({ ended }) => ended),
    [1, 1, 1],
  );
});

test("a cancelled turn ends after its inner spans, with its partial result and the cancellation", async () => {
  const left = new Error("left");
  const usage = { prompt_tokens: 5, completion_tokens: 1, total_tokens: 6 };
  async function* endless() {
    yield { ...chunk("Hm. "), id: "c", model: "m", usage };
    await new Promise(() => {});
  }
  const ways = {
    "while the model answers": { transport: endless },
    "while a tool runs": {
      transport: () => [{ ...chunk("Hm. "), id: "c", model: "m", usage }, calling],
      tools: { tide: () => new Promise(() => {}) },
    },
  };
  for (const [way, options] of Object.entries(ways)) {
    const roots = backend();
    const request = ask(options);
    await macrotask();
    request.cancel(left);
    await assert.rejects(request.result(), { name: "AbortError", cause: left });
    await macrotask();
    const [{ emitted, inside }] = roots;
    assert.deepEqual([roots.length, emitted.result.text, emitted.usage.totalTokens], [1, "Hm. ", 6], way);
    assert.deepEqual([emitted.response.model, emitted.error.name, emitted.error.cause.message], ["m", "AbortError", "left"], way);
    assert.ok(
      inside.every(({ endedAt }) => endedAt < roots[0].endedAt),
      way,
    );
    assert.equal(inside.at(-1).emitted.error.message, "left", way);
  }
});

test("a tool that returns an error has failed, like one that throws it", async () => {
  const error = new TypeError("closed");
  const content = [{ type: "text", text: "closed" }];
  const CASES = [
    [() => Promise.reject(error), "TypeError", undefined],
    [() => error, "TypeError", undefined],
    [() => ({ content, isError: true }), "Error", { content, isError: true }],
    [() => ({ content }), undefined, { content }],
  ];
  for (const [tide, name, kept] of CASES) {
    const roots = backend();
    await ask({ tools: { tide }, onToolError: "feedback" }).result();
    const { error: spanError, result } = roots[0].inside[1].emitted;
    assert.deepEqual([spanError?.name, spanError?.message, result], [name, name && "closed", kept]);
  }
});

test("a stall is a named error", async () => {
  const roots = backend();
  const transport = () => new Promise(() => {});
  const clock = new FakeClock();
  const { failure } = await clock.runUntil(ask({ transport, stallTimeoutMs: 50, clock }).result());
  await macrotask();
  const [{ emitted, inside }] = roots;
  assert.deepEqual([emitted.error.code, emitted.error.message], ["stall_timeout", failure.message]);
  const { code, cause } = inside[0].emitted.error;
  assert.deepEqual([code, cause.name, cause.message], ["stream-broken", "TimeoutError", failure.message]);
});

test("a turn whose onDelta throws has the model's text so far", async () => {
  const roots = backend();
  const onDelta = ({ type }) => {
    if (type === "text") throw new Error("the page is gone");
  };
  await assert.rejects(async () => {
    const { failure } = await ask({ onDelta }).result();
    throw new Error(failure.message);
  }, /the page is gone/);
  const [{ emitted, ended }] = roots;
  assert.deepEqual([emitted.result.text, emitted.error.message, ended], ["Hm. ", "the page is gone", 1]);
});

test("a request that is cancelled before the model answers has no result", async () => {
  const roots = backend();
  const request = ask({ transport: () => new Promise(() => {}) });
  await macrotask();
  request.cancel();
  await macrotask();
  const [{ emitted, ended }] = roots;
  assert.deepEqual([emitted.error.name, ended], ["AbortError", 1]);
});

test("tools that are aborted end before the turn that failed", async () => {
  const roots = backend();
  const second = callChunk({ index: 1, id: "b", function: { name: "wait", arguments: "{}" } }, "tool_calls");
  const tools = { tide: () => Promise.reject(new Error("closed")), wait: () => new Promise(() => {}) };
  await ask({ transport: () => [calling, second], tools, parallelTools: true }).result();
  const [{ inside, endedAt }] = roots;
  assert.equal(inside.length, 3);
  assert.ok(inside.every((span) => span.endedAt < endedAt));
});

test("tools run inside their span", async () => {
  const log = [];
  tracer.add("inside", (name) => ({
    emit() {},
    end() {},
    run(call) {
      log.push(`into ${name}`);
      return call();
    },
  }));
  const tide = () => {
    log.push("tide");
    return "high";
  };
  await ask({ tools: { tide } }).result();
  assert.deepEqual(log, ["into execute_tool", "tide"]);
});

test("a backend that fails changes nothing", async () => {
  tracer.add("broken", () => ({ emit: () => assert.fail("emit"), end: () => assert.fail("end"), run: () => assert.fail("run") }));
  const { state, text } = await ask().result();
  assert.deepEqual([state, text], ["completed", "Hm. The ferry leaves at 9:35."]);
});
