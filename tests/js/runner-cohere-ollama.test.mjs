// Cohere and Ollama in requests: the messages to send back, and requests to Ollama.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { decode, fetchTransport, formatToolMessages } from "respool";

const toolCall = (id, name = "tide", given = "{}") => ({ id, name, arguments: given });
const failed = { content: [{ type: "text", text: "closed" }], isError: true };
const IMAGE = { type: "image", data: "iVBOR", mimeType: "image/png" };

describe("Cohere", () => {
  const call = (id, given = '{"n":1}') => ({ id, type: "function", function: { name: "tide", arguments: given } });
  const answer = (message) => decode({ id: "1", message: { role: "assistant", ...message }, finish_reason: "TOOL_CALL" });
  const format = (...given) => formatToolMessages("cohere-chat", ...given);

  test("the plan, the calls that were run, and their results", () => {
    const response = answer({ tool_plan: "Look it up.", tool_calls: [call("a"), call("b"), call("c")] });
    assert.deepEqual(format(response, [toolCall("a", "tide", '{"n":1}'), toolCall("c")], ["high", failed]), [
      { role: "assistant", tool_plan: "Look it up.", tool_calls: [call("a"), call("c", "{}")] },
      { role: "tool", tool_call_id: "a", content: "high" },
      { role: "tool", tool_call_id: "c", content: "Error: closed" },
    ]);
  });

  test("text, and thinking as its block", () => {
    const thinking = { type: "thinking", thinking: "Hm." };
    const text = { type: "text", text: "At six." };
    assert.deepEqual(format(answer({ content: [text] }), [], []), [{ role: "assistant", content: "At six." }]);
    assert.deepEqual(format(answer({ content: [thinking, text] }), [], []), [{ role: "assistant", content: [thinking, text] }]);
    const [assistant] = format(answer({ content: [thinking, { type: "text", text: "" }] }), [toolCall("a")], ["high"]);
    assert.deepEqual(assistant, { role: "assistant", content: [thinking], tool_calls: [call("a", "{}")] });
    assert.deepEqual(format(answer({ content: [] }), [], []), []);
  });

  test("a plan without calls isn't sent, and arguments are an object", () => {
    const planned = answer({ tool_plan: "Look it up.", content: [{ type: "text", text: "No." }], tool_calls: [call("a", "{")] });
    assert.deepEqual(format(planned, [], []), [{ role: "assistant", content: "No." }]);
    assert.equal(format(planned, [toolCall("a", "tide", "{")], [""])[0].tool_calls[0].function.arguments, "{}");
  });

  test("several texts become lines", () => {
    const texts = { content: ["high", "low"].map((text) => ({ type: "text", text })) };
    const messages = format(answer({ tool_calls: [call("a")] }), [toolCall("a")], [texts]);
    assert.equal(messages[1].content, "high\nlow");
  });

  test("images go into a user message", () => {
    const messages = format(answer({ tool_calls: [call("a")] }), [toolCall("a")], [{ content: [IMAGE] }]);
    assert.deepEqual(messages.slice(1), [
      { role: "tool", tool_call_id: "a", content: "" },
      { role: "user", content: [{ type: "image_url", image_url: { url: "data:image/png;base64,iVBOR" } }] },
    ]);
  });
});

describe("Ollama", () => {
  const call = (rest, given = { n: 1 }) => ({ ...rest, function: { name: "tide", arguments: given } });
  const answer = (message) =>
    decode({ model: "m", created_at: "now", message: { role: "assistant", content: "", ...message }, done: true });
  const format = (...given) => formatToolMessages("ollama-chat", ...given);

  test("calls with ids, and thinking", () => {
    const response = answer({
      content: "Hm.",
      thinking: "Look it up.",
      tool_calls: [call({ id: "call_x1" }), call({ id: "call_x2" })],
    });
    assert.deepEqual(format(response, [toolCall("call_x2", "tide", '{"n":1}')], [failed]), [
      { role: "assistant", content: "Hm.", thinking: "Look it up.", tool_calls: [call({ id: "call_x2" })] },
      { role: "tool", tool_name: "tide", tool_call_id: "call_x2", content: "Error: closed" },
    ]);
  });

  test("calls without an id from the server get none", () => {
    const response = answer({ tool_calls: [call(), call({}, { n: 2 })] });
    assert.deepEqual(format(response, decoded(response), ["high", { content: [IMAGE] }]), [
      { role: "assistant", content: "", tool_calls: [call(), call({}, { n: 2 })] },
      { role: "tool", tool_name: "tide", content: "high" },
      { role: "tool", tool_name: "tide", content: "", images: ["iVBOR"] },
    ]);
  });

  test("a final answer, and an empty one", () => {
    assert.deepEqual(format(answer({ content: "At six." }), [], []), [{ role: "assistant", content: "At six." }]);
    assert.deepEqual(format(answer({ images: ["iVBOR"] }), [], []), [{ role: "assistant", content: "", images: ["iVBOR"] }]);
    assert.deepEqual(format(answer({}), [], []), []);
  });

  test("requests ask for JSON lines", async () => {
    const headers = [];
    for (const api of ["ollama-chat", "cohere-chat", "gemini-interactions"]) {
      const ask = fetchTransport({
        url: "http://models.test/",
        api,
        fetch: (_, init) => {
          headers.push(init.headers.get("accept"));
          return Promise.resolve(new Response("{}"));
        },
      });
      await ask({});
    }
    assert.deepEqual(headers, ["application/x-ndjson", "text/event-stream", "text/event-stream"]);
  });
});

/** Returns the calls of a response, with arguments as JSON text. */
const decoded = ({ toolCalls }) => toolCalls.map((call) => ({ ...call, arguments: JSON.stringify(call.arguments) }));
