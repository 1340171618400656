// Bodies with members in unusual places or of unusual types. Each was once lost, or read inconsistently.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ModelResponseConverter, StreamAccumulator, decode, formatToolMessages, process, processAsync } from "respool";

const chat = (message, more) => ({ choices: [{ message, ...more }] });
const call = (members) => ({ id: "a", type: "function", function: { name: "tide", arguments: '{"port":"Bodø"}' }, ...members });
const detailsOf = (response) => response.apiSpecific.choices[0];

function resultOf(events, options) {
  const accumulator = new StreamAccumulator(options);
  for (const event of events) accumulator.push(event);
  const result = accumulator.finish();
  accumulator.free();
  return result;
}

describe("chat", () => {
  test("an error beside the answer is kept", () =>
    assert.deepEqual(decode({ ...chat({ content: "At 9" }), error: { message: "busy", code: 503 } }).extra.error, {
      message: "busy",
      code: 503,
    }));

  test("an error of a choice is thrown with the partial answer", () => {
    const body = chat({ content: "At 9" }, { error: { code: 502, message: "Upstream failed" } });
    for (const read of [() => decode(body), () => process({}, body)]) {
      assert.throws(read, { name: "ProviderError", message: "Upstream failed", providerCode: "502" });
    }
    assert.throws(
      () => decode(body),
      ({ partial }) => {
        assert.deepEqual([partial.text, partial.ending, partial.error.message], ["At 9", "failed", "Upstream failed"]);
        assert.deepEqual(detailsOf(partial.response).choice.error.code, 502);
        return true;
      },
    );
  });

  test("the usage of each choice is kept", () => {
    const choices = [0, 1].map((index) => ({ index, message: { content: "Hi" }, usage: { completion_tokens: index + 5 } }));
    const { usage, apiSpecific } = decode({ choices });
    assert.deepEqual([usage.completionTokens, apiSpecific.choices[1].choice.usage], [5, { completion_tokens: 6 }]);
  });

  test("choices with the same index stay separate", () => {
    const choices = ["A", "B", "C"].map((content) => ({ index: 0, message: { content } }));
    assert.deepEqual(
      decode({ choices }).choices.map(({ index, message }) => [index, message]),
      [
        [0, "A"],
        [1, "B"],
        [2, "C"],
      ],
    );
  });

  test("a function beside an empty custom tool", () => {
    const { toolCalls } = decode(chat({ tool_calls: [call({ custom: { name: "", input: "" } })] }));
    assert.deepEqual(toolCalls, [{ id: "a", name: "tide", arguments: { port: "Bodø" } }]);
  });

  test("the input of a custom tool without a finish reason", () => {
    const tool_calls = [{ id: "a", type: "custom", custom: { name: "draw", input: 'a "b"' } }];
    assert.equal(process({}, chat({ tool_calls }))[0].arguments, '"a \\"b\\""');
  });

  test("the input of a custom tool that is an object", () => {
    const tool_calls = [{ id: "a", type: "custom", custom: { name: "draw", input: { x: 1 } } }];
    assert.deepEqual(decode(chat({ tool_calls })).toolCalls[0].arguments, { x: 1 });
  });

  test("function_call beside tool_calls is kept, but not as a call", () => {
    const response = decode(chat({ function_call: { name: "tide", arguments: "{}" }, tool_calls: [call()] }));
    assert.equal(response.toolCalls.length, 1);
    assert.deepEqual(detailsOf(response).message.function_call, { name: "tide", arguments: "{}" });
  });

  test("function_call takes precedence over calls in the text", () => {
    const content = '<tool_call>{"name":"tide","arguments":{}}</tool_call>';
    const { toolCalls } = resultOf([chat({ content, function_call: { name: "port", arguments: "{}" } })], {
      textToolCalls: { tools: [{ name: "tide" }] },
    });
    assert.deepEqual(
      toolCalls.map(({ name }) => name),
      ["port"],
    );
  });

  test("a signature after its call is kept", () => {
    const delta = (entry) => ({ choices: [{ index: 0, delta: { tool_calls: [{ index: 0, ...entry }] } }] });
    const signature = { extra_content: { google: { thought_signature: "c2ln" } } };
    assert.deepEqual(detailsOf(resultOf([delta(call()), delta(signature)]).response).toolCalls, { a: signature });
  });

  test("an invalid call is kept", () => {
    const { message } = detailsOf(decode(chat({ content: "Hi", tool_calls: [5, { type: "note", note: "x" }] })));
    assert.deepEqual(message, { tool_calls: [5, { type: "note", note: "x" }] });
  });

  test("a numeric id is kept", () => {
    const response = decode({ id: 7, ...chat({ tool_calls: [call({ id: 8 })] }) });
    assert.deepEqual([response.id, Object.values(detailsOf(response).toolCalls)], ["7", [{ id: 8 }]]);
  });
});

describe("Anthropic", () => {
  test("an invalid content block is kept", () => {
    const { message, apiSpecific } = decode({ type: "message", content: [["Hi"], { type: "text", text: "." }, null] });
    assert.deepEqual(message, [
      { type: "other", raw: ["Hi"] },
      { type: "text", text: "." },
    ]);
    assert.deepEqual(apiSpecific.contentBlocks, [["Hi"], { type: "text", text: "." }]);
  });

  test("the first text block counts, even if it is empty", async () => {
    const body = {
      type: "message",
      content: [
        { type: "text", text: "" },
        { type: "text", text: "a" },
      ],
      stop_reason: "end_turn",
    };
    assert.equal(process({}, body, { textBlocks: "first" }), "");
    assert.equal(await processAsync({}, [body], { textBlocks: "first" }), "");
  });
});

describe("Responses", () => {
  test("null among the items is ignored", () => {
    const body = {
      object: "response",
      status: "completed",
      output: [null, { type: "function_call", call_id: "c", name: "f", arguments: "{}" }],
    };
    const response = decode(body);
    assert.equal(response.apiSpecific.outputItems.length, 1);
    assert.equal(formatToolMessages("openai-responses", response, process({}, body), ["9:35"]).length, 2);
  });

  test("a body without output is complete in a converter, too", async () => {
    const { usage, metadata } = await new ModelResponseConverter(
      { object: "response", status: "completed", usage: { input_tokens: 9 } },
      "auto",
    ).invoke();
    assert.deepEqual([usage.promptTokens, metadata.ending], [9, "complete"]);
  });
});

test("members of an array don't count as fields", () => {
  for (const body of [
    chat({ content: "Hi", audio: ["x"] }),
    { choices: [["x"]] },
    chat({ content: "Hi", tool_calls: [["x"]] }),
  ]) {
    assert.deepEqual(decode(body), decode(JSON.stringify(body)));
  }
});

test("auto converts nothing that decode doesn't recognise", () =>
  assert.rejects(new ModelResponseConverter({ object: "chat.completion", choices: null }, "auto").invoke(), {
    code: "unknown-response",
  }));
