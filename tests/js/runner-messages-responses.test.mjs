// The messages with the results of tools, in the form of Responses.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { decode, formatToolMessages } from "respool";

const toolCall = (id, name = "tide", given = "{}") => ({ id, name, arguments: given });
const text = (...texts) => ({ content: texts.map((part) => ({ type: "text", text: part })) });
const IMAGE = { type: "image", data: "iVBOR", mimeType: "image/png" };
const failed = { content: [{ type: "text", text: "closed" }], isError: true };

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

  test("reasoning of omitted items isn't sent back before or after the other items", () => {
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

  test("results of Perplexity's own tools aren't sent back", () => {
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

  test("BigInts in a tool's result become text", () => {
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
    const [note, ...errors] = JSON.parse(JSON.stringify(outputsOf(items.map(() => failed))));
    assert.deepEqual(note, { role: "user", content: "Error: closed" }); // the computer's
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

  test("other fields aren't the item's: a shell's output, and a screenshot", () => {
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

  test("what a computer says in place of a screenshot is a message of its own", () => {
    const computer = { type: "computer_call", id: "cu_1", call_id: "c", action: { type: "screenshot" } };
    const sent = (result) => formatToolMessages("openai-responses", answer(computer), [toolCall("c")], [result]).slice(1);
    for (const [result, content] of [
      [new Error("Declined"), "Error: Declined"],
      ["The window is closed", "The window is closed"],
      [undefined, "The tool returned no screenshot"],
    ]) {
      const [note, { type, output }, ...rest] = sent(result);
      assert.deepEqual([note, type, rest], [{ role: "user", content }, "computer_call_output", []]);
      assert.equal(output.type, "computer_screenshot");
      const png = Buffer.from(output.image_url.replace("data:image/png;base64,", ""), "base64");
      assert.deepEqual([png.toString("latin1", 1, 4), png.readUInt32BE(16)], ["PNG", 256]);
    }
    for (const image_url of ["https://tides.test/screen.png", "data:image/png;base64,AA"]) {
      assert.deepEqual(
        sent(image_url).map(({ output }) => output),
        [{ type: "computer_screenshot", image_url }],
      );
    }
    const checked = { ...computer, pending_safety_checks: [{ id: "sc_1", code: "x", message: "Sure?" }] };
    const [{ output }] = formatToolMessages(
      "openai-responses",
      answer(checked),
      [toolCall("c")],
      [{ output: { type: "computer_screenshot", file_id: "file_1" }, acknowledged_safety_checks: [] }],
    ).slice(1);
    assert.deepEqual(output, { type: "computer_screenshot", file_id: "file_1" });
  });

  test("reasoning without its status, which some backends reject", () => {
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
