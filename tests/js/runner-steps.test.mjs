// A request's reports about its turns: the deltas, the steps, and the conversation to continue with.
import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { runRequest, tool } from "respool";
import { APIS, ask, lastSent, REFUSING, resultOf, server, settled, userMessage } from "./requests.mjs";
import { callChunk, chunk } from "./answers.mjs";
import { FakeClock } from "./fake-clock.mjs";
import { collect, generated } from "./sources.mjs";

after(() => server.close());

const ferry = tool({
  description: "The next ferry from a port",
  parameters: { type: "object", properties: { port: { type: "string" } }, required: ["port"] },
  execute: ({ port }) => `${port}: 9:35`,
});
const CALLS = {
  text: "One moment. ",
  toolCalls: [
    { name: "ferry", arguments: { port: "Bodø" } },
    { name: "ferry", arguments: { port: "Å" } },
  ],
};
const END = { text: "At 9:35." };
const labels = (deltas) =>
  deltas.map(({ type, step, id, finishReason }) =>
    [type, step ?? id ?? finishReason].filter((part) => part !== undefined).join(" "),
  );

for (const api of APIS) {
  describe(api, () => {
    test("deltas report the steps and the results", async () => {
      const { request } = ask(api, [CALLS, END], { tools: { ferry } });
      const deltas = (await collect(request)).filter(({ type }) => /step|result|finish/.test(type));
      assert.deepEqual(labels(deltas), [
        ...["step-start 0", "finish tool_use", "tool-result call_1", "tool-result call_2", "step-finish 0"],
        ...["step-start 1", "finish complete", "step-finish 1"],
      ]);
      assert.deepEqual(deltas[2], { type: "tool-result", id: "call_1", name: "ferry", result: "Bodø: 9:35" });
      assert.deepEqual([deltas[4].finishReason, deltas[7].finishReason], ["tool_use", "complete"]);
    });

    test("the result has the steps", async () => {
      const { request } = ask(api, [CALLS, END], { tools: { ferry } });
      const { text, finalText, steps, iterations } = await request.result();
      assert.deepEqual([text, finalText, steps.length, iterations], ["One moment. At 9:35.", "At 9:35.", 2, 2]);
      const [{ response, usage, ...first }, second] = steps;
      assert.deepEqual(first, {
        text: "One moment. ",
        reasoning: "",
        toolCalls: [
          { id: "call_1", name: "ferry", arguments: '{"port":"Bodø"}' },
          { id: "call_2", name: "ferry", arguments: '{"port":"Å"}' },
        ],
        toolResults: [
          { id: "call_1", name: "ferry", result: "Bodø: 9:35" },
          { id: "call_2", name: "ferry", result: "Å: 9:35" },
        ],
        finishReason: "tool_use",
      });
      assert.equal(response.api, api);
      assert.deepEqual([second.text, second.toolCalls, second.toolResults], ["At 9:35.", [], []]);
    });

    test("the next request continues the conversation", async () => {
      const { request, conversation } = ask(api, [CALLS, END, { text: "Bye." }], { tools: { ferry } });
      const { messages, newMessages } = await request.result();
      assert.deepEqual(messages.slice(1), newMessages);
      const next = ask(api, conversation, { tools: { ferry }, messages: [...messages, userMessage(api, "Thanks")] });
      assert.equal((await next.request.result()).finalText, "Bye.");
      assert.ok(conversation.received.every(({ isRefused }) => !isRefused));
      assert.deepEqual(lastSent(conversation), [...messages, userMessage(api, "Thanks")]);
      assert.match(JSON.stringify(messages.at(-1)), /At 9:35\./);
      await settled(conversation);
    });

    test("the definitions are in the form of the interface", async () => {
      const { request, conversation } = ask(api, [END], { tools: { ferry } });
      await request.result();
      const { description, parameters } = ferry;
      const { tools, toolConfig } = conversation.received[0].body;
      assert.deepEqual(toolConfig?.tools ?? tools, [
        {
          "openai-chat": { type: "function", function: { name: "ferry", description, parameters } },
          "openai-responses": { type: "function", name: "ferry", description, parameters, strict: false },
          "anthropic-messages": { name: "ferry", description, input_schema: parameters },
          gemini: { functionDeclarations: [{ name: "ferry", description, parametersJsonSchema: parameters }] },
          "gemini-interactions": { type: "function", name: "ferry", description, parameters },
          "ollama-chat": { type: "function", function: { name: "ferry", description, parameters } },
          "cohere-chat": { type: "function", function: { name: "ferry", description, parameters } },
          "bedrock-converse": { toolSpec: { name: "ferry", description, inputSchema: { json: parameters } } },
        }[api],
      ]);
    });

    test("invalid arguments go to the model", async () => {
      const wrong = { toolCalls: [{ name: "ferry", arguments: { port: 5 } }] };
      const message = "The arguments of tool 'ferry' don't match its parameters: port: must be a string, not a number";
      const { request, conversation } = ask(api, [wrong, CALLS, END], { tools: { ferry } });
      const { state, steps } = await request.result();
      assert.deepEqual([state, steps[0].toolResults], ["completed", [{ id: "call_1", name: "ferry", error: message }]]);
      assert.ok(JSON.stringify(conversation.received[1].body).includes(message));
    });

    test("a turn that failed isn't part of the conversation, and has a step", async () => {
      const failing = { ferry: () => Promise.reject(new Error("closed")) };
      for (const [turns, options, stepCount] of [
        [[CALLS, { text: "At", error: { message: "Overloaded" } }], { tools: { ferry } }, 2],
        [[CALLS], { tools: failing }, 1],
        [[CALLS], { tools: { ferry }, toolBudget: 1 }, 1],
        ...(REFUSING.includes(api) ? [[[{ refusal: "No." }], {}, 1]] : []),
      ]) {
        const { request, conversation } = ask(api, turns, options);
        const { state, messages, newMessages, steps, finalText } = await request.result();
        assert.deepEqual([state, steps.length, finalText], ["failed", stepCount, steps.at(-1).text]);
        assert.deepEqual(messages, [userMessage(api, "Ferry?"), ...newMessages]);
        const next = ask(api, () => END, { messages });
        assert.equal((await next.request.result()).finalText, "At 9:35.");
        assert.ok(next.conversation.received.every(({ isRefused }) => !isRefused));
        await settled(conversation, next.conversation);
      }
    });
  });
}

const call = (index, name, given) => ({ index, id: `call_${index}`, function: { name, arguments: given } });
const calling = (...calls) => ({
  choices: [{ delta: { tool_calls: calls.map((given, index) => call(index, ...given)) }, finish_reason: "tool_calls" }],
});

/** Runs a request with these answers, and resolves with its deltas, its result and its payloads. */
async function run(answers, options) {
  const payloads = [];
  const left = [...answers];
  const transport = (payload) => payloads.push(payload) && left.shift();
  const request = runRequest({ transport, messages: [], ...options });
  const deltas = await collect(request);
  return { deltas, result: await resultOf(request), payloads };
}

describe("results", () => {
  test("of parallel tools are emitted as they end, and sent in the order of the calls", async () => {
    let release;
    const slow = new Promise((resolve) => (release = resolve));
    const tools = { slow: () => slow, fast: () => release("late") ?? "early" };
    const { deltas, result, payloads } = await run([[calling(["slow", "{}"], ["fast", "{}"])], [chunk("Done.", "stop")]], {
      tools,
      parallelTools: true,
    });
    const results = deltas.filter(({ type }) => type === "tool-result");
    assert.deepEqual(results.map(({ result }) => result).sort(), ["early", "late"]);
    assert.deepEqual(
      result.steps[0].toolResults.map(({ result }) => result),
      ["late", "early"],
    );
    assert.deepEqual(
      payloads[1].messages.slice(1).map(({ content }) => content),
      ["late", "early"],
    );
  });

  test("the next one waits until onDelta has handled the previous one", async () => {
    const log = [];
    const onDelta = async ({ type, name }) => {
      if (type !== "tool-result") return;
      log.push(`${name} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      log.push(`${name} ends`);
    };
    const tools = { a: () => 1, b: () => 2 };
    await run([[calling(["a", "{}"], ["b", "{}"])], [chunk("Done.", "stop")]], { tools, parallelTools: true, onDelta });
    assert.deepEqual(log, ["a begins", "a ends", "b begins", "b ends"]);
  });

  test("errors: thrown ones, results with isError, and invalid calls", async () => {
    const tools = {
      thrown: () => Promise.reject(new Error("closed")),
      told: () => ({ content: [{ type: "text", text: "no such port" }], isError: true }),
    };
    const { deltas } = await run([[calling(["thrown", "{}"], ["told", "{}"], ["none", "{}"])], [chunk("Done.", "stop")]], {
      tools,
      onToolError: "feedback",
    });
    assert.deepEqual(
      deltas.filter(({ type }) => type === "tool-result").map(({ error }) => error),
      ["The tool 'thrown' failed: closed", "no such port", "Unknown tool 'none'. Tools: thrown, told"],
    );
  });

  test("a tool that fails the request has a result, too", async () => {
    const { deltas, result } = await run([[calling(["a", "{}"])]], { tools: { a: () => Promise.reject(new Error("closed")) } });
    assert.deepEqual(labels(deltas).slice(-2), ["tool-result call_0", "step-finish 0"]);
    assert.deepEqual(result.steps[0].toolResults, [{ id: "call_0", name: "a", error: "The tool 'a' failed: closed" }]);
  });

  test("an error of onDelta fails the request", async () => {
    for (const type of ["step-start", "tool-result", "step-finish"]) {
      const onDelta = (delta) => {
        if (delta.type === type) throw new Error(`full at ${type}`);
      };
      const { result } = await run([[calling(["a", "{}"])]], { tools: { a: () => 1 }, onDelta });
      assert.deepEqual([result.failure.code, result.failure.message], ["unknown_error", `full at ${type}`]);
    }
  });
});

describe("cancelling", () => {
  test("while a tool runs keeps the model's text", async () => {
    let running;
    const started = new Promise((resolve) => (running = resolve));
    const request = runRequest({
      transport: () => [chunk("Hm. "), calling(["a", "{}"], ["b", "{}"])],
      messages: [{ role: "user", content: "Hi" }],
      tools: { a: () => "done", b: () => running() ?? new Promise(() => {}) },
    });
    await started;
    request.cancel();
    const { state, messages, steps, finalText } = request.getResult();
    assert.deepEqual([state, messages.length, finalText, steps.length], ["canceled", 1, "Hm. ", 1]);
    assert.deepEqual([steps[0].toolCalls.length, steps[0].toolResults], [2, [{ id: "call_0", name: "a", result: "done" }]]);
  });

  test("between two turns leaves no text that isn't in the messages", async () => {
    const turn = [chunk("Hm. "), calling(["a", "{}"])];
    for (const options of [
      { rebuildConversation: () => Promise.reject(new Error("no summary")) },
      { onDelta: ({ type }, request) => type === "step-finish" && request.cancel() },
      { onDelta: ({ type, step }, request) => type === "step-start" && step === 1 && request.cancel() },
      { transport: (_, __, request) => void setImmediate(() => request.cancel()) ?? new Promise(() => {}) },
    ]) {
      const { onDelta, transport, ...others } = options;
      const turns = [() => turn, (...all) => transport(...all, request)];
      const request = runRequest({
        ...others,
        transport: (...all) => turns.shift()(...all),
        onDelta: (delta) => void onDelta?.(delta, request),
        messages: [],
        tools: { a: () => "done" },
      });
      await request.result().catch(() => {});
      const { state, finalText, text, messages } = request.getResult();
      assert.notEqual(state, "completed");
      assert.deepEqual([finalText, text, messages.length], ["", "Hm. ", 2]);
    }
  });

  test("in the middle of an answer", async () => {
    const request = runRequest({ transport: () => generated([chunk("At "), chunk("9:35", "stop")], []), messages: [] });
    for await (const { type } of request) if (type === "text") break;
    const { state, steps, finalText, newMessages } = request.getResult();
    assert.deepEqual([state, steps.length, finalText, newMessages], ["canceled", 1, "At ", []]);
    assert.equal(steps[0].response.message, "At ");
  });

  test("while onDelta handles the end of a step", async () => {
    const request = runRequest({
      transport: () => [chunk("High.", "stop")],
      messages: [],
      onDelta: ({ type }) => (type === "step-finish" ? new Promise(() => request.cancel()) : undefined),
    });
    await assert.rejects(request.result(), { name: "AbortError" });
    assert.deepEqual([request.state, request.getResult().finalText], ["canceled", "High."]);
  });
});

test("a retried turn is one step", async () => {
  const clock = new FakeClock();
  const answers = [() => generated([chunk("The ferry")], [], new TypeError("terminated")), () => [chunk("At 9:35.", "stop")]];
  const request = runRequest({ transport: () => answers.shift()(), messages: [], maxRetries: 1, clock });
  const deltas = await clock.runUntil(collect(request));
  const { text, finalText, steps, newMessages } = request.getResult();
  assert.deepEqual([text, finalText, steps.length], ["The ferryAt 9:35.", "At 9:35.", 1]);
  assert.deepEqual(newMessages, [{ role: "assistant", content: "At 9:35." }]);
  assert.deepEqual(deltas.filter(({ type }) => type.startsWith("step")).length, 2);
});

test("a rebuilt conversation keeps its added messages", async () => {
  const { result } = await run([[calling(["a", "{}"])], [chunk("Done.", "stop")]], {
    tools: { a: () => "x" },
    rebuildConversation: () => [{ role: "user", content: "summary" }],
  });
  assert.deepEqual(result.messages, [
    { role: "user", content: "summary" },
    { role: "assistant", content: "Done." },
  ]);
  assert.deepEqual(
    result.newMessages.map(({ role }) => role),
    ["assistant", "tool", "assistant"],
  );
});

test("a turn that only calls exit tools adds only its text", async () => {
  const exit = { exitTools: ["done"], tools: { done: tool({ description: "Ends" }) } };
  const { result, payloads } = await run([[chunk("Bye."), calling(["done", "{}"])]], exit);
  assert.deepEqual(
    [result.state, result.signals.length, result.newMessages],
    ["completed", 1, [{ role: "assistant", content: "Bye." }]],
  );
  assert.deepEqual(payloads[0].tools[0].function.name, "done");
  const silent = await run([[calling(["done", "{}"])]], exit);
  assert.deepEqual(silent.result.newMessages, []);
});

describe("tools without a definition", () => {
  const warned = ({ deltas }) =>
    deltas.filter(({ code }) => code === "undefined-tool").map(({ message }) => /'(\w+)'/.exec(message)[1]);
  const answers = () => [
    [callChunk({ id: "a", function: { name: "a", arguments: "{}" } }, "tool_calls")],
    [chunk("Done.", "stop")],
  ];

  test("have one warning each, at the start", async () => {
    const outcome = await run(answers(), { tools: { a: () => 1, b: () => 2 }, exitTools: ["c"] });
    assert.deepEqual(warned(outcome), ["a", "b", "c"]);
    assert.equal(outcome.deltas[0].code, "undefined-tool");
    assert.equal(outcome.payloads[0].tools, undefined);
  });

  test("tools with a definition have no warning", async () => {
    const chat = (name) => ({ type: "function", function: { name, parameters: {} } });
    for (const options of [
      { toolDefinitions: [chat("a")] },
      { params: { tools: [{ name: "a", input_schema: {} }] } },
      { params: { tools: [{ type: "custom", custom: { name: "a" } }] } },
      { tools: { a: tool({ execute: () => 1 }) } },
    ]) {
      assert.deepEqual(warned(await run(answers(), { tools: { a: () => 1 }, ...options })), []);
    }
    assert.deepEqual(
      warned(await run([[chunk("", "stop")]], { tools: { shell: () => 1 }, toolDefinitions: [{ type: "shell" }] })),
      [],
    );
  });

  test("the caller's definition replaces that of tool()", async () => {
    const mine = { type: "function", function: { name: "a", description: "mine" } };
    const other = { type: "web_search" };
    const { payloads } = await run(answers(), {
      tools: { a: tool({ execute: () => 1 }) },
      toolDefinitions: [mine],
      params: { tools: [other, { ...mine }] },
    });
    assert.deepEqual(payloads[0].tools, [mine, other]);
  });

  test("can be called in text", async () => {
    const tide = ({ port }) => `${port}: 9:35`;
    for (const tools of [{ tide }, { tide: tool({ execute: tide }) }]) {
      const answers = [
        [chunk('One moment.\n{"tool":"tide","arguments":{"port":"Bodø"}}\n', "stop")],
        [chunk("At 9:35.", "stop")],
      ];
      const { result } = await run(answers, { tools, fallback: { formats: ["directive"] } });
      assert.deepEqual(
        result.steps.map(({ toolResults }) => toolResults.map((one) => one.result)),
        [["Bodø: 9:35"], []],
      );
      assert.deepEqual([result.state, result.finalText], ["completed", "At 9:35."]);
      assert.ok(!JSON.stringify(result.messages).includes('\\"tool\\"'), "calls are removed from the text");
    }
  });
});

describe("the service tier of all turns", () => {
  const turn = (service_tier, item) => ({
    object: "response",
    status: "completed",
    service_tier,
    output: [item],
    usage: { input_tokens: 1000, output_tokens: 100, total_tokens: 1100 },
  });
  const call = (id) => ({ type: "function_call", id: `fc_${id}`, call_id: id, name: "tide", arguments: "{}" });
  const answer = { type: "message", role: "assistant", content: [{ type: "output_text", text: "High" }] };
  /** @param {(string | undefined)[]} tiers */
  async function tierOf(tiers) {
    const turns = tiers.map((tier, at) => turn(tier, at < tiers.length - 1 ? call(`c${at}`) : answer));
    const transport = async () => [turns.shift()];
    const { usage } = await runRequest({
      api: "openai-responses",
      transport,
      messages: [],
      tools: { tide: () => "9:35" },
    }).result();
    assert.equal(usage.inputTokens, 1000 * tiers.length);
    return usage.serviceTier;
  }

  test("is that of each turn", async () => assert.equal(await tierOf(["priority", "priority"]), "priority"));

  test("is missing if the turns had different ones, or one had none", async () => {
    for (const tiers of [
      ["priority", "default"],
      ["default", "priority"],
      ["priority", "default", "priority"],
      ["priority", "default", "default"],
      ["priority", undefined],
    ]) {
      assert.equal(await tierOf(tiers), undefined, tiers.join());
    }
  });
});
