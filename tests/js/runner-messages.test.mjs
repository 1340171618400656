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

  test("empty reasoning is sent back, because DeepSeek rejects calls without it", async () => {
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

  test("invalid characters in the name of a call are replaced", () => {
    const name = 'tide,{"port": "Dover"}';
    const response = answer({ content: null, tool_calls: [{ id: "a", type: "function", function: { name, arguments: "" } }] });
    const [{ tool_calls }] = formatToolMessages("openai-chat", response, [toolCall("a", name)], [failed]);
    assert.equal(tool_calls[0].function.name, "tide_port_:_Dover_");
  });

  test("a call of the server's own function is sent back unchanged", () => {
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

  /** Returns the assistant message after an answer with a call. */
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

  test("reasoning in a summary is sent back in Databricks' form", () => {
    const signed = { type: "reasoning", text: "Look it up.", signature: "c2ln" };
    const response = { ...withField({ content: "Ebb." }, "summary"), message: [signed, { type: "text", text: "Ebb." }] };
    const summary = [{ type: "summary_text", text: "Look it up.", signature: "c2ln" }];
    assert.deepEqual(assistantOf(response).content, [
      { type: "reasoning", summary },
      { type: "text", text: "Ebb." },
    ]);
  });

  test("reasoning in the content is sent back in Mistral's form", () => {
    const thinking = { type: "thinking", thinking: [{ type: "text", text: "Look it up." }] };
    const both = assistantOf(withField({ content: "Ebb.", reasoning_content: "Look it up." }, "content"));
    assert.deepEqual(both.content, [thinking, { type: "text", text: "Ebb." }]);
    assert.equal("reasoning_content" in both, false);
    const alone = assistantOf(withField({ content: null, reasoning_content: "Look it up." }, "content"));
    assert.deepEqual(alone.content, [thinking]);
    assert.equal(assistantOf(withField({ content: "Ebb." }, "content")).content, "Ebb.");
  });

  test("each of Mistral's thoughts is sent back in its place, with its signature", async () => {
    const thought = (words, signature) => ({ type: "thinking", thinking: [{ type: "text", text: words }], signature });
    const textPart = (words) => ({ type: "text", text: words });
    const content = [
      thought("Look it up.", "c2ln"),
      thought("Ebb?", "c2lo"),
      textPart("One moment."),
      thought("So.", "c2lp"),
      textPart("Ebb."),
    ];
    const chunks = [...content.map((part) => ({ content: [part] })), { tool_calls: [{ index: 0, ...call("a") }] }];
    const streamed = await collect(chunks.map((delta) => ({ choices: [{ index: 0, delta }] })));
    for (const response of [answer({ content, tool_calls: [call("a")] }), streamed.response]) {
      assert.deepEqual(assistantOf(response).content, content);
    }
    const reference = { ...content[0], thinking: [{ type: "reference", reference_ids: [1] }] };
    const alone = assistantOf(answer({ content: [reference, textPart("Ebb.")], tool_calls: [call("a")] }));
    assert.deepEqual(alone.content, [{ ...reference, thinking: [] }, textPart("Ebb.")]);
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

  test("an omitted call is sent back if it has the only signature", () => {
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

test("Bedrock gets no image that failed", () => {
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

test("calls in the form of any interface are recognised as those of the response", () => {
  const input = { port: "Bodø" };
  const tool = { name: "tide", arguments: JSON.stringify(input) };
  const own = { id: "a", ...tool };
  const response = decode({ choices: [{ message: { tool_calls: [{ id: "a", type: "function", function: tool }] } }] });
  for (const api of ["openai-chat", "openai-responses", "anthropic-messages", "bedrock-converse", "cohere-chat", "gemini"]) {
    const expected = formatToolMessages(api, response, [own], ["high"]);
    for (const call of [
      { id: "a", type: "function", function: tool },
      { type: "function_call", id: "fc_1", call_id: "a", ...tool },
      { type: "tool_use", id: "a", name: "tide", input },
      { toolUse: { toolUseId: "a", name: "tide", input } },
      { id: "a", name: "tide", args: input },
    ]) {
      assert.deepEqual(formatToolMessages(api, response, [call], ["high"]), expected);
    }
  }
});

test("a custom call in the form of chat", () => {
  const tool_calls = [{ id: "a", type: "custom", custom: { name: "patch", input: "*** Begin" } }];
  const response = decode({ choices: [{ message: { tool_calls } }] });
  const [assistant] = formatToolMessages("openai-chat", response, tool_calls, ["done"]);
  assert.deepEqual(assistant.tool_calls, tool_calls);
});

test("values that aren't calls are rejected", () => {
  const response = decode({ choices: [{ message: { content: "Hm." } }] });
  assert.throws(() => formatToolMessages("openai-chat", response, [{ id: "a", nome: "tide" }], ["high"]), {
    name: "OutputParseError",
    code: "not-a-tool-call",
    message: /toolCalls\[0\] isn't a tool call: expected .* got id, nome/,
  });
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
    [["openai-chat", response, undefined, []], /toolCalls must be a list of tool calls, not undefined/],
    [["openai-chat", response, [null], ["high"]], /toolCalls\[0\] must be a tool call, not null/],
    [["openai-chat", response, [{ name: "tide", arguments: "{}" }], ["high"]], /toolCalls\[0\] has no id: pass the call/],
    [["gemini", response, [{ name: "tide", args: {} }], ["high"]], /toolCalls\[0\] has no id: pass the call/],
    [["openai-chat", response, [toolCall("a")], []], /Expected one result for each tool call, not 0 for 1/],
  ];
  for (const [given, message] of wrong) assert.throws(() => formatToolMessages(...given), { code: "invalid-option", message });
});

describe("an interface that is only read", () => {
  const events = ['data: {"response": "Hi."}\n\n', "data: [DONE]\n\n"];
  const ask = (options) => runRequest({ api: "workers-ai", transport: () => events, messages: [], ...options });

  test("is rejected with tools", () => {
    const message = /no tool messages for "workers-ai"; pass one of openai-chat/;
    assert.throws(() => ask({ tools: { tide: () => "high" } }), { code: "invalid-option", message });
    assert.throws(() => ask({ toolDefinitions: [{ name: "tide" }] }), { code: "invalid-option", message });
  });

  test("answers without tools", async () => {
    const { state, finalText } = await ask({}).result();
    assert.deepEqual([state, finalText], ["completed", "Hi."]);
  });
});
