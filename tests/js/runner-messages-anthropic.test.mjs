// The messages with the results of tools, in the form of Anthropic Messages.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { decode, formatToolMessages } from "respool";

const toolCall = (id, name = "tide", given = "{}") => ({ id, name, arguments: given });
const text = (...texts) => ({ content: texts.map((part) => ({ type: "text", text: part })) });
const IMAGE = { type: "image", data: "iVBOR", mimeType: "image/png" };
const failed = { content: [{ type: "text", text: "closed" }], isError: true };

describe("Anthropic Messages", () => {
  const thinking = { type: "thinking", thinking: "Hm.", signature: "c2ln" };
  const redacted = { type: "redacted_thinking", data: "c2Vj" };
  const use = (id, input = { n: 1 }) => ({ type: "tool_use", id, name: "tide", input });
  const answer = (...content) => decode({ type: "message", role: "assistant", content, stop_reason: "tool_use" });

  test("citations, without the member that the API rejects in requests", () => {
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

  test("of a model that declined, only texts and server tools with results", () => {
    const textBlock = (part) => ({ type: "text", text: part });
    const search = (id) => ({ type: "server_tool_use", id, name: "web_search", input: { query: "tide" } });
    const found = (tool_use_id) => ({ type: "web_search_tool_result", tool_use_id, content: [] });
    const fallback = (from, to) => ({ type: "fallback", from: { model: from }, to: { model: to }, trigger: { type: "refusal" } });
    const [first, second] = [fallback("a", "b"), fallback("b", "c")];
    const connector = { type: "connector_text", connector_text: "And" };
    const response = answer(
      ...[thinking, textBlock("I"), search("s1"), found("s1"), search("s2"), use("a"), first],
      ...[redacted, connector, textBlock(" look."), use("a", { n: 2 }), second],
      ...[thinking, textBlock(" It:"), search("s3"), use("a", { n: 3 })],
    );
    const calls = response.toolCalls.map((call) => ({ ...call, arguments: JSON.stringify(call.arguments) }));
    const results = calls.map(() => "high");
    const [assistant, user] = formatToolMessages("anthropic-messages", response, calls, results);
    assert.deepEqual(assistant.content, [
      ...[textBlock("I"), search("s1"), found("s1"), first, textBlock(" look."), second],
      ...[thinking, textBlock(" It:"), search("s3"), { ...use("a", { n: 3 }), id: calls[0].id }],
    ]);
    assert.deepEqual(user.content, [{ type: "tool_result", tool_use_id: calls[0].id, content: "high" }]);
    assert.equal(calls.length, 1);
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
