// Random conversations with the request runner: servers that fail, stall or are busy, tools that throw or hang, calls in
// text, and requests that are cancelled or left anywhere. However a request ends, its result is right, the model got
// only messages that its interface accepts, and nothing leaks.
// A failure prints the seed; RUNNER_SEED repeats it, and RUNNER_ROUNDS makes it a long run.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { FakeClock } from "./fake-clock.mjs";
import { liveObjects, respool } from "./leaks.mjs";
import { EXIT_TOOLS, RandomConversation, TOOLS } from "./random-conversations.mjs";
import { roundsOf, seedOf } from "./random.mjs";

const { fetchTransport, runRequest, tracer } = respool;

const SEED = seedOf("RUNNER");
const ROUNDS = roundsOf("RUNNER", 60);

const rejections = [];
process.on("unhandledRejection", (reason) => rejections.push(reason));
after(() => tracer.clear());

const macrotask = () => new Promise((resolve) => setImmediate(resolve));

async function rebuildConversation(messages) {
  await macrotask();
  return [...messages];
}

/** Returns the user's message. */
function userMessage(api) {
  if (api !== "gemini-interactions") return { role: "user", content: "Ferry?" };
  return { type: "user_input", content: [{ type: "text", text: "Ferry?" }] };
}

function definitionOf(api, name) {
  const definition = { name, parameters: { type: "object", properties: {} } };
  return { type: "function", ...(api === "gemini-interactions" ? definition : { function: definition }) };
}

/** Returns a signal that records its listeners. */
function watchedSignal() {
  const controller = new AbortController();
  const { signal } = controller;
  const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
  const listening = new Set();
  signal.addEventListener = (type, run, options) => {
    listening.add(run);
    add(type, run, options);
  };
  signal.removeEventListener = (type, run) => {
    listening.delete(run);
    remove(type, run);
  };
  return { controller, signal, listening };
}

/** One request, and everything that it reports. */
class Round {
  constructor(seed) {
    this.conversation = new RandomConversation(seed);
    const { below } = this.conversation;
    const chance = (of) => below(of) === 0;
    this.clock = new FakeClock();
    this.spans = [];
    this.received = [];
    this.emitted = [];
    this.watched = watchedSignal();
    const toolTimeoutMs = chance(2) ? 1000 : undefined;
    this.leave = chance(2) ? undefined : { how: below(3), after: below(120) };
    const mayHang = toolTimeoutMs !== undefined;
    const api = this.conversation.api.name;
    const failsAt = chance(12) ? below(20) : Infinity;
    this.options = {
      transport: fetchTransport({
        url: "https://model.test/",
        api,
        fetch: this.conversation.fetch,
        clock: this.clock,
        maxRetries: below(3),
        random: () => 0.5,
      }),
      messages: [userMessage(api)],
      tools: Object.fromEntries(TOOLS.map((name) => [name, this.conversation.tool(name, mayHang)])),
      exitTools: EXIT_TOOLS,
      toolDefinitions: [...TOOLS, ...EXIT_TOOLS].map((name) => definitionOf(api, name)),
      toolBudget: below(12),
      budgetUnit: chance(2) ? "call" : "iteration",
      onToolError: chance(2) ? "fail" : "feedback",
      toolTimeoutMs,
      stallTimeoutMs: 5000,
      maxRetries: below(3),
      fallback: this.conversation.hasTextCalls,
      loopDetector: chance(2),
      parallelTools: chance(2),
      signal: this.watched.signal,
      clock: this.clock,
      random: () => 0.5,
      onDelta: (delta) => {
        this.emitted.push({ delta, attempt: this.conversation.requests.length });
        if (this.emitted.length === failsAt) throw new Error("onDelta failed");
        return chance(4) ? macrotask() : undefined;
      },
      ...(chance(4) && { rebuildConversation }),
    };
  }

  async run() {
    const request = runRequest(this.options);
    const loop = (async () => {
      for await (const delta of request) {
        this.received.push(delta);
        if (this.leave?.how === 0 && this.received.length > this.leave.after) break;
      }
    })();
    let outcome;
    const settled = request.result().then(
      (result) => (outcome = { result }),
      (error) => (outcome = { error }),
    );
    for (let [idle, since, before] = [0, 0, 0]; outcome === undefined; idle++) {
      assert.ok(idle < 50_000, "the request must end");
      if (idle === this.leave?.after * 2 && this.leave.how === 1) request.cancel("enough");
      if (idle === this.leave?.after * 2 && this.leave.how === 2) this.watched.controller.abort(new Error("enough"));
      await macrotask();
      // Time passes only after many turns without an event.
      const { requests, runs } = this.conversation;
      const progress = requests.length + runs.length + this.emitted.length;
      since = progress === before ? since + 1 : 0;
      before = progress;
      if (since > 40 && this.clock.pending > 0) [since] = [0, this.clock.fireNext()];
    }
    await Promise.all([settled, loop]);
    this.outcome = outcome;
    this.request = request;
    for (let left = 60; left > 0 && this.isBusy; left--) await macrotask();
  }

  get isBusy() {
    const { requests } = this.conversation;
    return (
      liveObjects() > 0 ||
      this.clock.pending > 0 ||
      requests.some(({ end }) => end === "open" || end === "stalled") ||
      this.spans.some(({ ends }) => ends === 0)
    );
  }

  checkOutcome() {
    const { state } = this.request;
    const result = this.request.getResult();
    assert.equal(result.state, state);
    if (state === "canceled") assert.equal(this.outcome.error.name, "AbortError");
    else assert.equal(this.outcome.result, result);
    assert.equal(state === "failed", result.failure !== undefined);
    if (this.leave === undefined) assert.notEqual(state, "canceled");
    const texts = this.emitted.filter(({ delta }) => delta.type === "text" && !delta.choice).map(({ delta }) => delta.text);
    // Text that was still buffered when the answer broke off, or that arrived when the request ended, is only in the result.
    if (!this.conversation.hasTextCalls)
      assert.ok(result.text.startsWith(texts.join("")), `${result.text} has ${texts.join("")}`);
    if (state === "completed" && !this.conversation.isFaulty) assert.equal(result.text, texts.join(""));
    assert.deepEqual(this.received, this.emitted.map(({ delta }) => delta).slice(0, this.received.length));
    if (this.leave?.how !== 0) assert.equal(this.received.length, this.emitted.length);
    return result;
  }

  /** Checks that the usage is the sum of the last reports of all attempts, because each attempt is billed. */
  checkUsage({ state, usage }) {
    if (state === "failed" || state === "canceled") return;
    const last = new Map();
    for (const { delta, attempt } of this.emitted) if (delta.type === "usage") last.set(attempt, delta.usage);
    for (const name of ["promptTokens", "completionTokens", "totalTokens"]) {
      const counts = [...last.values()].map((emitted) => emitted[name]);
      const isKnown = counts.length > 0 && !counts.includes(undefined);
      assert.equal(usage?.[name], isKnown ? counts.reduce((sum, count) => sum + count) : undefined, name);
    }
  }

  checkTools({ state, signals, toolBudgetRemaining, iterations }) {
    const { toolBudget, budgetUnit } = this.options;
    const { runs, requests } = this.conversation;
    assert.ok(toolBudgetRemaining >= 0 && toolBudgetRemaining <= toolBudget);
    if (budgetUnit === "call") assert.ok(runs.length <= toolBudget, "more was run than the budget allows");
    assert.ok(iterations <= requests.length);
    for (const signal of signals) {
      assert.deepEqual(Object.keys(signal), ["id", "name", "arguments"]);
      assert.ok(EXIT_TOOLS.includes(signal.name));
    }
    assert.ok(
      runs.every(({ isOver, signal }) => isOver || signal.aborted),
      "an abandoned tool wasn't aborted",
    );
    if (state === "completed") assert.ok(!requests.at(-1).turn.status);
  }

  /** Checks the messages that the model got. */
  checkConversation() {
    const { requests } = this.conversation;
    let before = [];
    for (const [at, { payload, refused }] of requests.entries()) {
      assert.equal(refused, undefined, `request ${at}: ${JSON.stringify(payload.messages ?? payload.input)}`);
      const messages = payload.messages ?? payload.input;
      assert.deepEqual(messages.slice(0, before.length), before, "earlier messages are unchanged");
      before = messages;
    }
  }

  checkLeftovers() {
    const { requests } = this.conversation;
    assert.deepEqual(
      requests.filter(({ end }) => end === "open" || end === "stalled").map(({ turn }) => turn),
      [],
      "open connections",
    );
    assert.equal(this.clock.pending, 0, "timers");
    assert.equal(liveObjects(), 0, "objects of the module");
    assert.equal(this.watched.listening.size, 0, "listeners");
    assert.deepEqual(rejections, []);
  }

  checkSpans() {
    const { spans } = this;
    assert.deepEqual(
      spans.filter(({ ends }) => ends !== 1),
      [],
      "spans end once",
    );
    for (const { name, parent } of spans) assert.equal(parent?.name, name === "turn" ? undefined : "turn");
    const named = (name) => spans.filter((span) => span.name === name);
    assert.ok(named("process").length <= named("turn").length);
    assert.ok(named("execute_tool").length >= this.conversation.runs.length);
    const emitted = (name, key) => named(name).filter((span) => span.emitted.has(key)).length;
    assert.equal(emitted("turn", "signature"), named("turn").length);
    assert.ok(emitted("process", "result") + emitted("process", "error") >= named("process").length);
    const failed = named("execute_tool").filter(({ emitted }) => emitted.has("result") && emitted.has("error"));
    assert.ok(failed.every(({ emitted }) => emitted.get("result").isError === true));
  }

  trace() {
    tracer.add("fuzz", (name, parent) => {
      const span = { name, parent, emitted: new Map(), ends: 0 };
      span.emit = (key, value) => span.emitted.set(key, value);
      span.end = () => (span.ends += 1);
      this.spans.push(span);
      return span;
    });
  }
}

test(`random conversations (seed ${SEED})`, async () => {
  const states = new Set();
  for (let at = 0; at < ROUNDS; at++) {
    const round = new Round(SEED * 10_000 + at);
    if (at % 2) round.trace();
    try {
      await round.run();
      tracer.clear();
      const result = round.checkOutcome();
      states.add(result.state);
      round.checkUsage(result);
      round.checkTools(result);
      round.checkConversation();
      round.checkLeftovers();
      if (at % 2) round.checkSpans();
    } catch (error) {
      const { options, conversation, leave, request } = round;
      const { transport, signal, clock, toolDefinitions, ...shown } = options;
      const turns = conversation.requests.map(({ turn, end, payload }) => ({ turn, end, payload }));
      const result = request?.state === "running" ? undefined : request?.getResult();
      const context = JSON.stringify({ api: conversation.api.name, shown, leave, result }, null, 1);
      throw new Error(`RUNNER_SEED=${SEED}, round ${at}\n${context}\n${JSON.stringify(turns).slice(0, 6000)}\n${error.stack}`, {
        cause: error,
      });
    }
  }
  if (ROUNDS >= 60) assert.deepEqual([...states].toSorted(), ["canceled", "completed", "failed"]);
});
