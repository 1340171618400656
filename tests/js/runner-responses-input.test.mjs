// Items in the form that Responses accepts in requests, and the calls that it defines, as tools see and answer them.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import OpenAI from "openai";
import { decode, formatToolMessages, runRequest } from "respool";

const CALL = { type: "function_call", id: "fc_1", call_id: "c1", name: "tide", arguments: '{"port":"Bodø"}' };
const CALLS = [{ id: "c1", name: "tide", arguments: CALL.arguments }];
const answer = (...output) => ({ object: "response", status: "completed", output });

/** Sends items back before a call. Returns them as they are sent. */
function sentBack(...items) {
  const sent = formatToolMessages("openai-responses", decode(answer(...items, CALL)), CALLS, ["high"]);
  assert.equal(sent.at(-2).type, "function_call");
  return sent.slice(0, -2);
}

describe("members that only answers have aren't sent back", () => {
  const OUTPUT_ONLY = {
    image_generation_call: [
      { id: "ig_1", status: "completed", result: "aW1n" },
      { action: "generate", background: "opaque", output_format: "png", quality: "high", size: "1x1", revised_prompt: "A pier" },
    ],
    compaction: [
      { id: "cmp_1", encrypted_content: "c2Vj" },
      { created_by: "user_1", status: "completed" },
    ],
    custom_tool_call_output: [
      { id: "cto_1", call_id: "p1", caller: { type: "program", caller_id: "prog_1" }, output: "1 row" },
      { created_by: "user_1", status: "completed" },
    ],
    shell_call_output: [{ id: "so_1", call_id: "p2", output: [], status: "completed" }, { created_by: "user_1" }],
    apply_patch_call_output: [{ id: "ao_1", call_id: "p3", status: "completed", output: "done" }, { created_by: "user_1" }],
    tool_search_output: [{ id: "to_1", execution: "server", tools: [], status: "completed" }, { created_by: "user_1" }],
    reasoning: [{ id: "rs_1", summary: [], encrypted_content: "c2Vj", signature: "s" }, { status: "completed" }],
  };
  for (const [type, [taken, others]] of Object.entries(OUTPUT_ONLY)) {
    test(type, () => assert.deepEqual(sentBack({ type, ...taken, ...others }), [{ type, ...taken }]));
  }

  test("the author of a piece of a shell's output", () => {
    const chunk = { stdout: "a", stderr: "", outcome: { type: "exit", exit_code: 0 } };
    const item = { type: "shell_call_output", id: "so_1", call_id: "p1" };
    assert.deepEqual(sentBack({ ...item, output: [{ ...chunk, created_by: "user_1" }] }), [{ ...item, output: [chunk] }]);
  });

  test("tools that the server added are sent back only in a role that requests may have", () => {
    const added = { type: "additional_tools", id: "at_1", role: "developer", tools: [] };
    assert.deepEqual(sentBack({ ...added, role: "unknown" }, added), [added]);
  });

  test("items are sent back with all members that the API accepts, and unknown items unchanged", () => {
    const text = { type: "output_text", text: "Hm.", annotations: [], logprobs: [] };
    const items = [
      { type: "message", id: "msg_1", role: "assistant", status: "completed", phase: "commentary", content: [text] },
      { type: "web_search_call", id: "ws_1", status: "completed", action: { type: "search", query: "q", sources: [] } },
      { type: "code_interpreter_call", id: "ci_1", status: "completed", container_id: "c", code: "1", outputs: null },
      { type: "mcp_call", id: "mcp_1", name: "f", server_label: "s", arguments: "{}", output: "1", error: null },
      { type: "later_call", id: "lc_1", action: "generate", size: "1x1", output: ["a", { b: 1 }] },
    ];
    assert.deepEqual(sentBack(...items), items);
  });
});

describe("values parsed by OpenAI's SDK aren't sent back", () => {
  const clientOf = (body) => new OpenAI({ apiKey: "key", fetch: async () => Response.json(body) });
  const parameters = { type: "object", properties: { port: { type: "string" } } };

  test("of Responses", async () => {
    const message = { type: "message", id: "msg_1", role: "assistant", status: "completed" };
    const items = [{ ...message, content: [{ type: "output_text", text: "{}", annotations: [] }] }, CALL];
    const tools = [{ type: "function", name: "tide", strict: true, parameters }];
    const parsed = await clientOf(answer(...items)).responses.parse({ model: "m", input: "Tide?", tools });
    assert.deepEqual(parsed.output[1].parsed_arguments, { port: "Bodø" });
    const sent = formatToolMessages("openai-responses", decode(parsed), CALLS, ["high"]);
    assert.deepEqual(sent.slice(0, -1), items);
  });

  test("of chat", async () => {
    const call = { id: "c1", type: "function", function: { name: "tide", arguments: CALL.arguments } };
    const message = { role: "assistant", content: null, tool_calls: [call] };
    const body = { object: "chat.completion", choices: [{ index: 0, message, finish_reason: "tool_calls" }] };
    const tools = [{ type: "function", function: { name: "tide", strict: true, parameters } }];
    const parsed = await clientOf(body).chat.completions.parse({ model: "m", messages: [], tools });
    assert.deepEqual(parsed.choices[0].message.tool_calls[0].function.parsed_arguments, { port: "Bodø" });
    const [sent] = formatToolMessages("openai-chat", decode(parsed), CALLS, ["high"]);
    assert.deepEqual(sent, message);
  });
});

describe("safety checks of a computer call", () => {
  const CHECKS = [{ id: "sc_1", code: "malicious_instructions", message: "Check it." }];
  const screenshot = { type: "computer_screenshot", image_url: "data:image/png;base64,AA" };
  const item = (id) => ({ type: "computer_call", id: `cu_${id}`, call_id: id, actions: [{ type: "screenshot" }] });
  const flagged = { ...item("c2"), status: "completed", pending_safety_checks: CHECKS };
  const added = (output, index) => [
    { type: "response.output_item.added", output_index: index, item: { ...output, status: "in_progress" } },
    { type: "response.output_item.done", output_index: index, item: output },
  ];
  const SOURCES = {
    "a complete body": [answer(item("c1"), flagged)],
    "a stream": [...[item("c1"), flagged].flatMap(added), { type: "response.completed", response: answer() }],
  };
  for (const [name, source] of Object.entries(SOURCES)) {
    test(`reach the tool, and are acknowledged: ${name}`, async () => {
      const answers = [source, [answer({ type: "message", content: [{ type: "output_text", text: "Done." }] })]];
      const seen = [];
      const computer = (_actions, { outputItem }) => {
        seen.push(outputItem.pending_safety_checks);
        return { output: screenshot, acknowledged_safety_checks: outputItem.pending_safety_checks };
      };
      const request = runRequest({
        transport: () => answers.shift(),
        api: "openai-responses",
        messages: [],
        params: { tools: [{ type: "computer" }] },
        tools: { computer },
      });
      const { newMessages } = await request.result();
      assert.deepEqual(seen, [undefined, CHECKS]);
      const outputs = newMessages.filter(({ type }) => type === "computer_call_output");
      assert.deepEqual(JSON.parse(JSON.stringify(outputs)), [
        { type: "computer_call_output", call_id: "c1", output: screenshot },
        { type: "computer_call_output", call_id: "c2", output: screenshot, acknowledged_safety_checks: CHECKS },
      ]);
    });
  }

  test("may be beside the screenshot's own members", () => {
    const result = { ...screenshot, acknowledged_safety_checks: CHECKS };
    const call = { id: "c2", name: "computer", arguments: "{}" };
    const [, { output, acknowledged_safety_checks: checks }] = formatToolMessages(
      "openai-responses",
      decode(answer(flagged)),
      [call],
      [result],
    );
    assert.deepEqual([output, checks], [screenshot, CHECKS]);
  });

  test("the context of other interfaces' calls has no item", async () => {
    let context;
    const call = { id: "c1", function: { name: "tide", arguments: "{}" } };
    const answers = [
      [{ choices: [{ delta: { tool_calls: [call] }, finish_reason: "tool_calls" }] }],
      [{ choices: [{ delta: { content: "High." }, finish_reason: "stop" }] }],
    ];
    const tide = (_args, given) => {
      context = given;
    };
    await runRequest({ transport: () => answers.shift(), messages: [], tools: { tide } }).result();
    assert.deepEqual(Object.keys(context).sort(), ["signal", "toolCall"]);
  });
});
