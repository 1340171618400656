// Each way in which a request can end, with each interface over real sockets: the state, text, signals, failure and
// requests are as expected, and nothing leaks.
import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { FakeClock } from "./fake-clock.mjs";
import { APIS, ask, REFUSING, resultOf, server, settled } from "./requests.mjs";

after(() => server.close());

const FERRY = { name: "ferry", arguments: { port: "Bodø" } };
const DONE = { id: "call_9", name: "done", arguments: { ok: true } };
const SIGNAL = { id: "call_9", name: "done", arguments: '{"ok":true}' };
const CALL = { text: "One moment. ", toolCalls: [FERRY], usage: { prompt: 5, completion: 3 } };
const END = { text: "At 9:35.", usage: { prompt: 9, completion: 4 } };

const tools = { ferry: ({ port }) => `${port}: 9:35` };
const exitTools = ["done"];
const failing = { ferry: () => Promise.reject(new Error("no ferry today")) };

/** Each row has the script, the options and the result. `asked` is the number of requests to the server. */
const ROWS = {
  "completed, without tools": { turns: [END], expected: { text: "At 9:35.", asked: 1, budget: 10 } },
  "completed, after a tool": { turns: [CALL, END], expected: { text: "One moment. At 9:35.", asked: 2, budget: 9, prompt: 14 } },
  "completed, with a signal": {
    turns: [{ text: "Bye.", toolCalls: [DONE] }],
    expected: { text: "Bye.", asked: 1, signals: [SIGNAL], finishReason: "tool_use" },
  },
  "completed, with a signal beside a call": {
    turns: [{ ...CALL, toolCalls: [FERRY, DONE] }, END],
    expected: { text: "One moment. At 9:35.", asked: 2, signals: [SIGNAL] },
  },
  "completed, at the limit of tokens": {
    turns: [{ text: "At 9", finish: "length" }],
    expected: { text: "At 9", asked: 1, finishReason: "length" },
  },
  "completed, with garbage on the way": { turns: [{ ...END, fault: { garbage: 2 } }], expected: { text: "At 9:35.", asked: 1 } },
  "completed, byte by byte": {
    turns: [{ ...CALL, fault: { drip: true } }, END],
    expected: { text: "One moment. At 9:35.", asked: 2 },
  },
  "completed, at the second attempt": {
    turns: [{ text: ["At ", "9:", "3,", " ", "no", ":", " "], fault: { cut: 5 } }, END],
    options: { maxRetries: 1, random: () => 0 },
    expected: { startsWith: "At", endsWith: "At 9:35.", asked: 2, iterations: 1 },
  },
  "completed, with a tool's error sent to the model": {
    turns: [CALL, END],
    options: { tools: failing, onToolError: "feedback" },
    expected: { text: "One moment. At 9:35.", asked: 2, budget: 9, emitted: /The tool 'ferry' failed: no ferry today/ },
  },
  "completed, with an unknown tool reported to the model": {
    turns: [{ ...CALL, toolCalls: [{ name: "boat", arguments: {} }] }, END],
    options: { onToolError: "feedback" },
    expected: { text: "One moment. At 9:35.", asked: 2, budget: 9, emitted: /Unknown tool 'boat'\. Tools: ferry/ },
  },
  "completed, with invalid arguments reported to the model": {
    turns: [{ ...CALL, toolCalls: [{ name: "ferry", arguments: '{"port":' }] }, END],
    options: { onToolError: "feedback" },
    expected: { text: "One moment. At 9:35.", asked: 2, emitted: /must be a JSON object/ },
  },
  "tool_parse_error, an unknown tool, after the signal": {
    turns: [{ ...CALL, toolCalls: [{ name: "boat", arguments: {} }, DONE] }],
    expected: { code: "tool_parse_error", text: "One moment. ", asked: 1, signals: [SIGNAL], budget: 10 },
  },
  "tool_parse_error, broken arguments": {
    turns: [{ ...CALL, toolCalls: [{ name: "ferry", arguments: '{"port":' }] }],
    expected: {
      code: "tool_parse_error",
      text: "One moment. ",
      asked: 1,
      message: /'ferry' must be a JSON object, got "\{"port":/,
    },
  },
  "tool_parse_error, arguments that aren't an object": {
    turns: [{ ...CALL, toolCalls: [{ name: "ferry", arguments: "[1]" }] }],
    expected: { code: "tool_parse_error", text: "One moment. ", asked: 1 },
  },
  "tool_execution_error, a tool that fails": {
    turns: [CALL],
    options: { tools: failing },
    expected: {
      code: "tool_execution_error",
      text: "One moment. ",
      asked: 1,
      message: /no ferry today/,
      cause: "no ferry today",
    },
  },
  "tool_execution_error, a tool that takes too long": {
    turns: [CALL],
    options: { tools: { ferry: () => new Promise(() => {}) }, toolTimeoutMs: 50 },
    expected: { code: "tool_execution_error", text: "One moment. ", asked: 1, message: /longer than 50 ms/ },
  },
  "tool_execution_error, the budget": {
    turns: [CALL, { ...CALL, toolCalls: [FERRY, FERRY] }],
    options: { toolBudget: 2 },
    expected: {
      code: "tool_execution_error",
      text: "One moment. One moment. ",
      asked: 2,
      budget: 1,
      message: /Tool budget exhausted: this turn needs \d+, but \d+ is left/,
    },
  },
  "unknown_error, a lost connection": {
    turns: [CALL, { text: "At 9:35 and at noon.", fault: { cut: 5 } }],
    expected: { code: "unknown_error", startsWith: "One moment. At", asked: 2 },
  },
  "unknown_error, an end in the middle": {
    turns: [{ text: "At 9:35 and at noon.", fault: { end: 5 } }],
    expected: { code: "unknown_error", startsWith: "At", asked: 1, message: /ended before the answer did/ },
  },
  "provider_error, of the provider": {
    turns: [{ text: "At", error: { message: "Overloaded" } }],
    expected: { code: "provider_error", text: "At", asked: 1, message: /Overloaded/ },
  },
  "provider_error, a gateway's error page": {
    turns: [{ status: 502, body: "<html>Bad gateway</html>" }],
    expected: { code: "provider_error", text: "", asked: 1, message: /502.*<html>Bad gateway/ },
  },
  "provider_error, an answer of HTTP": {
    turns: [{ status: 401, error: { message: "Wrong key" } }],
    options: { maxRetries: 3 },
    expected: { code: "provider_error", text: "", asked: 1, message: /HTTP status 401: Wrong key/ },
  },
  stall_timeout: {
    turns: [{ text: "At 9:35 and at noon.", fault: { stall: 5 } }],
    options: { stallTimeoutMs: 1000 },
    expected: { code: "stall_timeout", startsWith: "At", asked: 1, message: /1000 ms/ },
  },
  "stall_timeout, twice": {
    turns: [
      { text: "At 9:35 and at noon.", fault: { stall: 5 } },
      { text: "At 9:35 and at noon.", fault: { stall: 5 } },
    ],
    options: { stallTimeoutMs: 1000, maxRetries: 1 },
    expected: { code: "stall_timeout", startsWith: "At", asked: 2 },
  },
  refusal: {
    turns: [{ refusal: "I can't do that." }],
    expected: { code: "refusal", asked: 1, message: /Model refused: I can't do that\./ },
  },
};

for (const api of APIS) {
  describe(api, () => {
    for (const [name, { turns, options, expected }] of Object.entries(ROWS)) {
      if (api === "bedrock-converse" && turns[0].fault?.garbage) continue; // in binary messages, garbage is damage
      if (name === "refusal" && !REFUSING.includes(api)) continue;
      test(name, async () => {
        const clock = new FakeClock();
        const { request, conversation } = ask(api, [...turns], { tools, exitTools, clock, ...options });
        const states = new Set([request.state]);
        const deltas = [];
        const listen = (async () => {
          for await (const delta of request) {
            deltas.push(delta);
            states.add(request.state);
          }
        })();
        assert.throws(() => request.getResult(), { code: "request-running" });
        await clock.runUntil(listen);
        const result = await resultOf(request);
        assert.equal(result.state, expected.code === undefined ? "completed" : "failed");
        assert.equal(request.state, result.state);
        assert.ok(states.has("running"));
        check(result, expected);
        assert.equal(
          deltas
            .filter(({ type }) => type === "text")
            .map(({ text }) => text)
            .join(""),
          result.text,
        );
        assert.equal(conversation.received.length, expected.asked);
        assert.ok(
          conversation.received.every(({ isRefused }) => !isRefused),
          "the server accepts all requests",
        );
        if (expected.emitted) assert.match(JSON.stringify(conversation.received.at(-1).body), expected.emitted);
        const { ends, live } = await settled(conversation);
        assert.ok(!ends.includes("open"), `${ends}`);
        assert.deepEqual([live, clock.pending], [0, 0]);
      });
    }
  });
}

function check(result, expected) {
  assert.equal(result.failure?.code, expected.code);
  if (expected.message) assert.match(result.failure.message, expected.message);
  if (expected.cause) assert.equal(result.failure.cause.message, expected.cause);
  if (expected.text !== undefined) assert.equal(result.text, expected.text);
  assert.ok(result.text.startsWith(expected.startsWith ?? "") && result.text.endsWith(expected.endsWith ?? ""), result.text);
  assert.deepEqual(result.signals, expected.signals ?? []);
  if (expected.budget !== undefined) assert.equal(result.toolBudgetRemaining, expected.budget);
  if (expected.prompt !== undefined) assert.equal(result.usage.promptTokens, expected.prompt);
  if (expected.finishReason) assert.equal(result.finishReason, expected.finishReason);
  assert.equal(
    result.iterations,
    expected.iterations ?? expected.asked - (expected.code === "stall_timeout" ? expected.asked - 1 : 0),
  );
}
