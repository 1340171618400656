// Gemini in the package: messages to send back, definitions of tools, arguments, converters.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  collect,
  decode,
  detectApi,
  fetchTransport,
  formatToolMessages,
  ModelResponseConverter,
  parseToolArguments,
  process,
  runRequest,
  tool,
} from "respool";

const answer = (...parts) => ({
  candidates: [{ content: { role: "model", parts }, finishReason: "STOP", index: 0 }],
  usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 2, thoughtsTokenCount: 3, totalTokenCount: 10 },
  modelVersion: "gemini-test-1",
});
const call = (name, args = {}, rest = {}) => ({ functionCall: { name, args, ...rest } });
const signed = (part, thoughtSignature) => ({ ...part, thoughtSignature });
const result = (name, response, rest = {}) => ({ functionResponse: { ...rest, name, response } });

/** Returns the messages after an answer whose calls all have run. */
function after(body, results) {
  const response = decode(body);
  const calls = (response.toolCalls ?? []).map(({ id, name }) => ({ id, name, arguments: "{}" }));
  return formatToolMessages("gemini", response, calls, results);
}

describe("the messages after an answer", () => {
  test("have its parts unchanged, with their signatures", () => {
    const parts = [
      { text: "Look it up.", thought: true },
      signed({ text: "One moment." }, "YQ=="),
      { executableCode: { language: "PYTHON", code: "1" } },
      { codeExecutionResult: { outcome: "OUTCOME_OK", output: "1" } },
      signed(call("tide", { port: "Bodø" }), "Yg=="),
      call("now"),
      signed({ text: "" }, "Yw=="),
    ];
    assert.deepEqual(after(answer(...parts), ["high", { hour: 9 }]), [
      { role: "model", parts },
      { role: "user", parts: [result("tide", { output: "high" }), result("now", { hour: 9 })] },
    ]);
  });

  test("are the same after a stream", async () => {
    const chunks = [
      answer({ text: "One " }),
      answer({ text: "moment." }),
      answer(signed(call("tide"), "Yg==")),
      answer(signed({ text: "" }, "Yw==")),
    ];
    const { toolCalls, ...streamed } = await collect(chunks);
    const [{ parts }] = formatToolMessages("gemini", { toolCalls, ...streamed }, toolCalls, ["high"]);
    assert.deepEqual(parts, [{ text: "One moment." }, signed(call("tide"), "Yg=="), signed({ text: "" }, "Yw==")]);
  });

  test("have the provider's ids, and no others", () => {
    const [, { parts }] = after(answer(call("tide", {}, { id: "fc_1" }), call("tide")), ["high", "low"]);
    assert.deepEqual(parts, [result("tide", { output: "high" }, { id: "fc_1" }), result("tide", { output: "low" })]);
  });

  test("contain only the calls that were run, identified by their order", () => {
    const response = decode(answer(call("tide", { n: 1 }), call("tide", { n: 2 }), call("tide", { n: 3 })));
    const calls = response.toolCalls.map(({ id, name }) => ({ id, name, arguments: "{}" }));
    const [{ parts }, { parts: answered }] = formatToolMessages("gemini", response, [calls[0], calls[2]], ["a", "c"]);
    assert.deepEqual(parts, [call("tide", { n: 1 }), call("tide", { n: 3 })]);
    assert.deepEqual(answered, [result("tide", { output: "a" }), result("tide", { output: "c" })]);
  });

  test("keep a call that is left out if it has the only signature", () => {
    const response = decode(answer(signed(call("leave", {}, { id: "fc_1" }), "Yg=="), call("tide"), call("tide")));
    const calls = response.toolCalls.map(({ id, name }) => ({ id, name, arguments: "{}" }));
    assert.deepEqual(formatToolMessages("gemini", response, calls.slice(1), ["high", "low"]), [
      { role: "model", parts: [signed(call("leave", {}, { id: "fc_1" }), "Yg=="), call("tide"), call("tide")] },
      {
        role: "user",
        parts: [result("leave", {}, { id: "fc_1" }), result("tide", { output: "high" }), result("tide", { output: "low" })],
      },
    ]);
    // Without other calls, or if they are signed, it is dropped.
    assert.deepEqual(formatToolMessages("gemini", response, [], []), []);
    const both = decode(answer(signed(call("leave"), "Yg=="), signed(call("tide"), "Yw==")));
    const [{ parts }] = formatToolMessages("gemini", both, [both.toolCalls[1]], ["high"]);
    assert.deepEqual(parts, [signed(call("tide"), "Yw==")]);
  });

  test("results: objects as they are, other values as output, errors, images", () => {
    const image = { type: "image", data: "iVBOR", mimeType: "image/png" };
    const rows = [
      [{ high: "9:35" }, { response: { high: "9:35" } }],
      ["high", { response: { output: "high" } }],
      [[1, 2], { response: { output: [1, 2] } }],
      [7, { response: { output: 7 } }],
      [{ n: 2n ** 60n }, { response: { n: "1152921504606846976" } }],
      [null, { response: { output: null } }],
      [undefined, { response: { output: "" } }],
      [new Error("closed"), { response: { error: "closed" } }],
      [{ content: [{ type: "text", text: "closed" }], isError: true }, { response: { error: "closed" } }],
      [
        { content: [{ type: "text", text: "The tide." }, image] },
        { response: { output: "The tide." }, parts: [{ inlineData: { mimeType: "image/png", data: "iVBOR" } }] },
      ],
      [{ content: [image] }, { response: {}, parts: [{ inlineData: { mimeType: "image/png", data: "iVBOR" } }] }],
      [
        {
          content: [
            { type: "text", text: "a" },
            { type: "text", text: "b" },
          ],
        },
        { response: { output: ["a", "b"] } },
      ],
    ];
    for (const [given, expected] of rows) {
      const [, { parts }] = after(answer(call("tide")), [given]);
      assert.deepEqual(parts, [{ functionResponse: { name: "tide", ...expected } }]);
    }
  });

  test("arguments that aren't an object are sent back as an empty one", () => {
    const body = answer({ functionCall: { name: "tide", args: "nonsense" } });
    const [{ parts }] = after(body, ["high"]);
    assert.deepEqual(parts, [call("tide")]);
  });

  test("the final answer alone; nothing for an empty one", () => {
    const parts = [{ text: "Hm.", thought: true }, { text: "At 9:35." }];
    assert.deepEqual(formatToolMessages("gemini", decode(answer(...parts)), [], []), [{ role: "model", parts }]);
    assert.deepEqual(formatToolMessages("gemini", decode(answer()), [], []), []);
    const image = { inlineData: { mimeType: "image/png", data: "iVBOR" } };
    assert.deepEqual(formatToolMessages("gemini", decode(answer(image)), [], []), [{ role: "model", parts: [image] }]);
  });

  test("of another interface", () => {
    const tool_calls = [{ id: "a", function: { name: "tide", arguments: '{"n":1}' } }];
    const response = decode({ choices: [{ message: { content: "Hm.", tool_calls } }] });
    const calls = [{ id: "a", name: "tide", arguments: '{"n":1}' }];
    assert.deepEqual(formatToolMessages("gemini", response, calls, ["high"]), [
      { role: "model", parts: [{ text: "Hm." }, call("tide", { n: 1 })] },
      { role: "user", parts: [result("tide", { output: "high" })] },
    ]);
    const [assistant] = formatToolMessages("openai-chat", decode(answer({ text: "Hm." }, call("tide"))), calls, ["high"]);
    assert.equal(assistant.tool_calls[0].function.name, "tide");
  });
});

describe("a request", () => {
  const parameters = { type: "object", properties: { port: { type: "string" } } };
  const tide = tool({ description: "The tide", parameters, execute: () => "high" });
  const tideDeclaration = { name: "tide", description: "The tide", parametersJsonSchema: parameters };

  /** Returns the payloads of a request that gets these answers. */
  async function payloadsOf(options, ...answers) {
    const payloads = [];
    const transport = (payload) => payloads.push(payload) && [answers.shift() ?? answer({ text: "Bye." })];
    const { state } = await runRequest({ api: "gemini", transport, messages: [], ...options }).result();
    assert.equal(state, "completed");
    return payloads;
  }

  test("has contents, and no members that are unknown to Gemini", async () => {
    const messages = [{ role: "user", parts: [{ text: "Tide?" }] }];
    const generationConfig = { temperature: 0 };
    const [first, second] = await payloadsOf({ messages, params: { generationConfig }, tools: { tide } }, answer(call("tide")));
    assert.deepEqual(first, { generationConfig, contents: messages, tools: [{ functionDeclarations: [tideDeclaration] }] });
    assert.deepEqual(second.contents.slice(1), [
      { role: "model", parts: [call("tide")] },
      { role: "user", parts: [result("tide", { output: "high" })] },
    ]);
  });

  test("has all functions in one tool, and the provider's own tools beside it", async () => {
    const [{ tools }] = await payloadsOf({
      tools: { tide, now: tool({ execute: () => 9 }), wind: () => 3 },
      toolDefinitions: [{ functionDeclarations: [{ name: "wind" }] }, { googleSearch: {} }],
      params: { tools: [{ functionDeclarations: [{ name: "wind", description: "old" }, { name: "done" }], urlContext: {} }] },
    });
    assert.deepEqual(tools, [
      {
        functionDeclarations: [
          { name: "wind" },
          { name: "done" },
          tideDeclaration,
          { name: "now", parametersJsonSchema: { type: "object", properties: {} } },
        ],
      },
      { googleSearch: {} },
      { urlContext: {} },
    ]);
  });

  test("has the functions of definitions in snake case", async () => {
    const [{ tools }] = await payloadsOf({
      tools: { tide, wind: () => 3 },
      toolDefinitions: [{ function_declarations: [{ name: "wind" }] }],
    });
    assert.deepEqual(tools, [{ functionDeclarations: [{ name: "wind" }, tideDeclaration] }]);
  });

  test("finds calls in text by the definitions, whichever schema they have", async () => {
    const text = "<tool_call><function=tide><parameter=n>7</parameter></function></tool_call>";
    for (const schema of [
      { parameters: { type: "OBJECT", properties: { n: { type: "STRING" } } } },
      { parametersJsonSchema: { type: "object", properties: { n: { type: "string" } } } },
    ]) {
      const given = [];
      await payloadsOf(
        {
          tools: { tide: ({ n }) => void given.push(n) },
          toolDefinitions: [{ functionDeclarations: [{ name: "tide", ...schema }] }],
          fallback: true,
        },
        answer({ text }),
      );
      assert.deepEqual(given, ["7"]);
    }
  });

  test("through fetch: the URL has the model, the headers are the caller's", async () => {
    const requests = [];
    const url = "https://models.example/v1beta/models/gemini-test-1:streamGenerateContent?alt=sse";
    const transport = fetchTransport({
      url,
      api: "gemini",
      headers: { "x-goog-api-key": "key" },
      async fetch(to, { headers, body }) {
        requests.push([String(to), headers.get("x-goog-api-key"), JSON.parse(body)]);
        return new Response(`data: ${JSON.stringify(answer({ text: "At 9:35." }))}\n\n`);
      },
    });
    const contents = [{ role: "user", parts: [{ text: "Tide?" }] }];
    const { messages, usage } = await runRequest({ transport, messages: contents }).result();
    assert.deepEqual(requests, [[url, "key", { contents }]]);
    assert.deepEqual(messages.at(-1), { role: "model", parts: [{ text: "At 9:35." }] });
    assert.deepEqual([usage.inputTokens, usage.outputTokens, usage.totalTokens], [5, 5, 10]);
  });
});

test("parseToolArguments takes calls as Gemini sends them", () => {
  const { candidates } = answer(call("tide", { n: 1 }), call("tide", {}, { id: "fc_2" }));
  const calls = candidates[0].content.parts.map(({ functionCall }) => functionCall);
  assert.deepEqual(parseToolArguments(calls), [
    { toolCallId: "call_0", toolName: "tide", arguments: { n: 1 } },
    { toolCallId: "fc_2", toolName: "tide", arguments: {} },
  ]);
});

test("bodies, wrapped ones, and chunks are detected", () => {
  const body = answer({ text: "Hi" });
  assert.deepEqual([detectApi(body), detectApi({ response: body })], ["gemini", "gemini"]);
  assert.equal(process({}, body), "Hi");
  assert.equal(detectApi({ candidates: {} }), undefined);
});

test("the converters", async () => {
  const { content, toolCalls, metadata, usage } = await new ModelResponseConverter(
    [answer({ text: "Hm.", thought: true }, { text: "One moment." }), answer(signed(call("tide"), "Yg=="))],
    "gemini",
  ).invoke();
  assert.deepEqual(
    content.map(({ type }) => type),
    ["reasoning", "text", "tool_call"],
  );
  assert.deepEqual([toolCalls[0].name, metadata.provider, usage.outputTokens], ["tide", "gemini", 5]);
  await assert.rejects(new ModelResponseConverter({ choices: [] }, "gemini").invoke(), { code: "unknown-response" });
});
