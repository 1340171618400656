// State that the server keeps between turns: Anthropic's containers and pauses, and conversations that OpenAI stores.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { runRequest, tool } from "respool";

const tide = tool({ description: "The tide", execute: () => "9:35" });

/** Runs a request with these answers. Its payloads are in `asked`. */
async function run(answers, options) {
  const asked = [];
  const transport = (payload) => {
    asked.push(payload);
    return answers[asked.length - 1] ?? answers.at(-1);
  };
  const result = await runRequest({ transport, ...options }).result();
  return { result, asked };
}

const message = (content, stop_reason, more) => [
  { type: "message", role: "assistant", content, stop_reason, usage: { input_tokens: 5, output_tokens: 2 }, ...more },
];
const question = { role: "user", content: "Which ferry?" };
const use = { type: "tool_use", id: "toolu_1", name: "tide", input: {} };
const search = { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "ferries" } };
const text = (words) => ({ type: "text", text: words });
const container = { id: "container_7", expires_at: "2031-01-01T00:00:00Z" };

describe("Anthropic's container", () => {
  const answers = [message([use], "tool_use", { container }), message([use], "tool_use"), message([text("At 10.")], "end_turn")];
  const ask = async (params) => {
    const options = { api: "anthropic-messages", messages: [question], tools: { tide }, params };
    const { asked } = await run(answers, options);
    return asked.map((payload) => payload.container);
  };

  test("is named in each request after it", async () => {
    for (const params of [undefined, { container: null }]) {
      assert.deepEqual((await ask(params)).slice(1), ["container_7", "container_7"]);
    }
  });

  test("is the user's if the user names one", async () => {
    assert.deepEqual(await ask({ container: "mine" }), ["mine", "mine", "mine"]);
    const mine = { id: "mine", skills: [] };
    assert.deepEqual(await ask({ container: mine }), [mine, mine, mine]);
  });

  test("keeps the user's skills", async () => {
    const skills = [{ type: "anthropic", skill_id: "xlsx" }];
    const named = { skills, id: "container_7" };
    assert.deepEqual(await ask({ container: { skills } }), [{ skills }, named, named]);
  });
});

describe("a turn of Anthropic that pauses", () => {
  const paused = message([text("I search. "), search], "pause_turn", { container });
  const end = message([text("At 10.")], "end_turn");
  const options = { api: "anthropic-messages", messages: [question] };

  test("is continued with its answer", async () => {
    const { result, asked } = await run([paused, end], options);
    const answer = { role: "assistant", content: [text("I search. "), search] };
    assert.deepEqual(asked[1].messages, [question, answer]);
    assert.equal(asked[1].container, "container_7");
    const { state, text: all, finalText, iterations, toolBudgetRemaining, usage, steps, newMessages } = result;
    assert.deepEqual(
      [state, all, finalText, iterations, toolBudgetRemaining, usage.inputTokens, steps.length],
      ["completed", "I search. At 10.", "At 10.", 2, 9, 10, 2],
    );
    assert.deepEqual(newMessages, [answer, { role: "assistant", content: [text("At 10.")] }]);
  });

  test("is continued after it has summarised the conversation", async () => {
    const summary = { type: "compaction", content: "The user asks for the tide.", encrypted_content: null };
    const { result, asked } = await run([message([summary], "compaction"), end], options);
    assert.deepEqual(asked[1].messages, [question, { role: "assistant", content: [summary] }]);
    assert.deepEqual([result.state, result.finalText], ["completed", "At 10."]);
  });

  test("counts against the budget, so that a request ends", async () => {
    for (const budgetUnit of ["call", "iteration"]) {
      const { result, asked } = await run([paused], { ...options, budgetUnit, toolBudget: 3 });
      assert.deepEqual([result.state, result.failure.code, asked.length], ["failed", "tool_execution_error", 4]);
    }
  });

  test("runs the tools that it calls", async () => {
    const { result, asked } = await run([message([search, use], "pause_turn"), end], { ...options, tools: { tide } });
    assert.equal(asked[1].messages.at(-1).content[0].tool_use_id, "toolu_1");
    assert.equal(result.toolBudgetRemaining, 9);
  });

  test("ends the request if it calls an exit tool", async () => {
    const { result } = await run([message([use], "pause_turn")], { ...options, exitTools: ["tide"] });
    assert.deepEqual([result.state, result.signals.length], ["completed", 1]);
  });
});

describe("a conversation that OpenAI stores", () => {
  const response = (id, output) => [{ id, object: "response", status: "completed", output }];
  const call = (number) => ({
    type: "function_call",
    id: `fc_${number}`,
    call_id: `call_x${number}`,
    name: "tide",
    arguments: "{}",
  });
  const reasoning = { type: "reasoning", id: "rs_1", summary: [] };
  const outputMessage = (words) => ({
    type: "message",
    id: "msg_1",
    role: "assistant",
    content: [{ type: "output_text", text: words }],
  });
  const answers = [
    response("resp_1", [reasoning, call(1)]),
    response("resp_2", [call(2)]),
    response("resp_3", [outputMessage("At 10.")]),
  ];
  const options = { api: "openai-responses", messages: [question], tools: { tide } };
  const output = (number) => ({ type: "function_call_output", call_id: `call_x${number}`, output: "9:35" });

  test("gets only new items", async () => {
    for (const conversation of ["conv_1", { id: "conv_1" }]) {
      const { result, asked } = await run(answers, { ...options, params: { conversation } });
      assert.deepEqual(
        asked.map(({ input }) => input),
        [[question], [output(1)], [output(2)]],
      );
      assert.deepEqual(result.messages, [question, reasoning, call(1), output(1), call(2), output(2), outputMessage("At 10.")]);
    }
  });

  test("gets all items if it isn't stored", async () => {
    const { asked } = await run(answers, { ...options, params: { conversation: null } });
    assert.deepEqual(asked[2].input, [question, reasoning, call(1), output(1), call(2), output(2)]);
  });

  test("gets calls that were found in text", async () => {
    const written = outputMessage('<tool_call>{"name":"tide","arguments":{}}</tool_call>');
    const params = { conversation: "conv_1" };
    const { asked } = await run([response("resp_1", [written]), answers[2]], { ...options, params, fallback: true });
    assert.deepEqual(
      asked[1].input.map(({ type }) => type),
      ["function_call", "function_call_output"],
    );
  });

  test("gets what a computer says in place of a screenshot", async () => {
    const click = { type: "computer_call", id: "cu_1", call_id: "call_x1", action: { type: "wait" }, status: "completed" };
    const computer = () => "The window is closed";
    const params = { conversation: "conv_1" };
    const turns = [response("resp_1", [click]), answers[2]];
    const { asked } = await run(turns, { ...options, params, tools: { computer } });
    const [note, { type }, ...rest] = asked[1].input;
    assert.deepEqual([note, type, rest], [{ role: "user", content: computer() }, "computer_call_output", []]);
  });

  test("gets the messages that rebuildConversation returns", async () => {
    const short = [{ role: "user", content: "In short: which ferry?" }];
    const hint = { role: "user", content: "Be brief." };
    const ask = async (rebuildConversation) => {
      const { asked } = await run([answers[0], answers[2]], { ...options, params: { conversation: "c" }, rebuildConversation });
      return asked[1].input;
    };
    assert.deepEqual(await ask(() => short), short);
    assert.deepEqual(await ask((messages) => messages), [output(1)]);
    assert.deepEqual(await ask((messages) => [...messages, hint]), [output(1), hint]);
  });
});
