// The messages with the results of tools, in the forms that providers document.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { decode, formatToolMessages, runRequest, streamDeltas } from "respool";

const toolCall = (id, name = "tide", given = "{}") => ({ id, name, arguments: given });
const text = (...texts) => ({ content: texts.map((part) => ({ type: "text", text: part })) });
const IMAGE = { type: "image", data: "iVBOR", mimeType: "image/png" };
const failed = { content: [{ type: "text", text: "closed" }], isError: true };

describe("chat completions", () => {
  const call = (id, rest) => ({ id, type: "function", function: { name: "tide", arguments: '{"n":1}' }, ...rest });
  const answer = (message) => decode({ choices: [{ index: 0, message, finish_reason: "tool_calls" }] });

  test("contain only the calls that were run", () => {
    const response = answer({ role: "assistant", content: "Hm.", tool_calls: [call("a"), call("b"), call("c")] });
    assert.deepEqual(
      formatToolMessages("openai-chat", response, [toolCall("a", "tide", '{"n":1}'), toolCall("c")], ["high", failed]),
      [
        {
          role: "assistant",
          content: "Hm.",
          tool_calls: [
            { id: "a", type: "function", function: { name: "tide", arguments: '{"n":1}' } },
            { id: "c", type: "function", function: { name: "tide", arguments: "{}" } },
          ],
        },
        { role: "tool", tool_call_id: "a", content: "high" },
        { role: "tool", tool_call_id: "c", content: "Error: closed" },
      ],
    );
  });

  test("missing text is null", () => {
    const [assistant] = formatToolMessages(
      "openai-chat",
      answer({ content: null, tool_calls: [call("a")] }),
      [toolCall("a")],
      [""],
    );
    assert.equal(assistant.content, null);
  });

  test("extra fields of a call are sent back", () => {
    const extra_content = { google: { thought_signature: "c2ln" } };
    const response = answer({ content: null, tool_calls: [call("a", { extra_content })] });
    const [{ tool_calls }] = formatToolMessages("openai-chat", response, [toolCall("a")], ["high"]);
    assert.deepEqual(tool_calls, [{ extra_content, id: "a", type: "function", function: { name: "tide", arguments: "{}" } }]);
  });

  test("reasoning is sent back, signed details unchanged", () => {
    const details = [{ type: "reasoning.text", text: "Hm.", signature: "c2ln", index: 0 }];
    const plain = answer({ reasoning_content: "Hm.", tool_calls: [call("a")] });
    const signed = answer({ reasoning: "Hm.", reasoning_details: details, tool_calls: [call("a")] });
    assert.equal(formatToolMessages("openai-chat", plain, [toolCall("a")], [""])[0].reasoning_content, "Hm.");
    const [{ reasoning_details, reasoning_content }] = formatToolMessages("openai-chat", signed, [toolCall("a")], [""]);
    assert.deepEqual([reasoning_details, reasoning_content], [details, undefined]);
  });

  test("parts: texts stay separate, images go into a user message", () => {
    const response = answer({ content: null, tool_calls: [call("a"), call("b")] });
    const results = [{ content: [...text("one", "two").content, IMAGE] }, "high"];
    const [, ...messages] = formatToolMessages("openai-chat", response, [toolCall("a"), toolCall("b")], results);
    assert.deepEqual(messages, [
      {
        role: "tool",
        tool_call_id: "a",
        content: [
          { type: "text", text: "one" },
          { type: "text", text: "two" },
        ],
      },
      { role: "tool", tool_call_id: "b", content: "high" },
      { role: "user", content: [{ type: "image_url", image_url: { url: "data:image/png;base64,iVBOR" } }] },
    ]);
  });

  test("arguments that aren't an object are sent back as an empty one", () => {
    const response = answer({ content: null, tool_calls: [call("a")] });
    for (const given of ["", "{", "[1]", '"text"']) {
      const [{ tool_calls }] = formatToolMessages("openai-chat", response, [toolCall("a", "tide", given)], [failed]);
      assert.equal(tool_calls[0].function.arguments, "{}");
    }
  });

  test("integers keep all digits", () => {
    const given = '{"n": 12345678901234567890}';
    const response = answer({ content: null, tool_calls: [call("a")] });
    const [{ tool_calls }] = formatToolMessages("openai-chat", response, [toolCall("a", "tide", given)], [""]);
    assert.equal(tool_calls[0].function.arguments, given);
  });
});

describe("Responses", () => {
  const reasoning = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "c2Vj" };
  const message = { type: "message", id: "msg_1", role: "assistant", content: [{ type: "output_text", text: "Hm." }] };
  const call = (id) => ({ type: "function_call", id: `fc_${id}`, call_id: id, name: "tide", arguments: "{}" });
  const answer = (...output) => decode({ object: "response", status: "completed", output });

  test("the items unchanged, without calls that weren't run, then the outputs", () => {
    const response = answer(reasoning, message, call("a"), call("b"));
    assert.deepEqual(formatToolMessages("openai-responses", response, [toolCall("b")], ["high"]), [
      reasoning,
      message,
      call("b"),
      { type: "function_call_output", call_id: "b", output: "high" },
    ]);
  });

  test("reasoning that belongs only to omitted items isn't sent back", () => {
    const later = { ...reasoning, id: "rs_2" };
    const response = answer(reasoning, call("a"), later, call("b"));
    const items = formatToolMessages("openai-responses", response, [toolCall("a")], ["high"]);
    assert.deepEqual(
      items.map(({ type }) => type),
      ["reasoning", "function_call", "function_call_output"],
    );
  });

  test("the same in the middle", () => {
    const thought = (n) => ({ ...reasoning, id: `rs_${n}` });
    const response = answer(thought(1), call("a"), thought(2), call("b"), thought(3), thought(4), call("c"), thought(5));
    const items = formatToolMessages("openai-responses", response, [toolCall("b")], ["high"]);
    assert.deepEqual(items.slice(0, -1), [thought(2), call("b")]);
  });

  test("reasoning before text that was removed", () => {
    const thought = (n) => ({ ...reasoning, id: `rs_${n}` });
    const response = answer(thought(1), message, thought(2), message, thought(3), call("a"));
    const idsWith = (left) =>
      formatToolMessages("openai-responses", { ...response, message: left }, [toolCall("a")], ["high"]).map(({ id }) => id);
    assert.deepEqual(idsWith(""), ["rs_3", "fc_a", undefined]);
    assert.deepEqual(idsWith("Well."), ["rs_1", undefined, "rs_3", "fc_a", undefined]);
  });

  test("a duplicate id", () => {
    const response = answer(call("a"), reasoning, call("a"));
    const ids = response.toolCalls.map(({ id }) => id);
    const items = formatToolMessages(
      "openai-responses",
      response,
      ids.map((id) => toolCall(id)),
      ["high", "low"],
    );
    assert.deepEqual(
      items.map(({ call_id, output }) => [call_id, output]),
      [
        ["a", undefined],
        [undefined, undefined],
        ["a_2", undefined],
        ["a", "high"],
        ["a_2", "low"],
      ],
    );
    assert.deepEqual(
      formatToolMessages("openai-responses", response, [toolCall("a_2")], [""]).map(({ call_id }) => call_id),
      [undefined, "a_2", "a_2"],
    );
  });

  test("parts and errors", () => {
    const response = answer(call("a"), call("b"), call("c"));
    const results = [{ content: [...text("one").content, IMAGE] }, failed, text("one", "two")];
    const items = formatToolMessages(
      "openai-responses",
      response,
      ["a", "b", "c"].map((id) => toolCall(id)),
      results,
    );
    assert.deepEqual(
      items.slice(3).map(({ output }) => output),
      [
        [
          { type: "input_text", text: "one" },
          { type: "input_image", detail: "auto", image_url: "data:image/png;base64,iVBOR" },
        ],
        "Error: closed",
        [
          { type: "input_text", text: "one" },
          { type: "input_text", text: "two" },
        ],
      ],
    );
  });

  test("each type of call has its type of output", () => {
    const action = { type: "exec", command: ["ls"] };
    const items = [
      { type: "custom_tool_call", id: "ct_1", call_id: "a", name: "sql", input: "SELECT 1" },
      { type: "local_shell_call", id: "ls_1", call_id: "b", action },
      { type: "shell_call", id: "sh_1", call_id: "c", action: { commands: ["ls"], max_output_length: 99 } },
      { type: "apply_patch_call", id: "ap_1", call_id: "d", operation: { type: "delete_file", path: "x" } },
      { type: "computer_call", id: "cu_1", call_id: "e", action: { type: "screenshot" } },
      { type: "tool_search_call", id: "ts_1", call_id: "f", execution: "client", arguments: {} },
    ];
    const response = answer(...items);
    const calls = response.toolCalls.map(({ id, name }) => toolCall(id, name));
    const image = { content: [IMAGE] };
    const outputsOf = (results) => formatToolMessages("openai-responses", response, calls, results).slice(items.length);
    const exit = (exit_code) => ({ type: "exit", exit_code });
    assert.deepEqual(
      JSON.parse(JSON.stringify(outputsOf(["1 row", "a b", "a b", "done", image, { tools: [{ type: "function", name: "f" }] }]))),
      [
        { type: "custom_tool_call_output", call_id: "a", output: "1 row" },
        { type: "local_shell_call_output", id: "b", output: "a b" },
        {
          type: "shell_call_output",
          call_id: "c",
          output: [{ stdout: "a b", stderr: "", outcome: exit(0) }],
          max_output_length: 99,
        },
        { type: "apply_patch_call_output", call_id: "d", status: "completed", output: "done" },
        {
          type: "computer_call_output",
          call_id: "e",
          output: { type: "computer_screenshot", image_url: "data:image/png;base64,iVBOR" },
        },
        { type: "tool_search_output", call_id: "f", execution: "client", tools: [{ type: "function", name: "f" }] },
      ],
    );
    const errors = JSON.parse(JSON.stringify(outputsOf(items.map(() => failed))));
    assert.deepEqual(errors.map(({ output }) => output).slice(0, 4), [
      "Error: closed",
      "Error: closed",
      [{ stdout: "", stderr: "closed", outcome: exit(1) }],
      "closed",
    ]);
    assert.deepEqual([errors[3].status, errors[5].tools], ["failed", []]);
  });

  test("a tool can return the item's fields", () => {
    const response = answer({ type: "shell_call", id: "sh_1", call_id: "c", action: { commands: ["ls"] } });
    const output = [{ stdout: "", stderr: "late", outcome: { type: "timeout" } }];
    const [, item] = formatToolMessages("openai-responses", response, [toolCall("c", "shell")], [{ output }]);
    assert.deepEqual(item.output, output);
  });

  test("a call found in text becomes an item", () => {
    const items = formatToolMessages("openai-responses", answer(reasoning, message), [toolCall("x")], ["high"]);
    assert.deepEqual(items.slice(2), [
      { type: "function_call", call_id: "x", name: "tide", arguments: "{}" },
      { type: "function_call_output", call_id: "x", output: "high" },
    ]);
  });
});

describe("Anthropic Messages", () => {
  const thinking = { type: "thinking", thinking: "Hm.", signature: "c2ln" };
  const redacted = { type: "redacted_thinking", data: "c2Vj" };
  const use = (id, input = { n: 1 }) => ({ type: "tool_use", id, name: "tide", input });
  const answer = (...content) => decode({ type: "message", role: "assistant", content, stop_reason: "tool_use" });

  test("the blocks unchanged, without calls that weren't run, then the results in one message", () => {
    const response = answer(thinking, redacted, { type: "text", text: "One moment." }, use("a"), use("b"), use("c"));
    const messages = formatToolMessages("anthropic-messages", response, [toolCall("a"), toolCall("c")], ["high", failed]);
    assert.deepEqual(messages, [
      { role: "assistant", content: [thinking, redacted, { type: "text", text: "One moment." }, use("a"), use("c")] },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "a", content: "high" },
          { type: "tool_result", tool_use_id: "c", content: "closed", is_error: true },
        ],
      },
    ]);
  });

  test("a duplicate id", () => {
    const response = answer(use("a"), { type: "text", text: "And:" }, use("a", { n: 2 }));
    const ids = response.toolCalls.map(({ id }) => id);
    const [assistant, user] = formatToolMessages(
      "anthropic-messages",
      response,
      ids.map((id) => toolCall(id)),
      ["high", "low"],
    );
    assert.deepEqual(assistant.content, [use("a"), { type: "text", text: "And:" }, use("a_2", { n: 2 })]);
    assert.deepEqual(
      user.content.map(({ tool_use_id, content }) => [tool_use_id, content]),
      [
        ["a", "high"],
        ["a_2", "low"],
      ],
    );
  });

  test("values that the interface rejects aren't sent back: empty text, input that isn't an object", () => {
    const response = answer({ type: "text", text: "" }, { type: "text", text: "\n\n" }, use("a", "{"));
    const [assistant] = formatToolMessages("anthropic-messages", response, [toolCall("a", "tide", "{")], [failed]);
    assert.deepEqual(assistant.content, [use("a", {})]);
  });

  test("parts", () => {
    const results = [{ content: [...text("one", "").content, IMAGE, { type: "document", source: { type: "url", url: "u" } }] }];
    const [, { content }] = formatToolMessages("anthropic-messages", answer(use("a")), [toolCall("a")], results);
    assert.deepEqual(content[0].content, [
      { type: "text", text: "one" },
      { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBOR" } },
      { type: "document", source: { type: "url", url: "u" } },
    ]);
  });

  test("a call found in text becomes a block", () => {
    const [{ content }] = formatToolMessages(
      "anthropic-messages",
      answer({ type: "text", text: "Hm." }),
      [toolCall("x", "tide", '{"n":2}')],
      [""],
    );
    assert.deepEqual(content, [{ type: "text", text: "Hm." }, use("x", { n: 2 })]);
  });
});

test("accepts the result of a stream", async () => {
  const deltas = streamDeltas([
    {
      choices: [
        { delta: { tool_calls: [{ id: "a", function: { name: "tide", arguments: "{}" } }] }, finish_reason: "tool_calls" },
      ],
    },
  ]);
  for await (const _ of deltas);
  const [assistant] = formatToolMessages("openai-chat", deltas.result, deltas.result.toolCalls, ["high"]);
  assert.equal(assistant.tool_calls[0].id, "a");
});

test("converts an answer to the form of another interface", () => {
  const response = decode({
    choices: [{ message: { content: "Hm.", tool_calls: [{ id: "a", function: { name: "tide", arguments: "{}" } }] } }],
  });
  const call = { type: "function_call", call_id: "a", name: "tide", arguments: "{}" };
  const result = { type: "function_call_output", call_id: "a", output: "high" };
  assert.deepEqual(formatToolMessages("openai-responses", response, [toolCall("a")], ["high"]), [
    { role: "assistant", content: "Hm." },
    call,
    result,
  ]);
  const [assistant] = formatToolMessages("anthropic-messages", response, [toolCall("a")], ["high"]);
  assert.deepEqual(assistant.content, [
    { type: "text", text: "Hm." },
    { type: "tool_use", id: "a", name: "tide", input: {} },
  ]);
});

test("the blocks of other interfaces aren't those of Anthropic", () => {
  const toolUse = { toolUseId: "a", name: "tide", input: {} };
  const bedrock = { output: { message: { role: "assistant", content: [{ text: "Hm." }, { toolUse }] } }, stopReason: "tool_use" };
  const tool_calls = [{ id: "a", type: "function", function: { name: "tide", arguments: "{}" } }];
  const parts = [
    { type: "thinking", thinking: "Unsigned." },
    { type: "text", text: "Hm." },
  ];
  const cohere = { id: "1", message: { role: "assistant", content: parts, tool_calls }, finish_reason: "TOOL_CALL" };
  for (const body of [bedrock, cohere]) {
    const [assistant] = formatToolMessages("anthropic-messages", decode(body), [toolCall("a")], ["high"]);
    assert.deepEqual(assistant.content, [
      { type: "text", text: "Hm." },
      { type: "tool_use", id: "a", name: "tide", input: {} },
    ]);
  }
});

test("invalid input is rejected", () => {
  const response = decode({ choices: [{ message: { content: "Hm." } }] });
  const wrong = [
    [
      ["parrot", response, [], []],
      /no tool messages for "parrot"; pass one of openai-chat, openai-responses, anthropic-messages/,
    ],
    [["toString", response, [], []], /no tool messages/],
    [["openai-chat", undefined, [], []], /the response must be the result of decode or of a stream, not undefined/],
    [["openai-chat", response, undefined, []], /the tool calls must be a list, not undefined/],
    [["openai-chat", response, [toolCall("a")], []], /expected one result for each tool call, not 0 for 1/],
  ];
  for (const [given, message] of wrong) assert.throws(() => formatToolMessages(...given), { code: "invalid-option", message });
});

describe("an interface that is only read", () => {
  const events = ['data: {"response": "Hi."}\n\n', "data: [DONE]\n\n"];
  const ask = (options) => runRequest({ api: "workers-ai", transport: () => events, messages: [], ...options });

  test("is refused with tools", () => {
    const message = /no tool messages for "workers-ai"; pass one of openai-chat/;
    assert.throws(() => ask({ tools: { tide: () => "high" } }), { code: "invalid-option", message });
    assert.throws(() => ask({ toolDefinitions: [{ name: "tide" }] }), { code: "invalid-option", message });
  });

  test("answers without tools", async () => {
    const { state, finalText } = await ask({}).result();
    assert.deepEqual([state, finalText], ["completed", "Hi."]);
  });
});
