// Tool calls that a model writes as text, and a model that repeats itself, with each interface.
import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { runRequest } from "respool";
import { APIS, ask, resultOf, server, settled, messagesTo } from "./requests.mjs";

after(() => server.close());

const call = (name, given) => `<tool_call>{"name": "${name}", "arguments": ${given}}</tool_call>`;
const FERRY = call("ferry", '{"port":"Bodø"}');
const DONE = call("done", '{"ok":true}');
const END = { text: "At 9:35." };

const parameters = { type: "object", properties: { port: { type: "string" }, ok: { type: "boolean" } } };
const definitionsOf = {
  "openai-chat": (name) => ({ type: "function", function: { name, parameters } }),
  "openai-responses": (name) => ({ type: "function", name, parameters }),
  "anthropic-messages": (name) => ({ name, input_schema: parameters }),
  gemini: (name) => ({ functionDeclarations: [{ name, parametersJsonSchema: parameters }] }),
  "bedrock-converse": (name) => ({ toolSpec: { name, inputSchema: { json: parameters } } }),
  "gemini-interactions": (name) => ({ type: "function", name, parameters }),
  "ollama-chat": (name) => ({ type: "function", function: { name, parameters } }),
  "cohere-chat": (name) => ({ type: "function", function: { name, parameters } }),
};

const ROWS = {
  "completed, after a call": {
    turns: [{ text: `One moment. ${FERRY}` }, END],
    expected: { text: "One moment. At 9:35.", asked: 2, budget: 9 },
  },
  "completed, after two": { turns: [{ text: `${FERRY}${FERRY}` }, END], expected: { text: "At 9:35.", asked: 2, budget: 8 } },
  "completed, with a signal": { turns: [{ text: `Bye.${DONE}` }], expected: { text: "Bye.", asked: 1, signals: ["done"] } },
  "completed, with a signal beside a call": {
    turns: [{ text: `${FERRY}${DONE}` }, END],
    expected: { text: "At 9:35.", asked: 2, signals: ["done"] },
  },
  "completed: a call in its proper place goes first": {
    turns: [{ text: ["One moment. ", FERRY], toolCalls: [{ name: "ferry", arguments: { port: "Bodø" } }] }, END],
    expected: { text: "One moment. At 9:35.", asked: 2, budget: 9 },
  },
  "completed, without the option: it is text": {
    turns: [{ text: `A${FERRY}` }],
    options: { fallback: false },
    expected: { text: `A${FERRY}`, asked: 1, budget: 10 },
  },
  "completed, with a tool's error sent to the model": {
    turns: [{ text: FERRY }, END],
    options: { tools: { ferry: () => Promise.reject(new Error("closed")) }, onToolError: "feedback" },
    expected: { text: "At 9:35.", asked: 2, budget: 9, emitted: /closed/ },
  },
  "tool_parse_error, an unknown tool": {
    turns: [{ text: call("boat", "{}") }],
    expected: { code: "tool_parse_error", text: call("boat", "{}"), asked: 1 },
  },
  "tool_parse_error, broken arguments": {
    turns: [{ text: call("ferry", "nonsense") }],
    expected: { code: "tool_parse_error", asked: 1 },
  },
  "tool_execution_error, a tool that fails": {
    turns: [{ text: `One moment. ${FERRY}` }],
    options: { tools: { ferry: () => Promise.reject(new Error("closed")) } },
    expected: { code: "tool_execution_error", text: "One moment. ", asked: 1 },
  },
  "tool_execution_error: text counts against the budget": {
    turns: () => ({ text: `Again. ${FERRY}` }),
    options: { toolBudget: 2 },
    expected: { code: "tool_execution_error", text: "Again. Again. Again. ", asked: 3, budget: 0 },
  },
  "a signal that the server has found, too": {
    turns: [{ text: ["Bye. ", DONE], toolCalls: [{ name: "done" }] }],
    expected: { text: "Bye. ", signals: ["done"], asked: 1 },
  },
  "unknown_error, a lost connection": {
    turns: [{ text: ["One ", "moment. ", FERRY, "and ", "the ", "rest"], fault: { cut: 6 } }],
    expected: { code: "unknown_error", startsWith: "One", asked: 1, budget: 10 },
  },
  repeated_line_loop: {
    turns: [{ text: Array.from({ length: 100 }, () => "The ferry leaves at 9:35 from the quay in Bodø.\n") }],
    expected: { code: "repeated_line_loop", startsWith: "The ferry leaves", asked: 1 },
  },
};

for (const api of APIS) {
  describe(api, () => {
    for (const [name, { turns, options, expected }] of Object.entries(ROWS)) {
      test(name, async () => {
        const script = Array.isArray(turns) ? [...turns] : turns;
        const toolDefinitions = ["ferry", "done"].map(definitionsOf[api]);
        const tools = { ferry: ({ port }) => `${port}: 9:35` };
        const given = { tools, exitTools: ["done"], toolDefinitions, fallback: true, loopDetector: true, ...options };
        const { request, conversation } = ask(api, script, given);
        const result = await resultOf(request);
        assert.deepEqual(
          [result.state, result.failure?.code],
          [expected.code ? "failed" : "completed", expected.code],
          result.failure?.message,
        );
        if (expected.text !== undefined) assert.equal(result.text, expected.text);
        assert.ok(result.text.startsWith(expected.startsWith ?? ""));
        assert.deepEqual(
          result.signals.map((signal) => signal.name),
          expected.signals ?? [],
        );
        if (expected.budget !== undefined) assert.equal(result.toolBudgetRemaining, expected.budget);
        assert.equal(conversation.received.length, expected.asked);
        assert.ok(
          conversation.received.every(({ isRefused }) => !isRefused),
          "the server accepts all requests",
        );
        assert.ok(!JSON.stringify(conversation.received.at(-1).body).includes("<tool_call>"), "calls are removed from the text");
        if (expected.emitted) assert.match(JSON.stringify(messagesTo(conversation)), expected.emitted);
        const { ends, live } = await settled(conversation);
        assert.ok(!ends.includes("open") && !ends.includes("stalled"));
        assert.equal(live, 0);
      });
    }
  });
}

test("calls in answers without an id get ids that are unique in the conversation", async () => {
  const chunk = (content) => ({ choices: [{ delta: { content }, finish_reason: "stop" }] });
  const ids = async (messages, turns) => {
    const answers = [...turns];
    const tools = { ferry: () => "9:35" };
    const transport = () => [chunk(answers.shift())];
    const result = await runRequest({ transport, messages, tools, fallback: true }).result();
    const made = result.newMessages.flatMap((message) => message.tool_call_id ?? message.tool_calls?.map(({ id }) => id) ?? []);
    return { made, messages: result.messages };
  };
  const first = await ids([], [`${FERRY}${FERRY}`, FERRY, "At 9:35."]);
  assert.deepEqual(first.made, ["call_0", "call_1", "call_0", "call_1", "call_0_2", "call_0_2"]);
  assert.deepEqual((await ids(first.messages, [FERRY, "At 9:35."])).made, ["call_0_3", "call_0_3"]);
});

test("generated ids are unique, and calls keep their extra fields, even in a rebuilt conversation", async () => {
  const extra_content = { google: { thought_signature: "c2ln" } };
  const call = { index: 0, extra_content, function: { name: "ferry", arguments: "{}" } };
  for (const rebuildConversation of [undefined, (messages) => [{ role: "system", content: "Be brief." }, ...messages]]) {
    let turns = 0;
    const transport = () => [
      turns++ < 3
        ? { choices: [{ delta: { tool_calls: [call] }, finish_reason: "tool_calls" }] }
        : { choices: [{ delta: { content: "Ok" }, finish_reason: "stop" }] },
    ];
    const options = { transport, messages: [], tools: { ferry: () => "9:35" }, rebuildConversation };
    const { newMessages } = await runRequest(options).result();
    const calls = newMessages.flatMap((message) => message.tool_calls ?? []);
    assert.deepEqual(
      calls.map(({ id, extra_content: extra }) => [id, extra]),
      ["call_0", "call_0_2", "call_0_3"].map((id) => [id, extra_content]),
    );
  }
});

test("the fallback knows tools that only have a handler, are in params, or end the request", async () => {
  const ports = [];
  const answers = ['<tool_call>{"name": "tide", "arguments": {"port": "Bodø"}}</tool_call>', "High at 9:35."];
  const transport = () => [{ choices: [{ delta: { content: answers.shift() }, finish_reason: "stop" }] }];
  const handlers = { tide: ({ port }) => void ports.push(port) };
  for (const options of [{ tools: handlers }, { tools: handlers, params: { tools: [{ name: "other" }] } }]) {
    answers.splice(0, answers.length, '<tool_call>{"name": "tide", "arguments": {"port": "Bodø"}}</tool_call>', "High at 9:35.");
    const { state } = await runRequest({
      transport,
      api: "openai-chat",
      messages: [],
      fallback: { formats: ["hermes"] },
      ...options,
    }).result();
    assert.equal(state, "completed");
  }
  assert.deepEqual(ports, ["Bodø", "Bodø"]);
  answers.splice(0, answers.length, '<tool_call>{"name": "done", "arguments": {}}</tool_call>');
  const { signals } = await runRequest({ transport, messages: [], exitTools: ["done"], fallback: true }).result();
  assert.deepEqual(
    signals.map(({ name }) => name),
    ["done"],
  );
});
