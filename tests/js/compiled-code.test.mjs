// Calls into the module that V8 has inlined into their callers.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";

const PROGRAM = `
  import { StreamAccumulator } from "respool";

  const encode = (events) => new TextEncoder().encode(events.map((event) => "data: " + JSON.stringify(event) + "\\n\\n").join(""));
  const long = "x".repeat(1500);
  const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
  const choices = [{ index: 0, delta: { content: long }, finish_reason: "stop" }];
  const chat = encode([{ id: "a", object: "c", created: 1, model: "m", choices, usage }]);
  const messages = encode([
    {
      type: "message_start",
      message: {
        ...{ id: "m", type: "message", role: "assistant", model: "c", content: [] },
        usage: { input_tokens: 1, cache_creation: { a: 1 }, output_tokens: 1 },
      },
    },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: long } },
    { type: "content_block_stop", index: 0 },
    { type: "content_block_start", index: 1, content_block: { type: "tool_use", id: "t", name: "f", input: {} } },
    { type: "content_block_delta", index: 1, delta: { type: "input_json_delta", partial_json: '{"a":1.5,"b":"' + long + '"}' } },
    { type: "content_block_stop", index: 1 },
    { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 15 } },
    { type: "message_stop" },
  ]);
  const read = (bytes) => {
    const accumulator = new StreamAccumulator();
    accumulator.pushBytes(bytes);
    const { text } = accumulator.finish();
    accumulator.free();
    return text.length;
  };
  let seen = 0;
  for (let count = 0; count < 2000; count++) seen += read(chat);
  // The result now has another shape, so V8 discards its compiled code while the module runs.
  for (let count = 0; count < 20; count++) seen += read(messages);
  console.log(seen);
`;

test("V8 may discard compiled code while the module runs", () => {
  const args = ["--no-concurrent-recompilation", "--input-type=module", "--eval", PROGRAM];
  assert.equal(execFileSync(process.execPath, args, { encoding: "utf8" }), `${2020 * 1500}\n`);
});
