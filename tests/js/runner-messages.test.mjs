// The messages with the results of tools, in the forms that providers document.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { collect, decode, formatToolMessages, runRequest, streamDeltas } from "respool";

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

  test("reasoning without text is sent back where it came: DeepSeek refuses calls without it", async () => {
    const empty = answer({ reasoning_content: "", tool_calls: [call("a")] });
    const deltas = [{ role: "assistant", reasoning_content: "" }, { tool_calls: [{ index: 0, ...call("a") }] }];
    const streamed = await collect(deltas.map((delta) => ({ choices: [{ index: 0, delta }] })));
    for (const response of [empty, streamed]) {
      const [assistant] = formatToolMessages("openai-chat", response, [toolCall("a")], ["high"]);
      assert.equal(assistant.reasoning_content, "");
    }
    const [assistant] = formatToolMessages("openai-chat", answer({ tool_calls: [call("a")] }), [toolCall("a")], ["high"]);
    assert.ok(!("reasoning_content" in assistant));
  });

  test("signatures beside the text are sent back", () => {
    const google = { google: { thought_signature: "c2ln" } };
    for (const member of [{ thinking_signature: "c2ln" }, { thought_signature: "c2ln" }, { extra_content: google }]) {
      const response = answer({ content: "Hm.", tool_calls: [call("a")], ...member });
      const [assistant] = formatToolMessages("openai-chat", response, [toolCall("a")], ["high"]);
      const [name] = Object.keys(member);
      assert.deepEqual(assistant[name], member[name]);
    }
  });

  test("a name that no server takes back loses what it can't contain", () => {
    const name = 'tide,{"port": "Dover"}';
    const response = answer({ content: null, tool_calls: [{ id: "a", type: "function", function: { name, arguments: "" } }] });
    const [{ tool_calls }] = formatToolMessages("openai-chat", response, [toolCall("a", name)], [failed]);
    assert.equal(tool_calls[0].function.name, "tide_port_:_Dover_");
  });

  test("a function of the server's own goes back as it came", () => {
    const call = { type: "builtin_function", id: "a", function: { name: "$web_search", arguments: "{}" } };
    const response = decode({ choices: [{ index: 0, message: { role: "assistant", content: null, tool_calls: [call] } }] });
    const [assistant] = formatToolMessages("openai-chat", response, [{ id: "a", name: "$web_search", arguments: "{}" }], ["{}"]);
    assert.deepEqual(assistant.tool_calls, [call]);
  });

  test("parts: texts become lines of one text, images go into a user message", () => {
    const response = answer({ content: null, tool_calls: [call("a"), call("b")] });
    const results = [{ content: [...text("one", "two").content, IMAGE] }, "high"];
    const [, ...messages] = formatToolMessages("openai-chat", response, [toolCall("a"), toolCall("b")], results);
    assert.deepEqual(messages, [
      { role: "tool", tool_call_id: "a", content: "one\ntwo" },
      { role: "tool", tool_call_id: "b", content: "high" },
      { role: "user", content: [{ type: "image_url", image_url: { url: "data:image/png;base64,iVBOR" } }] },
    ]);
  });

  /** The assistant message after an answer with a call. */
  const assistantOf = (response) => formatToolMessages("openai-chat", response, [toolCall("a")], ["high"])[0];
  const withField = (message, reasoningField) => {
    const response = answer({ tool_calls: [call("a")], ...message });
    const [choice] = response.apiSpecific.choices ?? [];
    return { ...response, apiSpecific: { ...response.apiSpecific, choices: [{ index: 0, ...choice, reasoningField }] } };
  };

  test("reasoning is sent back under the name that it had", () => {
    for (const name of ["reasoning", "reasoning_text", "thinking"]) {
      const assistant = assistantOf(withField({ content: "Ebb.", reasoning_content: "Look it up." }, name));
      assert.deepEqual([assistant[name], assistant.content], ["Look it up.", "Ebb."]);
      assert.equal("reasoning_content" in assistant, false);
    }
    assert.equal(assistantOf(withField({ reasoning_content: "Look it up." })).reasoning_content, "Look it up.");
  });

  test("reasoning in a summary goes back as Databricks has it", () => {
    const signed = { type: "reasoning", text: "Look it up.", signature: "c2ln" };
    const response = { ...withField({ content: "Ebb." }, "summary"), message: [signed, { type: "text", text: "Ebb." }] };
    const summary = [{ type: "summary_text", text: "Look it up.", signature: "c2ln" }];
    assert.deepEqual(assistantOf(response).content, [
      { type: "reasoning", summary },
      { type: "text", text: "Ebb." },
    ]);
  });

  test("reasoning in the content goes back as Mistral has it", () => {
    const thinking = { type: "thinking", thinking: [{ type: "text", text: "Look it up." }] };
    const both = assistantOf(withField({ content: "Ebb.", reasoning_content: "Look it up." }, "content"));
    assert.deepEqual(both.content, [thinking, { type: "text", text: "Ebb." }]);
    assert.equal("reasoning_content" in both, false);
    const alone = assistantOf(withField({ content: null, reasoning_content: "Look it up." }, "content"));
    assert.deepEqual(alone.content, [thinking]);
    assert.equal(assistantOf(withField({ content: "Ebb." }, "content")).content, "Ebb.");
  });

  test("each thought of Mistral goes back where it was, with its signature", async () => {
    const thought = (words, signature) => ({ type: "thinking", thinking: [{ type: "text", text: words }], signature });
    const said = (words) => ({ type: "text", text: words });
    const content = [
      thought("Look it up.", "c2ln"),
      thought("Ebb?", "c2lo"),
      said("One moment."),
      thought("So.", "c2lp"),
      said("Ebb."),
    ];
    const chunks = [...content.map((part) => ({ content: [part] })), { tool_calls: [{ index: 0, ...call("a") }] }];
    const streamed = await collect(chunks.map((delta) => ({ choices: [{ index: 0, delta }] })));
    for (const response of [answer({ content, tool_calls: [call("a")] }), streamed.response]) {
      assert.deepEqual(assistantOf(response).content, content);
    }
    const reference = { ...content[0], thinking: [{ type: "reference", reference_ids: [1] }] };
    const alone = assistantOf(answer({ content: [reference, said("Ebb.")], tool_calls: [call("a")] }));
    assert.deepEqual(alone.content, [{ ...reference, thinking: [] }, said("Ebb.")]);
  });

  test("signed reasoning of gateways is sent back unchanged, with its text", () => {
    const thinking = { type: "thinking", thinking: "Look it up.", signature: "c2ln" };
    const MEMBERS = {
      thinking_blocks: [thinking],
      content_blocks: [thinking, { type: "text", text: "Ebb." }],
      reasoning_items: [{ id: "rs_1", type: "reasoning", encrypted_content: "c2Vj", summary: [] }],
    };
    for (const [name, value] of Object.entries(MEMBERS)) {
      const response = answer({ content: "Ebb.", reasoning_content: "Look it up.", [name]: value, tool_calls: [call("a")] });
      const { role: _, content, reasoning_content, tool_calls: calls, ...rest } = assistantOf(response);
      assert.deepEqual([content, reasoning_content, calls.length, rest], ["Ebb.", "Look it up.", 1, { [name]: value }]);
    }
  });

  test("signed reasoning without text, and Portkey's blocks in pieces", async () => {
    const redacted = [{ type: "redacted_thinking", data: "c2Vj" }];
    const hidden = assistantOf(answer({ content: null, thinking_blocks: redacted, tool_calls: [call("a")] }));
    assert.deepEqual([hidden.thinking_blocks, "reasoning_content" in hidden], [redacted, false]);
    const pieces = [{ delta: { thinking: "Look " } }, { delta: { thinking: "it up." } }, { delta: { signature: "c2ln" } }];
    const deltas = [...pieces.map((piece) => ({ content_blocks: [{ index: 0, ...piece }] })), { content: "Ebb." }];
    const chunks = [...deltas, { tool_calls: [{ index: 0, ...call("a") }] }].map((delta) => ({ choices: [{ index: 0, delta }] }));
    const { content_blocks: blocks, thinking_blocks } = assistantOf(await collect(chunks, { throwOnError: false }));
    const thinking = { type: "thinking", thinking: "Look it up.", signature: "c2ln" };
    assert.deepEqual([blocks, thinking_blocks], [[thinking, { type: "text", text: "Ebb." }], undefined]);
  });

  test("a call that is left out is sent back if it has the only signature", () => {
    const extra_content = { google: { thought_signature: "c2ln" } };
    const response = answer({ content: null, tool_calls: [call("a", { extra_content }), call("b")] });
    const [assistant, ...answers] = formatToolMessages("openai-chat", response, [toolCall("b")], ["high"]);
    assert.deepEqual(assistant.tool_calls[0], call("a", { extra_content }));
    assert.deepEqual(answers, [
      { role: "tool", tool_call_id: "a", content: "" },
      { role: "tool", tool_call_id: "b", content: "high" },
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

  test("arguments are sent back as the call has them, as a string", () => {
    for (const given of [{ n: 1 }, "{}", ""]) {
      const response = answer({ ...call("a"), arguments: given });
      const [item] = formatToolMessages("openai-responses", response, [toolCall("a", "tide", '{"n":1}')], ["high"]);
      assert.equal(item.arguments, '{"n":1}');
    }
  });

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
    const response = answer(call("a"), reasoning, { ...call("a"), arguments: '{"n":2}' });
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

  test("an error keeps its image", () => {
    const result = { content: [...failed.content, IMAGE], isError: true };
    const [, { output }] = formatToolMessages("openai-responses", answer(call("a")), [toolCall("a")], [result]);
    assert.deepEqual(output, [
      { type: "input_text", text: "Error: closed" },
      { type: "input_image", detail: "auto", image_url: "data:image/png;base64,iVBOR" },
    ]);
  });

  test("a message without a role gets one: the API requires it", () => {
    const message = { type: "message", id: "msg_1", content: [{ type: "output_text", text: "Hm.", annotations: [] }] };
    const call = { type: "function_call", id: "fc_1", call_id: "c1", name: "tide", arguments: "{}" };
    const response = decode({ object: "response", output: [message, call] });
    const [first] = formatToolMessages("openai-responses", response, [toolCall("c1")], ["high"]);
    assert.deepEqual(first, { ...message, role: "assistant" });
  });

  test("what Perplexity's own tools have found isn't sent back", () => {
    const found = { type: "search_results", queries: ["tide"], results: [{ url: "https://example.com" }] };
    const call = { type: "function_call", id: "fc_1", call_id: "c1", name: "tide", arguments: "{}" };
    const response = decode({ object: "response", output: [found, call] });
    const [first] = formatToolMessages("openai-responses", response, [toolCall("c1")], ["high"]);
    assert.equal(first.type, "function_call");
  });

  test("reasoning with a role isn't text", () => {
    const thought = { ...reasoning, role: "assistant", content: [{ type: "output_text", text: "Look it up.", annotations: [] }] };
    const items = [thought, message, call("a")];
    const sent = formatToolMessages("openai-responses", answer(...items), [toolCall("a")], ["high"]);
    assert.deepEqual(sent.slice(0, -1), items);
  });

  test("calls without a call_id are sent back once, with one", () => {
    const withoutId = ({ id, name, arguments: given }) => ({ type: "function_call", id, name, arguments: given });
    const response = answer({ ...call("a"), call_id: "" }, withoutId(call("b")), { ...withoutId(call("c")), id: undefined });
    const calls = response.toolCalls.map(({ id }) => toolCall(id));
    const sent = formatToolMessages("openai-responses", response, calls, ["high", "low", "ebb"]);
    const ids = calls.map(({ id }) => id);
    assert.deepEqual(ids.slice(0, 2), ["fc_a", "fc_b"]);
    assert.deepEqual(
      sent.map(({ call_id, output }) => [call_id, output]),
      [...ids.map((id) => [id, undefined]), [ids[0], "high"], [ids[1], "low"], [ids[2], "ebb"]],
    );
  });

  test("BigInts in what a tool returns become text", () => {
    const response = answer({ type: "shell_call", id: "sh_1", call_id: "c", action: { commands: ["ls"] } });
    const [, item] = formatToolMessages("openai-responses", response, [toolCall("c", "shell")], [{ max_output_length: 5n }]);
    assert.equal(item.max_output_length, "5");
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

  test("OpenRouter's patches are answered like OpenAI's", () => {
    const operation = { type: "delete_file", path: "x" };
    const response = answer({ type: "openrouter:apply_patch", id: "ap_1", call_id: "a", status: "completed", operation });
    const [, item] = formatToolMessages("openai-responses", response, [toolCall("a", "apply_patch")], ["done"]);
    assert.deepEqual(item, { type: "apply_patch_call_output", call_id: "a", status: "completed", output: "done" });
  });

  test("a result names the program that made its call", () => {
    const caller = { type: "program", caller_id: "prog_1" };
    const response = answer({ type: "function_call", id: "fc_1", call_id: "a", name: "tide", arguments: "{}", caller });
    const [, item] = formatToolMessages("openai-responses", response, [toolCall("a")], ["high"]);
    assert.deepEqual(item, { type: "function_call_output", call_id: "a", caller, output: "high" });
  });

  test("a tool can return the item's fields", () => {
    const response = answer({ type: "shell_call", id: "sh_1", call_id: "c", action: { commands: ["ls"] } });
    const output = [{ stdout: "", stderr: "late", outcome: { type: "timeout" } }];
    const [, item] = formatToolMessages("openai-responses", response, [toolCall("c", "shell")], [{ output }]);
    assert.deepEqual(item.output, output);
  });

  test("other fields are no item's: what a shell has written, and a screenshot", () => {
    const resultOf = (item, result) => {
      const [, { type, call_id, output, ...rest }] = formatToolMessages(
        "openai-responses",
        answer(item),
        [toolCall("c")],
        [result],
      );
      return { type, call_id, output, rest: JSON.stringify(rest) };
    };
    const shell = { type: "shell_call", id: "sh_1", call_id: "c", action: { commands: ["ls"] } };
    assert.deepEqual(resultOf(shell, { stdout: "a", stderr: "b", exit_code: 2 }), {
      type: "shell_call_output",
      call_id: "c",
      output: [{ stdout: "a", stderr: "b", outcome: { type: "exit", exit_code: 2 } }],
      rest: "{}",
    });
    const computer = { type: "computer_call", id: "cu_1", call_id: "c", action: { type: "screenshot" } };
    const screenshot = { type: "computer_screenshot", image_url: "data:image/png;base64,AA" };
    const output = { type: "computer_call_output", call_id: "c", output: screenshot, rest: "{}" };
    assert.deepEqual(resultOf(computer, screenshot), output);
    const patch = { type: "apply_patch_call", id: "ap_1", call_id: "c", operation: { type: "delete_file", path: "x" } };
    assert.equal(resultOf(patch, { ok: true }).rest, '{"status":"completed"}');
  });

  test("reasoning without its status, which some backends refuse", () => {
    const response = answer({ ...reasoning, status: "completed" }, call("a"));
    const [first] = formatToolMessages("openai-responses", response, [toolCall("a")], ["high"]);
    assert.deepEqual(first, reasoning);
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

  test("citations, without the member that the API doesn't take back", () => {
    const citation = { type: "char_location", cited_text: "Ebb", document_index: 0, start_char_index: 0, end_char_index: 3 };
    const cited = (file_id) => ({ type: "text", text: "Ebb.", citations: [{ ...citation, file_id }] });
    const found = (content) => ({ type: "mcp_tool_result", tool_use_id: "mcptoolu_1", is_error: false, content });
    const response = answer(cited(null), cited("file_1"), found([cited("file_1")]), found("Ebb."), use("a"));
    const [{ content }] = formatToolMessages("anthropic-messages", response, [toolCall("a")], ["high"]);
    const sent = { type: "text", text: "Ebb.", citations: [citation] };
    assert.deepEqual(content, [sent, sent, found([sent]), found("Ebb."), use("a")]);
  });

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

  test("input that is JSON text is sent back as an object; a text block without text isn't", () => {
    const response = answer({ type: "text" }, use("a", '{"n":1}'));
    const [assistant] = formatToolMessages("anthropic-messages", response, response.toolCalls, ["high"]);
    assert.deepEqual(assistant.content, [use("a")]);
  });

  test("a call of the provider's own tool that was cut off isn't sent back", () => {
    const shown = { type: "text", text: "Running it." };
    const ran = { type: "server_tool_use", id: "s0", name: "code_execution", input: { code: "1" } };
    const result = { type: "code_execution_tool_result", tool_use_id: "s0", content: [] };
    for (const type of ["server_tool_use", "mcp_tool_use"]) {
      const cut = { type, id: "s1", name: "code_execution", input: '{"code":"import os' };
      const messages = formatToolMessages("anthropic-messages", answer(shown, ran, result, thinking, cut), [], []);
      assert.deepEqual(messages, [{ role: "assistant", content: [shown, ran, result] }]);
    }
  });

  test("a message doesn't end in thinking", () => {
    const ends = (...content) => formatToolMessages("anthropic-messages", answer(...content), [], []);
    const shown = { type: "text", text: "High at nine." };
    assert.deepEqual(ends(thinking, use("a")), []);
    assert.deepEqual(ends(thinking, shown, thinking, redacted, use("a")), [{ role: "assistant", content: [thinking, shown] }]);
  });

  test("an error has only text, and always some; its image follows the results", () => {
    const resultsOf = (...results) =>
      formatToolMessages(
        "anthropic-messages",
        answer(...results.map((_, index) => use(`${index}`))),
        results.map((_, index) => toolCall(`${index}`)),
        results,
      )[1].content;
    const blank = [
      Object.assign(new Error("closed"), { message: "" }),
      { content: [], isError: true },
      { ...text("", " "), isError: true },
    ];
    for (const block of resultsOf(...blank)) {
      assert.deepEqual([block.content, block.is_error], ["The tool failed without a message", true]);
    }
    const result = { content: [...failed.content, IMAGE], isError: true };
    const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBOR" } };
    const block = (id) => ({ type: "tool_result", tool_use_id: id, content: "closed", is_error: true });
    assert.deepEqual(resultsOf(result, failed), [block("0"), block("1"), image]);
  });

  test("image/jpg is sent as image/jpeg", () => {
    const result = { content: [{ ...IMAGE, mimeType: "image/jpg" }] };
    const [, { content }] = formatToolMessages("anthropic-messages", answer(use("a")), [toolCall("a")], [result]);
    assert.equal(content[0].content[0].source.media_type, "image/jpeg");
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

test("Bedrock gets no blank text, and no result without content", () => {
  const toolUse = { toolUseId: "a", name: "tide", input: {} };
  const decoded = decode({ output: { message: { role: "assistant", content: [{ toolUse }] } }, stopReason: "tool_use" });
  const image = { type: "image", data: "AA==", mimeType: "image/png" };
  const contentOf = (result) =>
    formatToolMessages("bedrock-converse", decoded, [toolCall("a")], [result])[1].content[0].toolResult.content;
  for (const result of [undefined, "", " \n", { content: [] }]) assert.deepEqual(contentOf(result), [{ text: "(no output)" }]);
  const shown = contentOf({ content: [{ type: "text", text: " " }, image] });
  assert.deepEqual(shown.flatMap(Object.keys), ["image"]);
});

test("Bedrock gets no call of its own tools that was cut off", async () => {
  const toolUse = { toolUseId: "s1", name: "nova_code_interpreter", type: "server_tool_use" };
  const { response } = await collect([
    { messageStart: { role: "assistant" } },
    { contentBlockDelta: { contentBlockIndex: 0, delta: { text: "Hm." } } },
    { contentBlockStart: { contentBlockIndex: 1, start: { toolUse } } },
    { contentBlockDelta: { contentBlockIndex: 1, delta: { toolUse: { input: '{"code":"imp' } } } },
    { contentBlockStop: { contentBlockIndex: 1 } },
    { messageStop: { stopReason: "max_tokens" } },
  ]);
  const messages = formatToolMessages("bedrock-converse", response, [], []);
  assert.deepEqual(messages, [{ role: "assistant", content: [{ text: "Hm." }] }]);
});

test("Bedrock gets no image that its model couldn't make", () => {
  const source = { bytes: "AA==" };
  const content = [
    { image: { format: "png", error: { message: "Blocked" } } },
    { image: { format: "png", source } },
    { toolUse: { toolUseId: "a", name: "tide", input: {} } },
  ];
  const decoded = decode({ output: { message: { role: "assistant", content } }, stopReason: "tool_use" });
  const [sent] = formatToolMessages("bedrock-converse", decoded, [toolCall("a")], ["high"]);
  assert.deepEqual(
    sent.content.map((block) => Object.keys(block.image ?? block)),
    [["format", "source"], ["toolUse"]],
  );
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
    [["openai-chat", undefined, [], []], /The response must be the result of decode or of a stream, not undefined/],
    [["openai-chat", response, undefined, []], /The tool calls must be a list, not undefined/],
    [["openai-chat", response, [toolCall("a")], []], /Expected one result for each tool call, not 0 for 1/],
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
