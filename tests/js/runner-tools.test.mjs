// How a request runs tools: in order, in parallel, with a time limit, and with errors.
import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { describe, test } from "node:test";
import { runRequest } from "respool";
import { FakeClock } from "./fake-clock.mjs";

const call = (index, name, given = "{}") => ({
  index,
  id: `call_${index}`,
  type: "function",
  function: { name, arguments: given },
});
const calling = (...names) => [
  { choices: [{ index: 0, delta: { tool_calls: names.map((name, at) => call(at, name)) }, finish_reason: "tool_calls" }] },
];
const END = [{ choices: [{ index: 0, delta: { content: "Done." }, finish_reason: "stop" }] }];

/** Returns a request with these answers. Its payloads are in `asked`. */
function ask(answers, options) {
  const asked = [];
  const left = [...answers];
  const transport = (payload) => {
    asked.push(payload.messages);
    return left.shift();
  };
  return { request: runRequest({ transport, messages: [], ...options }), asked };
}

const answersIn = (messages) => messages.filter(({ role }) => role === "tool").map(({ content }) => content);

describe("several tools", () => {
  /** Tools that log when they start and end. Each ends when the next one has started. */
  function timed(log) {
    const tool =
      (name, ms) =>
      async (_, { signal }) => {
        log.push(`${name} begins`);
        for (let left = ms; left > 0; left--) await new Promise((resolve) => setImmediate(resolve));
        assert.equal(signal.aborted, false);
        log.push(`${name} ends`);
        return name;
      };
    return { slow: tool("slow", 5), fast: tool("fast", 1) };
  }

  test("one after the other", async () => {
    const log = [];
    const { request, asked } = ask([calling("slow", "fast"), END], { tools: timed(log) });
    assert.equal((await request.result()).text, "Done.");
    assert.deepEqual(log, ["slow begins", "slow ends", "fast begins", "fast ends"]);
    assert.deepEqual(answersIn(asked[1]), ["slow", "fast"]);
  });

  for (const parallelTools of [false, true]) {
    test(`that are many don't listen to one signal each ${parallelTools ? "at the same time" : "in order"}`, async () => {
      const warnings = [];
      const onWarning = ({ message }) => warnings.push(message);
      process.on("warning", onWarning);
      const { signal } = new AbortController();
      const listeners = () => getEventListeners(signal, "abort").length;
      const counts = new Set();
      const tools = {
        async tide() {
          counts.add(listeners());
          await new Promise((resolve) => setImmediate(resolve));
        },
      };
      const names = Array(20).fill("tide");
      const { request } = ask([calling(...names), END], { tools, signal, parallelTools, toolBudget: names.length });
      assert.equal((await request.result()).state, "completed");
      await new Promise((resolve) => setImmediate(resolve)); // Node emits its warnings a tick later
      process.off("warning", onWarning);
      assert.deepEqual([warnings, [...counts], listeners()], [[], [1], 0]);
    });
  }

  test("at the same time are aborted together", async () => {
    const aborted = [];
    const tools = {
      tide: (_, { signal, toolCall }) =>
        new Promise(() => signal.addEventListener("abort", () => aborted.push([toolCall.id, signal.reason]))),
    };
    const { request } = ask([calling(...Array(12).fill("tide"))], { tools, parallelTools: true, toolBudget: 12 });
    while (request.state !== "tool_running") await new Promise((resolve) => setImmediate(resolve));
    request.cancel("enough");
    assert.deepEqual(
      aborted,
      Array.from({ length: 12 }, (_, at) => [`call_${at}`, "enough"]),
    );
  });

  test("at the same time, with results in the order of the calls", async () => {
    const log = [];
    const { request, asked } = ask([calling("slow", "fast"), END], { tools: timed(log), parallelTools: true });
    await request.result();
    assert.deepEqual(log, ["slow begins", "fast begins", "fast ends", "slow ends"]);
    assert.deepEqual(answersIn(asked[1]), ["slow", "fast"]);
  });

  test("when one fails, the others are aborted and not awaited", async () => {
    let reason;
    const tools = {
      slow: (_, { signal }) => new Promise(() => signal.addEventListener("abort", () => (reason = signal.reason))),
      fast: () => Promise.reject(new Error("no")),
    };
    const { request } = ask([calling("slow", "fast")], { tools, parallelTools: true });
    const { failure } = await request.result();
    assert.deepEqual(
      [failure.code, failure.message, failure.cause.message],
      ["tool_execution_error", "The tool 'fast' failed: no", "no"],
    );
    assert.ok(reason);
  });

  test("when one fails, the next ones don't run", async () => {
    const tools = { slow: () => assert.fail("thrown at once"), fast: () => assert.fail("never called") };
    const { failure } = await ask([calling("slow", "fast")], { tools }).request.result();
    assert.match(failure.message, /'slow' failed: thrown at once/);
  });
});

describe("a tool that times out", () => {
  test("fails the request", async () => {
    const clock = new FakeClock();
    let reason;
    const tools = {
      slow: (_, { signal }) => new Promise(() => signal.addEventListener("abort", () => (reason = signal.reason))),
    };
    const { request } = ask([calling("slow")], { tools, clock, toolTimeoutMs: 700 });
    const { failure } = await clock.runUntil(request.result());
    assert.deepEqual(
      [failure.code, failure.message],
      ["tool_execution_error", "The tool 'slow' failed: it took longer than 700 ms"],
    );
    assert.deepEqual([failure.cause.name, reason, clock.waited, clock.pending], ["TimeoutError", failure.cause, [700], 0]);
  });

  test("or is reported to the model", async () => {
    const clock = new FakeClock();
    const tools = { slow: () => new Promise(() => {}), fast: () => "quick" };
    const options = { tools, clock, toolTimeoutMs: 700, onToolError: "feedback", parallelTools: true };
    const { request, asked } = ask([calling("slow", "fast"), END], options);
    await clock.runUntil(request.result());
    assert.deepEqual(answersIn(asked[1]), ["Error: The tool 'slow' failed: it took longer than 700 ms", "quick"]);
  });
});

describe("arguments and results of tools", () => {
  test("an error without text says that it has none", async () => {
    const nothing = () => Object.assign(new Error("no"), { message: "" });
    const tools = { slow: () => Promise.reject(nothing()), fast: nothing };
    const { request, asked } = ask([calling("slow", "fast"), END], { tools, onToolError: "feedback" });
    await request.result();
    assert.deepEqual(answersIn(asked[1]), [
      "Error: The tool 'slow' failed without a message",
      "Error: The tool failed without a message",
    ]);
  });

  test("a tool gets its parsed arguments and the call with their text", async () => {
    const given = [];
    const answer = [
      {
        choices: [
          { index: 0, delta: { tool_calls: [call(0, "tide", '{"n": 12345678901234567890}')] }, finish_reason: "tool_calls" },
        ],
      },
    ];
    const tools = { tide: (args, { toolCall }) => given.push(args, toolCall) };
    await ask([answer, END], { tools }).request.result();
    assert.deepEqual(given, [
      { n: 12345678901234567000 },
      { id: "call_0", name: "tide", arguments: '{"n": 12345678901234567890}' },
    ]);
  });

  test("a result can be any JSON, parts, or an error", async () => {
    const results = [
      ["text", "text"],
      [{ degrees: 7, big: 10n }, '{"degrees":7,"big":"10"}'],
      [[1, 2], "[1,2]"],
      [null, "null"],
      [undefined, ""],
      [new Error("closed"), "Error: closed"],
      [
        {
          content: [
            { type: "text", text: "a" },
            { type: "text", text: "b" },
          ],
        },
        "a\nb",
      ],
      [{ content: [{ type: "text", text: "closed" }], isError: true }, "Error: closed"],
      [{ content: "a member like any other" }, '{"content":"a member like any other"}'],
    ];
    for (const [result, expected] of results) {
      const { request, asked } = ask([calling("tide"), END], { tools: { tide: () => result } });
      assert.equal((await request.result()).state, "completed");
      assert.deepEqual(answersIn(asked[1]), [expected]);
    }
  });

  test("a call that the token limit cut off isn't run, even if its arguments look whole", async () => {
    const turn = [
      { type: "message_start", message: { id: "msg_1", type: "message", role: "assistant", model: "m-1", content: [] } },
      { type: "content_block_start", index: 0, content_block: { type: "tool_use", id: "a", name: "wipe", input: {} } },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason: "max_tokens" } },
      { type: "message_stop" },
    ];
    let runs = 0;
    const { request } = ask([turn], { tools: { wipe: () => runs++ } });
    const { state, failure } = await request.result();
    assert.deepEqual([state, failure.code, runs], ["failed", "tool_parse_error", 0]);
    assert.match(failure.message, /'wipe' was cut off/);
  });

  test("a result that can't be sent is a tool error", async () => {
    const circle = {};
    circle.circle = circle;
    const { failure } = await ask([calling("tide")], { tools: { tide: () => circle } }).request.result();
    assert.deepEqual([failure.code, failure.cause.name], ["tool_execution_error", "TypeError"]);
  });

  test("a custom tool gets its text", async () => {
    const custom = { index: 0, id: "c", type: "custom", custom: { name: "sql", input: 'SELECT "a"' } };
    const answer = [{ choices: [{ index: 0, delta: { tool_calls: [custom] }, finish_reason: "tool_calls" }] }];
    const { request, asked } = ask([answer, END], { tools: { sql: (text) => text.toLowerCase() } });
    assert.equal((await request.result()).state, "completed");
    const [assistant, result] = asked[1];
    assert.deepEqual(assistant.tool_calls, [{ type: "custom", id: "c", custom: { name: "sql", input: 'SELECT "a"' } }]);
    assert.equal(result.content, 'select "a"');
  });

  test("prototype names aren't tools", async () => {
    const { failure } = await ask([calling("constructor")], { tools: {} }).request.result();
    assert.deepEqual([failure.code, failure.message], ["tool_parse_error", "Unknown tool 'constructor'. Tools: none"]);
  });
});

describe("the budget", () => {
  const tools = { tide: () => "high" };
  const turns = [calling("tide", "tide"), calling("tide", "tide"), END];

  test("of calls", async () => {
    const { request } = ask(turns, { tools, toolBudget: 3 });
    const { failure, toolBudgetRemaining } = await request.result();
    assert.deepEqual([failure.code, toolBudgetRemaining], ["tool_execution_error", 1]);
  });

  test("of turns", async () => {
    const { request } = ask(turns, { tools, toolBudget: 2, budgetUnit: "iteration" });
    const { state, toolBudgetRemaining, iterations } = await request.result();
    assert.deepEqual([state, toolBudgetRemaining, iterations], ["completed", 0, 3]);
  });

  test("stops a model that never stops calling tools", async () => {
    const request = runRequest({ transport: () => calling("tide"), messages: [], tools, onToolError: "feedback" });
    const { failure, toolBudgetRemaining, iterations } = await request.result();
    assert.deepEqual([failure.code, toolBudgetRemaining, iterations], ["tool_execution_error", 0, 11]);
  });
});
