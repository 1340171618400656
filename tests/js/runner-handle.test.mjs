// The handle of a request: the payload, the deltas, the conversation, and the checks of the options.
import assert from "node:assert/strict";
import { describe, mock, test } from "node:test";
import { fetchTransport, PartialJson, registerCodec, runRequest, StreamError } from "respool";
import { callChunk, chunk, CHAT_STREAM } from "./answers.mjs";
import { FakeClock } from "./fake-clock.mjs";
import { collect, generated } from "./sources.mjs";

const calling = callChunk({ id: "a", function: { name: "tide", arguments: "{}" } }, "tool_calls");
const tools = { tide: () => "high" };
const base = (overrides) => ({ transport: () => CHAT_STREAM, messages: [], ...overrides });

describe("the payload", () => {
  async function payloadOf(options) {
    let payload;
    const transport = (given) => {
      payload = given;
      return CHAT_STREAM;
    };
    await runRequest(base({ ...options, transport: Object.assign(transport, options.transport) })).result();
    return payload;
  }

  test("messages, parameters, definitions", async () => {
    const messages = [{ role: "user", content: "Tide?" }];
    const toolDefinitions = [{ type: "function", function: { name: "tide" } }];
    const payload = await payloadOf({ messages, params: { model: "m" }, toolDefinitions });
    assert.deepEqual(payload, { stream: true, model: "m", messages, tools: toolDefinitions });
  });

  test("uses `input` for Responses, set by the option or the transport", async () => {
    assert.deepEqual(await payloadOf({ api: "openai-responses" }).catch((error) => error.code), { stream: true, input: [] });
    assert.deepEqual(await payloadOf({ transport: { api: "openai-responses" } }), { stream: true, input: [] });
  });

  test("parameters take precedence over defaults", async () => {
    assert.equal((await payloadOf({ params: { stream: false } })).stream, false);
  });

  test("a transport that changes the messages doesn't change the conversation", async () => {
    const counts = [];
    const transport = ({ messages }) => {
      counts.push(messages.unshift({ role: "system", content: "Be brief." }));
      return counts.length === 1 ? [calling] : CHAT_STREAM;
    };
    const request = runRequest(base({ transport, tools, messages: [{ role: "user", content: "Tide?" }] }));
    const { messages } = await request.result();
    assert.deepEqual(counts, [2, 4]);
    assert.deepEqual(
      messages.map(({ role }) => role),
      ["user", "assistant", "tool", "assistant"],
    );
  });

  test("the caller's array of messages isn't changed", async () => {
    const messages = [{ role: "user", content: "Tide?" }];
    const turns = [[calling], CHAT_STREAM];
    await runRequest(base({ transport: () => turns.shift(), messages, tools })).result();
    assert.equal(messages.length, 1);
  });
});

describe("the conversation", () => {
  test("can be rebuilt after each turn", async () => {
    const asked = [];
    const turns = [[calling], [calling], CHAT_STREAM];
    const request = runRequest(
      base({
        transport: ({ messages }) => asked.push(messages) && turns.shift(),
        messages: [{ role: "system", content: "old" }],
        tools,
        rebuildConversation: async (messages) => [{ role: "system", content: `new ${messages.length}` }, ...messages.slice(1)],
      }),
    );
    assert.equal((await request.result()).state, "completed");
    assert.deepEqual(
      asked.map(([first]) => first.content),
      ["old", "new 3", "new 5"],
    );
    assert.deepEqual(
      asked[2].map(({ role }) => role),
      ["system", "assistant", "tool", "assistant", "tool"],
    );
  });

  test("is rebuilt once, even if the next turn is retried", async () => {
    const clock = new FakeClock();
    const turns = [() => [calling], () => Promise.reject(new TypeError("fetch failed")), () => CHAT_STREAM];
    const rebuildConversation = mock.fn((messages) => messages);
    const request = runRequest(base({ transport: () => turns.shift()(), maxRetries: 1, clock, tools, rebuildConversation }));
    assert.equal((await clock.runUntil(request.result())).state, "completed");
    assert.equal(rebuildConversation.mock.callCount(), 1);
  });

  test("an error while rebuilding it fails the request", async () => {
    for (const [rebuildConversation, message] of [
      [
        () => {
          throw new Error("full");
        },
        /full/,
      ],
      [() => "text", /must be the list of messages/],
    ]) {
      const request = runRequest(base({ transport: () => [chunk("Hm. "), calling], tools, rebuildConversation }));
      const deltas = await collect(request);
      const { failure, text, toolBudgetRemaining } = request.getResult();
      assert.deepEqual([failure.code, text], ["unknown_error", "Hm. "]);
      // The turn itself has ended.
      assert.deepEqual([deltas.at(-1).type, toolBudgetRemaining], ["step-finish", 9]);
      assert.match(failure.message, message);
    }
  });
});

describe("deltas", () => {
  test("a loop and onDelta get the same deltas of all turns", async () => {
    const received = [];
    const turns = [[chunk("Hm. "), calling], CHAT_STREAM];
    const request = runRequest(base({ transport: () => turns.shift(), tools, onDelta: (delta) => received.push(delta) }));
    const deltas = await collect(request);
    assert.deepEqual(deltas, received);
    assert.deepEqual(deltas.map(({ type }) => type).filter((type) => type === "finish").length, 2);
    assert.deepEqual(await collect(request), [], "each is given once");
  });

  test("with partialJson, values of arguments and of the text, in each turn anew", async () => {
    const call = (id, port) => callChunk({ id, function: { name: "tide", arguments: `{"port":"${port}"}` } }, "tool_calls");
    const turns = [[call("call_0", "Bodø")], [call("call_0", "Oslo")], [chunk('{"tide":"high"}', "stop")]];
    const agent = { outputs: [{ name: "tide" }] };
    const request = runRequest(base({ transport: () => turns.shift(), tools, partialJson: true, agent }));
    const live = [];
    for await (const delta of request) {
      if (delta.type === "step-start") live.push(new PartialJson());
      live.at(-1)?.apply(delta);
    }
    assert.deepEqual(
      live.map((values) => values.get(0) ?? values.get("text")),
      [{ port: "Bodø" }, { port: "Oslo" }, { tide: "high" }],
    );
  });

  test("are queued for a late reader", async () => {
    const request = runRequest(base());
    await request.result();
    const texts = (await collect(request)).filter(({ type }) => type === "text").map(({ text }) => text);
    assert.deepEqual(texts, ["The ferry", " leaves at 9:35."]);
  });

  test("wait for the promise that onDelta returns", async () => {
    const log = [];
    const request = runRequest(
      base({
        onDelta: async ({ type }) => {
          log.push(`${type} begins`);
          await new Promise((resolve) => setImmediate(resolve));
          log.push(`${type} ends`);
        },
      }),
    );
    await request.result();
    assert.ok(log.length >= 8 && log.every((entry, at) => entry.endsWith(at % 2 === 0 ? "begins" : "ends")), `${log}`);
  });

  test("an error in onDelta ends the request and closes the source", async () => {
    const log = [];
    for (const fail of [
      () => {
        throw new Error("full");
      },
      () => Promise.reject(new Error("full")),
    ]) {
      const onDelta = ({ type }) => (type === "text" ? fail() : undefined);
      const { failure, text } = await runRequest(base({ transport: () => generated(CHAT_STREAM, log), onDelta })).result();
      assert.deepEqual(
        [failure.code, failure.message, failure.cause.message, text],
        ["unknown_error", "full", "full", "The ferry"],
      );
    }
    assert.deepEqual(log, ["closed", "closed"]);
  });
});

describe("attempts", () => {
  test("the text of a failed attempt is kept, with a warning", async () => {
    const clock = new FakeClock();
    let asked = 0;
    const broken = () => generated([chunk("The ferry")], [], new TypeError("terminated"));
    const transport = () => (++asked < 3 ? broken() : CHAT_STREAM);
    const request = runRequest(base({ transport, maxRetries: 2, clock, random: () => 0.5 }));
    const deltas = await clock.runUntil(collect(request));
    const { text, iterations, lastByteAt } = request.getResult();
    assert.deepEqual([text, iterations], ["The ferryThe ferryThe ferry leaves at 9:35.", 1]);
    assert.deepEqual(
      deltas.filter(({ type }) => type === "warning").map(({ code }) => code),
      ["turn-retried", "turn-retried"],
    );
    assert.deepEqual([clock.waited, clock.pending], [[375, 750], 0]);
    assert.equal(lastByteAt, clock.now());
  });

  test("the failure has the error of the last attempt", async () => {
    const cause = new TypeError("terminated");
    const { failure, text } = await runRequest(base({ transport: () => generated([chunk("a")], [], cause) })).result();
    assert.deepEqual(
      [failure.code, failure.cause.code, failure.cause.cause, text],
      ["unknown_error", "stream-broken", cause, "a"],
    );
    assert.ok(StreamError.isInstance(failure.cause));
  });

  test("permanent errors aren't retried", async () => {
    const wrongKey = () => new Response('{"error":{"message":"Wrong key"}}', { status: 401 });
    const notFound = () => Promise.reject(Object.assign(new Error("Not found"), { status: 404 }));
    const ofProvider = new Map([
      [wrongKey, 401],
      [notFound, 404],
    ]);
    for (const answer of [wrongKey, notFound, () => 7, () => ["x".repeat(99)]]) {
      const status = ofProvider.get(answer);
      const code = status ? "provider_error" : "unknown_error";
      let asked = 0;
      const transport = () => ++asked && answer();
      const { failure } = await runRequest(base({ transport, maxRetries: 3, limits: { maxTotalBytes: 50 } })).result();
      assert.deepEqual([failure.code, failure.status, asked], [code, status, 1], failure.message);
    }
  });

  test("a retry waits for the server's retry-after, unless it is too long", async () => {
    const limited = (seconds) => new Response("", { status: 429, headers: { "retry-after": String(seconds) } });
    const own = (seconds) => () => limited(seconds);
    const fetching = (seconds, maxRetryAfter) =>
      fetchTransport({ url: "https://example.test", fetch: async () => limited(seconds), maxRetries: 0, maxRetryAfter });
    for (const [transport, waited] of [
      [own(20), [20_000, 20_000]],
      [own(0), [0, 0]],
      [own(61), []],
      [fetching(20), [20_000, 20_000]],
      [fetching(20, 10), []],
    ]) {
      const clock = new FakeClock();
      const { failure } = await clock.runUntil(runRequest(base({ transport, maxRetries: 2, clock })).result());
      assert.deepEqual([failure.code, failure.status, clock.waited], ["provider_error", 429, waited]);
    }
  });

  test("the stall timer starts with the request, and pauses while it waits for others", async () => {
    const clock = new FakeClock();
    const silent = runRequest(base({ transport: () => new Promise(() => {}), stallTimeoutMs: 900, clock }));
    const { failure } = await clock.runUntil(silent.result());
    assert.deepEqual([failure.code, clock.waited], ["stall_timeout", [900]]);

    const busy = new FakeClock();
    const onDelta = ({ type }) => {
      assert.equal(busy.pending, type.startsWith("step-") ? 0 : 1, "it runs while the model is asked");
      return Promise.resolve().then(() => assert.equal(busy.pending, 0));
    };
    assert.equal((await runRequest(base({ stallTimeoutMs: 900, clock: busy, onDelta })).result()).state, "completed");

    const waiting = new FakeClock();
    const transport = (_, { onWait }) => {
      onWait(5000);
      return new Promise(() => {});
    };
    await waiting.runUntil(runRequest(base({ transport, stallTimeoutMs: 900, clock: waiting })).result());
    assert.deepEqual(waiting.waited, [5900]);
  });
});

test("a custom interface gets messages in the form of chat", async () => {
  const unregister = registerCodec({
    name: "parrot",
    detect: (value) => "squawk" in value,
    decode: ({ squawk, call }) => [
      squawk ? { type: "text", text: squawk } : { type: "tool-call", id: "a", name: call, arguments: {}, done: true },
      { type: "finish", finishReason: squawk ? "complete" : "tool_use" },
    ],
  });
  const asked = [];
  const turns = [[{ squawk: "", call: "tide" }], [{ squawk: "High." }]];
  const transport = (payload) => asked.push(payload) && turns.shift();
  const { state, text } = await runRequest(base({ transport, tools })).result();
  unregister();
  assert.deepEqual([state, text, asked[1].messages.map(({ role }) => role)], ["completed", "High.", ["assistant", "tool"]]);
});

test("a long delay isn't cut short, although runtimes' timers have 31 bits", async (t) => {
  const delays = [];
  t.mock.method(globalThis, "setTimeout", (_run, ms) => delays.push(ms));
  const transport = (() => {
    const answers = [[calling], CHAT_STREAM];
    return () => answers.shift();
  })();
  const request = runRequest(base({ transport, tools, stallTimeoutMs: 1e12, toolTimeoutMs: 1e12 }));
  assert.equal((await request.result()).state, "completed");
  assert.ok(delays.length > 2);
  assert.deepEqual(new Set(delays), new Set([2 ** 31 - 1]));
});

describe("invalid options", () => {
  const WRONG = {
    "no transport": [{ transport: undefined }, /options\.transport must be a function/],
    "no messages": [{ messages: undefined }, /options\.messages must be a list/],
    "a name that there is not": [
      { toolbudget: 3 },
      /^Unknown option `toolbudget`\. Did you mean `toolBudget`\? Options: transport, /,
    ],
    "an invalid tool": [{ tools: { tide: 7 } }, /options\.tools\.tide must be a function/],
    "tools that are none": [{ tools: "tide" }, /options\.tools must be an object/],
    "tools that are a list": [{ tools: [tools.tide] }, /options\.tools must be an object.*, not an array/],
    "a definition that is none": [{ toolDefinitions: [null] }, /options\.toolDefinitions\[0\] must be an object/],
    "an exit tool that is none": [{ exitTools: ["done", 5] }, /options\.exitTools\[1\] must be a string/],
    "a clock that is none": [{ clock: 5 }, /options\.clock must be an object/],
    "a clock without functions": [{ clock: { now: 5 } }, /options\.clock\.now must be a function/],
    "params that are text": [{ params: "x" }, /^options\.params must be an object, not "x"$/],
    "params with another conversation": [
      { params: { messages: [] } },
      /^options\.params can't have messages, because options\.messages are sent as that$/,
    ],
    "Gemini's params with another conversation": [
      { api: "gemini", params: { contents: [] } },
      /^options\.params can't have contents/,
    ],
    "params that are a list": [{ params: [] }, /^options\.params must be an object, not an array$/],
    "a fallback that is text": [{ fallback: "yes" }, /^options\.fallback must be true, false or an object, not "yes"$/],
    "an invalid budget": [{ toolBudget: -1 }, /options\.toolBudget must be a whole number, 0 or more/],
    "an invalid unit": [{ budgetUnit: "token" }, /options\.budgetUnit must be one of call, iteration/],
    "an invalid onToolError": [{ onToolError: "ignore" }, /options\.onToolError must be one of fail, feedback/],
    "an invalid time": [{ toolTimeoutMs: 0 }, /options\.toolTimeoutMs must be a number of milliseconds above 0/],
    "a time that is a text": [{ stallTimeoutMs: "50" }, /options\.stallTimeoutMs must be a number of milliseconds above 0/],
    "an invalid switch": [{ parallelTools: 1 }, /options\.parallelTools must be true or false/],
    "an invalid signal": [{ signal: {} }, /options\.signal must be an AbortSignal/],
    "an invalid list": [{ exitTools: "done" }, /options\.exitTools must be a list/],
    "an unknown codec": [{ api: "nobody" }, /Unknown interface `nobody` in `options\.api`/],
    "an agent that is none": [{ agent: "gpt-5" }, /^options\.agent must be an object, not "gpt-5"$/],
    "a partialJson that is none": [{ partialJson: 1 }, /^options\.partialJson must be true or false/],
    "limits that are none": [{ limits: { maxDepth: 0 } }, /options\.limits\.maxDepth/],
  };
  for (const [name, [options, message]] of Object.entries(WRONG)) {
    test(name, () => assert.throws(() => runRequest(base(options)), { name: "RespoolError", code: "invalid-option", message }));
  }

  test("no options at all", () => assert.throws(() => runRequest(), { code: "invalid-option" }));
});

test("costs that providers report are summed", async () => {
  const call = { index: 0, id: "c", function: { name: "tide", arguments: "{}" } };
  const answers = [
    { choices: [{ delta: { tool_calls: [call] }, finish_reason: "tool_calls" }], usage: { prompt_tokens: 9, cost: 0.25 } },
    { choices: [{ delta: { content: "High." }, finish_reason: "stop" }], usage: { prompt_tokens: 4, cost: 0.5 } },
  ];
  const request = runRequest({ transport: () => [answers.shift()], messages: [], tools: { tide: () => "high" } });
  const { usage } = await request.result();
  assert.deepEqual(
    [usage.reportedCost, usage.inputTokens, usage.uncachedInputTokens, usage.outputTokens],
    [0.75, 13, 13, undefined],
  );
});
