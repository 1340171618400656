// Results of MCP servers in the form of each interface.
// https://modelcontextprotocol.io/specification/2025-06-18/schema#calltoolresult
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { decode, formatToolMessages } from "respool";

const call = { id: "call_1", name: "read", arguments: "{}" };
const response = decode({
  choices: [
    {
      message: { content: null, tool_calls: [{ id: "call_1", type: "function", function: { name: "read", arguments: "{}" } }] },
      finish_reason: "tool_calls",
    },
  ],
});

/** Returns the messages after the assistant's own. */
const sent = (api, result) => formatToolMessages(api, response, [call], [result]).slice(1);
const inChat = (result) => sent("openai-chat", result)[0].content;

const link = { type: "resource_link", uri: "file:///tides.txt", name: "tides.txt" };
const embedded = (resource) => ({ type: "resource", resource: { uri: "file:///tides", ...resource } });
const sound = { type: "audio", data: "UklGRg==", mimeType: "audio/wav" };

describe("a result of MCP", () => {
  test("of an embedded resource, the text is sent", () => {
    const result = { content: [embedded({ mimeType: "text/plain", text: "High at nine." })] };
    assert.deepEqual(sent("openai-chat", result), [{ role: "tool", tool_call_id: "call_1", content: "High at nine." }]);
    const [anthropic] = sent("anthropic-messages", result);
    assert.equal(anthropic.content[0].content, "High at nine.");
    assert.equal(sent("openai-responses", result)[0].output, "High at nine.");
    assert.deepEqual(sent("bedrock-converse", result)[0].content[0].toolResult.content, [{ text: "High at nine." }]);
    assert.deepEqual(sent("gemini", result)[0].parts[0].functionResponse.response, { output: "High at nine." });
    assert.equal(sent("cohere-chat", result)[0].content, "High at nine.");
    assert.equal(sent("ollama-chat", result)[0].content, "High at nine.");
  });

  test("of the version of 2026-07-28 has a type", () => {
    const result = { resultType: "complete", content: [{ type: "text", text: "No such pier." }], isError: true };
    const [anthropic] = sent("anthropic-messages", result)[0].content;
    assert.deepEqual(anthropic, { type: "tool_result", tool_use_id: "call_1", content: "No such pier.", is_error: true });
  });

  test("the metadata of its texts isn't sent", () => {
    const text = (words) => ({ type: "text", text: words, annotations: { audience: ["user"] }, _meta: { page: 1 } });
    const [anthropic] = sent("anthropic-messages", { content: [text("High"), text("Low")] })[0].content;
    assert.deepEqual(anthropic.content, [
      { type: "text", text: "High" },
      { type: "text", text: "Low" },
    ]);
  });

  test("an embedded image is an image", () => {
    const result = { content: [embedded({ mimeType: "image/png", blob: "iVBOR" })] };
    const [block] = sent("anthropic-messages", result)[0].content;
    assert.deepEqual(block.content, [{ type: "image", source: { type: "base64", media_type: "image/png", data: "iVBOR" } }]);
  });

  test("links, and resources that are neither text nor media, are sent as JSON", () => {
    assert.deepEqual(JSON.parse(inChat({ content: [link] })), link);
    const archive = embedded({ mimeType: "application/zip" });
    assert.deepEqual(JSON.parse(inChat({ content: [embedded({ mimeType: "application/zip", blob: "UEsDBA==" })] })), archive);
  });

  test("audio is sent to interfaces that accept it; others get a note that there is some", () => {
    const result = { content: [{ type: "text", text: "Listen: " }, sound] };
    assert.deepEqual(sent("gemini", result)[0].parts[0].functionResponse.parts, [
      { inlineData: { mimeType: "audio/wav", data: "UklGRg==" } },
    ]);
    for (const api of [
      "openai-chat",
      "openai-responses",
      "anthropic-messages",
      "bedrock-converse",
      "cohere-chat",
      "ollama-chat",
    ]) {
      const written = JSON.stringify(sent(api, result));
      assert.match(written, /audio\/wav/, api);
      assert.doesNotMatch(written, /UklGRg|"type":"audio"/, api);
    }
  });

  test("structured content is sent if there is no other", () => {
    assert.deepEqual(JSON.parse(inChat({ content: [], structuredContent: { degrees: 7 } })), { degrees: 7 });
    assert.equal(inChat({ content: [{ type: "text", text: "7°" }], structuredContent: { degrees: 7 } }), "7°");
    assert.deepEqual(sent("gemini", { content: [], structuredContent: { degrees: 7 } })[0].parts[0].functionResponse.response, {
      degrees: 7,
    });
    assert.equal(inChat({ content: [], structuredContent: { reason: "fog" }, isError: true }), 'Error: {"reason":"fog"}');
  });

  test("an empty result is an empty text", () => {
    assert.equal(inChat({ content: [], _meta: { took: 3 } }), "");
  });
});

test("a value that merely has a content of typed objects is sent whole", () => {
  const values = [
    { version: 1, type: "doc", content: [{ type: "paragraph", content: [{ type: "text", text: "The pump is broken." }] }] },
    { content: [], totalElements: 0, nextPage: null },
  ];
  for (const value of values) assert.deepEqual(JSON.parse(inChat(value)), value);
});
