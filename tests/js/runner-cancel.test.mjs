// Cancelling a request, at every point where it waits.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { callChunk, chunk } from "./answers.mjs";
import { liveObjects, respool } from "./leaks.mjs";

const { runRequest } = respool;

const calling = (id) => callChunk({ id, function: { name: "tide", arguments: "{}" } }, "tool_calls");
const TURNS = [
  [chunk("One "), chunk("moment. "), calling("a")],
  [chunk("And "), calling("b")],
  [chunk("High at"), chunk(" 9:35."), chunk("", "stop")],
];
const TEXT = "One moment. And High at 9:35.";

const never = () => new Promise(() => {});
const macrotask = () => new Promise((resolve) => setImmediate(resolve));

/** Three turns that wait wherever a user's code can. `log` records which resources are opened and closed. */
function conversation(log, overrides = {}) {
  const turns = [...TURNS];
  return {
    messages: [{ role: "user", content: "Tide?" }],
    async transport() {
      await null;
      return source(turns.shift(), log);
    },
    tools: {
      async tide(_, { signal }) {
        log.push("tool");
        signal.addEventListener("abort", () => log.push("tool aborted"));
        await null;
        await null;
        return "high";
      },
    },
    async rebuildConversation(messages) {
      await null;
      return messages;
    },
    async onDelta() {
      await null;
    },
    ...overrides,
  };
}

/** Returns an async iterable that logs when it is opened and closed. */
function source(pieces, log) {
  const left = [...pieces];
  return {
    [Symbol.asyncIterator]() {
      log.push("opened");
      let isClosed = false;
      const close = () => {
        if (!isClosed) log.push("closed");
        isClosed = true;
        return { done: true, value: undefined };
      };
      return {
        async next() {
          await null;
          return left.length > 0 ? { done: false, value: left.shift() } : close();
        },
        return: async () => close(),
      };
    },
  };
}

const count = (log, what) => log.filter((entry) => entry === what).length;

/** Reads the deltas of a request and joins their text. */
function listen(request) {
  const received = { text: "", isOver: false };
  (async () => {
    for await (const delta of request) if (delta.type === "text") received.text += delta.text;
    received.isOver = true;
  })();
  return received;
}

test("the count of live objects works", () => {
  const accumulator = new respool.StreamAccumulator();
  assert.equal(liveObjects(), 1);
  accumulator.free();
  assert.equal(liveObjects(), 0);
});

test("at every step of a conversation of three turns", async () => {
  const rejections = [];
  const onRejection = (reason) => rejections.push(reason);
  process.on("unhandledRejection", onRejection);
  const seen = { states: new Set(), texts: new Set() };
  let isOver = false;
  let steps = 0;
  for (; !isOver; steps++) {
    assert.ok(steps < 2000, "the request must end");
    const log = [];
    const request = runRequest(conversation(log));
    const received = listen(request);
    const waiter = request.result().catch((error) => error);
    for (let step = 0; step < steps; step++) await null;
    seen.states.add(request.state);
    request.cancel();
    isOver = request.state === "completed";
    const result = request.getResult();
    if (!isOver) {
      assert.equal(request.state, "canceled", `step ${steps}`);
      assert.equal((await waiter).name, "AbortError");
      await assert.rejects(request.result(), { name: "AbortError" });
    }
    seen.texts.add(result.text);
    assert.ok(TEXT.startsWith(result.text), `step ${steps}: ${result.text}`);
    await macrotask();
    assert.ok(received.isOver);
    assert.equal(received.text, result.text, `step ${steps}`);
    assert.equal(count(log, "opened"), count(log, "closed"), `step ${steps}: ${log}`);
    assert.deepEqual([liveObjects(), request.getResult()], [0, result]);
  }
  await macrotask();
  process.off("unhandledRejection", onRejection);
  assert.deepEqual(rejections, []);
  assert.deepEqual([...seen.states], ["running", "tool_running", "completed"]);
  assert.ok(seen.texts.size >= 6, `${[...seen.texts]}`);
  assert.ok(steps > 60, `${steps} steps`);
});

describe("promises that never settle don't block", () => {
  const CASES = {
    "a transport": { transport: never },
    "a source": { transport: () => ({ [Symbol.asyncIterator]: () => ({ next: never, return: never }) }) },
    "a tool": { tools: { tide: never } },
    "a tool beside others": { tools: { tide: never }, parallelTools: true },
    "a listener": { onDelta: never },
    rebuildConversation: { rebuildConversation: never },
    "the time between two attempts": {
      transport: () => Promise.reject(new Error("down")),
      maxRetries: 1,
      clock: { setTimeout: () => 7, clearTimeout: () => {} },
    },
  };
  for (const [name, overrides] of Object.entries(CASES)) {
    test(name, async () => {
      const request = runRequest(conversation([], overrides));
      const waiter = assert.rejects(request.result(), { name: "AbortError", cause: "enough" });
      await macrotask();
      assert.ok(["running", "tool_running"].includes(request.state));
      request.cancel("enough");
      assert.deepEqual([request.state, request.getResult().state], ["canceled", "canceled"]);
      await waiter;
      await macrotask();
      assert.equal(liveObjects(), 0);
    });
  }
});

test("running tools are aborted with the reason", async () => {
  let reason;
  const tide = (_, { signal }) => new Promise(() => signal.addEventListener("abort", () => (reason = signal.reason)));
  const request = runRequest(conversation([], { tools: { tide } }));
  await macrotask();
  const why = new Error("the user left");
  request.cancel(why);
  assert.equal(reason, why);
  assert.deepEqual([request.getResult().text, request.getResult().toolBudgetRemaining], ["One moment. ", 10]);
  await macrotask();
});

test("a signal cancels as well", async () => {
  const controller = new AbortController();
  const request = runRequest(conversation([], { tools: { tide: never }, signal: controller.signal }));
  await macrotask();
  controller.abort();
  assert.equal(request.state, "canceled");
  await assert.rejects(request.result(), (error) => error === controller.signal.reason);
});

test("an already aborted signal: the model isn't called", async () => {
  const log = [];
  const request = runRequest(conversation(log, { signal: AbortSignal.abort() }));
  await macrotask();
  assert.deepEqual([request.state, request.getResult().iterations, log], ["canceled", 0, []]);
  await assert.rejects(request.result(), { name: "AbortError" });
});

test("leaving the loop cancels", async () => {
  const log = [];
  const request = runRequest(conversation(log));
  for await (const delta of request) {
    if (delta.type !== "text") continue;
    assert.equal(delta.text, "One ");
    break;
  }
  assert.deepEqual([request.state, request.getResult().text], ["canceled", "One "]);
  await macrotask();
  assert.equal(log.at(-1), "closed");
});

test("a finished request doesn't change", async () => {
  const request = runRequest(conversation([]));
  const result = await request.result();
  request.cancel();
  assert.deepEqual([request.state, result.text, request.getResult()], ["completed", TEXT, result]);
});

test("a response after the cancellation is closed", async () => {
  let answer;
  const log = [];
  const request = runRequest(conversation([], { transport: () => new Promise((resolve) => (answer = resolve)) }));
  await macrotask();
  request.cancel();
  answer(new Response(new ReadableStream({ cancel: () => log.push("closed") })));
  await macrotask();
  assert.deepEqual(log, ["closed"]);
});
