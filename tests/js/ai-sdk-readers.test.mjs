// respool/ai-sdk with the readers of all AI SDK versions in use, as in a page with useChat.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as v5 from "ai-v5";
import * as v6 from "ai";
import * as v7 from "ai-v7";
import { streamDeltas } from "respool";
import { toUIMessageStreamResponse } from "respool/ai-sdk";
import { TEXT, agent, fixture, fixtures } from "./ai-sdk-streams.mjs";
import { ANTHROPIC_STREAM, CHAT_STREAM, RESPONSES_STREAM, callChunk, chunk } from "./answers.mjs";
import { collect } from "./sources.mjs";

const VERSIONS = { 5: v5, 6: v6, 7: v7 };

/** Returns the message and the errors that a page gets. Throws if the reader rejects the response. */
async function read({ DefaultChatTransport, readUIMessageStream }, response) {
  const transport = new DefaultChatTransport({ api: "https://example.test/chat", fetch: async () => response });
  const stream = await transport.sendMessages({
    chatId: "c",
    messages: [],
    trigger: "submit-message",
    messageId: undefined,
    abortSignal: undefined,
  });
  const errors = [];
  const messages = await collect(readUIMessageStream({ stream, onError: (error) => errors.push(error.message) }));
  return { message: messages.at(-1), errors };
}

/** Removes the members that the reader sets to undefined. */
const plain = (value) => JSON.parse(JSON.stringify(value));

for (const [version, ai] of Object.entries(VERSIONS)) {
  const answer = async (input, options) => {
    const { message, errors } = await read(ai, toUIMessageStreamResponse(input, options));
    assert.deepEqual(errors, []);
    return plain(message);
  };

  describe(`AI SDK ${version}`, () => {
    test("text, and the usage as metadata", async () => {
      const { parts, metadata, id, role } = await answer(CHAT_STREAM, { messageId: "msg-1" });
      assert.deepEqual(parts, [{ type: "step-start" }, { type: "text", text: TEXT, state: "done" }]);
      assert.deepEqual(
        [id, role, metadata],
        ["msg-1", "assistant", { usage: { inputTokens: 9, outputTokens: 6, totalTokens: 15 } }],
      );
    });

    test("Responses", async () => {
      const { parts } = await answer(RESPONSES_STREAM);
      assert.deepEqual(parts[1], { type: "text", text: TEXT, state: "done" });
    });

    test("reasoning, text and a call", async () => {
      const { parts } = await answer([
        { choices: [{ delta: { reasoning_content: "Hm." } }] },
        chunk("Yes: ", null),
        ...toolCall('{"port":', '"Bodø"}'),
      ]);
      assert.deepEqual(
        parts.slice(1, 3).map(({ type, text, state }) => [type, text, state]),
        [
          ["reasoning", "Hm.", "done"],
          ["text", "Yes: ", "done"],
        ],
      );
      assert.deepEqual(parts[3], { type: "tool-tide", toolCallId: "call_7", state: "input-available", input: { port: "Bodø" } });
    });

    test("a truncated call", async () => {
      const { message, errors } = await read(ai, toUIMessageStreamResponse(toolCall('{"port":', '"Bo').slice(0, 2)));
      assert.deepEqual(errors, ["An error occurred."]);
      const { parts } = message;
      const { type, state, errorText, rawInput, input } = parts[1];
      assert.deepEqual([type, state, errorText], ["tool-tide", "output-error", "The arguments are incomplete."]);
      assert.equal(rawInput ?? input, '{"port":"Bo');
    });

    test("sources and files", async () => {
      const { parts } = await answer(fixture("openai-chat/annotations"));
      const sources = parts.filter(({ type }) => type === "source-url");
      assert.deepEqual(
        sources.map(({ url, title }) => [url, title]),
        [
          ["https://tides.example/ebb", "On tides"],
          ["https://winds.example/", "On winds"],
        ],
      );
      const { parts: images } = await answer(fixture("openai-responses/image"));
      assert.deepEqual(
        images.filter(({ type }) => type === "file"),
        [{ type: "file", mediaType: "image/png", url: "data:image/png;base64,aGFyYm91cg==" }],
      );
    });

    test("server tools", async () => {
      const { parts } = await answer(fixture("anthropic-messages/server-tools"));
      const [search] = parts.filter(({ type }) => type === "dynamic-tool");
      assert.deepEqual(
        [search.toolName, search.state, search.input, search.providerExecuted],
        ["web_search", "output-available", { query: "tide husum" }, true],
      );
      assert.equal(search.output[0].url, "https://tides.example/husum");
    });

    test("several answers become several steps", async () => {
      const { parts, metadata } = await answer(agent([ANTHROPIC_STREAM, CHAT_STREAM]));
      assert.deepEqual(
        parts.map(({ type }) => type),
        ["step-start", "text", "tool-timetable", "step-start", "text"],
      );
      assert.equal(metadata.usage.outputTokens, 26);
    });

    test("calls of several answers, even if they have the same id", async () => {
      const calling = (port) => [
        callChunk({ id: "call_0", function: { name: "tide", arguments: `{"port":"${port}"}` } }, "tool_calls"),
      ];
      const { parts } = await answer(agent([calling("Bodø"), calling("Moss"), CHAT_STREAM]));
      assert.deepEqual(
        parts.flatMap(({ type, toolCallId, input }) => (type === "tool-tide" ? [[toolCallId, input.port]] : [])),
        [
          ["call_0", "Bodø"],
          ["call_0_2", "Moss"],
        ],
      );
    });

    test("an error", async () => {
      const { message, errors } = await read(
        ai,
        toUIMessageStreamResponse([chunk("a"), { error: { message: "Overloaded" } }], { onError: ({ message }) => message }),
      );
      assert.deepEqual(errors, ["Overloaded"]);
      assert.deepEqual(plain(message.parts.at(-1)), { type: "text", text: "a", state: "done" });
    });

    test("every fixture", async () => {
      for (const path of fixtures()) {
        const expected = streamDeltas(fixture(path), { throwOnError: false });
        const deltas = await collect(expected);
        const { message, errors } = await read(ai, toUIMessageStreamResponse(fixture(path), { onError: () => "failed" }));
        const failed = deltas.filter(({ type }) => type === "error").map(() => "failed");
        if (expected.result.ending === "truncated") failed.push("failed");
        assert.deepEqual(errors, failed, path);
        const texts = deltas
          .filter(({ type, choice }) => !choice && (type === "text" || type === "refusal"))
          .map(({ text }) => text);
        const transcripts = deltas
          .filter(({ type, choice }) => !choice && type === "audio")
          .map(({ part }) => part.transcript ?? "");
        const text = message.parts
          .filter(({ type }) => type === "text")
          .map(({ text }) => text)
          .join("");
        assert.equal(text, [...texts, ...transcripts].join(""), path);
        const ids = message.parts
          .filter(({ type, toolCallId }) => toolCallId && type !== "dynamic-tool")
          .map(({ toolCallId }) => toolCallId);
        assert.deepEqual(
          ids,
          expected.result.toolCalls.map(({ id }) => id),
          path,
        );
        assert.ok(
          message.parts.every(({ state }) => state !== "streaming" && state !== "input-streaming"),
          path,
        );
      }
    });
  });
}

/** Returns a call in two fragments, and its end. */
function toolCall(first, second) {
  return [
    callChunk({ id: "call_7", function: { name: "tide", arguments: first } }),
    callChunk({ function: { arguments: second } }),
    chunk("", "tool_calls"),
  ];
}
