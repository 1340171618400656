// The option version, which adds features of newer versions of the AI SDK, and tools for which the page has no types.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as v6 from "ai";
import * as v5 from "ai-v5";
import * as v7 from "ai-v7";
import { toUIMessageStream, toUIMessageStreamResponse } from "respool/ai-sdk";
import { chunksOf, fixture, typesOf } from "./ai-sdk-streams.mjs";
import { callChunk, chunk } from "./answers.mjs";
import { collect } from "./sources.mjs";

const VERSIONS = { 5: v5, 6: v6, 7: v7 };
const THOUGHT_IMAGE = [
  {
    candidates: [
      {
        content: {
          role: "model",
          parts: [
            { thought: true, inlineData: { mimeType: "image/png", data: "AAAA" } },
            { inlineData: { mimeType: "image/png", data: "BBBB" } },
          ],
        },
        finishReason: "STOP",
      },
    ],
  },
];

/** Returns the parts of the message, checked as a page with `useChat` checks them. */
async function partsOf(version, input, options) {
  const { DefaultChatTransport, readUIMessageStream } = VERSIONS[version];
  const response = toUIMessageStreamResponse(input, { version, ...options });
  const transport = new DefaultChatTransport({ api: "https://example.test/chat", fetch: async () => response });
  const stream = await transport.sendMessages({ chatId: "c", messages: [], trigger: "submit-message" });
  const errors = [];
  const messages = await collect(readUIMessageStream({ stream, onError: (error) => errors.push(error) }));
  assert.deepEqual(errors, []);
  return messages.at(-1).parts;
}

describe("a request for approval", () => {
  const stream = fixture("openai-responses/server-tools");

  for (const version of [6, 7]) {
    test(`is shown by version ${version}`, async () => {
      const parts = await partsOf(version, stream);
      const [part] = parts.filter(({ toolName }) => toolName === "open_gate");
      assert.deepEqual([part.state, part.approval, part.input], ["approval-requested", { id: "mcpr_1" }, { gate: 2 }]);
    });
  }

  test("is a call for version 5", async () => {
    const [part] = (await partsOf(5, stream)).filter(({ toolName }) => toolName === "open_gate");
    assert.equal(part.state, "input-available");
    assert.ok(!(await typesOf(stream)).includes("tool-approval-request"));
  });

  test("is sent once, with the id that the provider expects", async () => {
    const raw = { id: "mcpr_1", type: "mcp_approval_request", approval_request_id: "other" };
    const delta = { type: "server-tool", part: { type: "server-tool", id: "mcpr_1", name: "open_gate", call: {}, raw } };
    const chunks = await chunksOf([delta, delta, { type: "finish", finishReason: "complete" }], { version: 7 });
    assert.deepEqual(
      chunks.filter(({ type }) => type === "tool-approval-request"),
      [{ type: "tool-approval-request", approvalId: "other", toolCallId: "mcpr_1" }],
    );
  });

  test("comes with a call of Mistral's connectors", async () => {
    const raw = { type: "function.call", tool_call_id: "call_1", name: "send", confirmation_status: "pending" };
    const delta = { type: "server-tool", part: { type: "server-tool", id: "call_1", name: "send", call: {}, raw } };
    const chunks = await chunksOf([delta, { type: "finish", finishReason: "complete" }], { version: 7 });
    assert.deepEqual(
      chunks.filter(({ type }) => type === "tool-approval-request"),
      [{ type: "tool-approval-request", approvalId: "call_1", toolCallId: "call_1" }],
    );
  });
});

describe("a call that the provider has run itself", () => {
  const call = { type: "function_call", id: "fc_1", call_id: "call_1", name: "tide", arguments: '{"port":"Oban"}' };
  const output = { type: "function_call_output", id: "fco_1", call_id: "call_1", output: "high" };
  const added = (item, output_index) => ({ type: "response.output_item.added", output_index, item });
  const done = (item, output_index) => ({ type: "response.output_item.done", output_index, item });
  const stream = [
    { type: "response.created", response: { id: "r", object: "response", status: "in_progress", output: [] } },
    added({ ...call, arguments: "" }, 0),
    { type: "response.function_call_arguments.delta", output_index: 0, item_id: "fc_1", delta: call.arguments },
    ...[done(call, 0), added(output, 1), done(output, 1)],
    { type: "response.completed", response: { id: "r", object: "response", status: "completed", output: [call, output] } },
  ];

  for (const version of [5, 6, 7]) {
    test(`is one part of version ${version}, with the result`, async () => {
      for (const dynamicTools of [false, true]) {
        const [, part, ...others] = await partsOf(version, stream, { dynamicTools });
        assert.deepEqual(others, []);
        assert.equal(part.type, dynamicTools ? "dynamic-tool" : "tool-tide");
        assert.deepEqual([part.state, part.input, part.output], ["output-available", { port: "Oban" }, "high"]);
        // Dynamic parts of version 5 don't have this member.
        if (version > 5 || !dynamicTools) assert.equal(part.providerExecuted, true);
      }
    });
  }
});

describe("an image of the reasoning", () => {
  const filesOf = (parts) => parts.filter(({ url }) => url).map(({ type, url }) => [type, url.slice(-4)]);

  test("is a reasoning file for version 7, and left out for earlier ones", async () => {
    for (const [version, drafts] of Object.entries({ 5: [], 6: [], 7: [["reasoning-file", "AAAA"]] })) {
      assert.deepEqual(filesOf(await partsOf(Number(version), THOUGHT_IMAGE)), [...drafts, ["file", "BBBB"]]);
    }
  });

  test("isn't sent without the reasoning", async () => {
    const parts = await partsOf(7, THOUGHT_IMAGE, { sendReasoning: false });
    assert.deepEqual(filesOf(parts), [["file", "BBBB"]]);
  });
});

describe("tools without a type", () => {
  const call = [callChunk({ id: "a", function: { name: "tide", arguments: "{}" } }), chunk("", "tool_calls")];
  const result = { type: "tool-result", id: "a", name: "tide", result: "high" };

  for (const version of [5, 6, 7]) {
    test(`are dynamic parts of version ${version}`, async () => {
      for (const dynamicTools of [true, (name) => name === "tide"]) {
        const [, part] = await partsOf(version, call, { dynamicTools });
        assert.deepEqual([part.type, part.toolName, part.state], ["dynamic-tool", "tide", "input-available"]);
      }
      const [, part] = await partsOf(version, call, { dynamicTools: (name) => name !== "tide" });
      assert.equal(part.type, "tool-tide");
    });
  }

  test("have dynamic results and errors", async () => {
    const start = { type: "tool-call-start", index: 0, id: "a", name: "tide" };
    const end = { type: "tool-call-end", index: 0, toolCall: { id: "a", name: "tide", arguments: "{" }, status: "invalid" };
    const chunks = await chunksOf([start, end, result], { dynamicTools: true });
    assert.deepEqual(
      chunks.filter(({ type }) => type.startsWith("tool-")).map(({ type, dynamic }) => [type, dynamic]),
      [
        ["tool-input-start", true],
        ["tool-input-error", true],
        ["tool-output-available", true],
      ],
    );
  });
});

test("invalid options are rejected", () => {
  const switches = [{ dynamicTools: "tide" }, { sendReasoning: "no" }, { sendSources: 0 }];
  for (const options of [{ version: 8 }, { version: "7" }, { resume: 5 }, { onError: "x" }, { messageMetadata: {} }, ...switches])
    assert.throws(() => toUIMessageStream([], options), { code: "invalid-option" });
});
