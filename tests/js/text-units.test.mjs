// Text keeps all characters on its way out of the module, in deltas, results and bodies.
import assert from "node:assert/strict";
import { test } from "node:test";

const CHARACTERS = {
  ascii: "a",
  "Latin-1": "ÿ",
  "two bytes": "Ā",
  "three bytes": "…",
  "four bytes": "🚢",
  replacement: "\ufffd",
  "byte order mark": "\ufeff",
};

/** Each kind of character at each position in ASCII text, once and twice, in short and long texts. */
function* texts() {
  for (const character of Object.values(CHARACTERS)) {
    for (let before = 0; before < 18; before++) {
      for (const after of [0, 1, 15, 16, 300])
        yield "x".repeat(before) + character + "y".repeat(after) + character.repeat(before % 3);
    }
    yield character.repeat(400);
  }
  yield Object.values(CHARACTERS).join("").repeat(50);
}

const encode = (value) => new TextEncoder().encode(value);

function check({ StreamAccumulator, decode, process }) {
  let checked = 0;
  for (const text of texts()) {
    const stream = new StreamAccumulator();
    const event = JSON.stringify({ choices: [{ index: 0, delta: { content: text } }] });
    const call = { index: 0, id: "call_ÿ…", function: { name: "f", arguments: JSON.stringify(text) } };
    const other = JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: [call] } }] });
    const deltas = stream.pushBytes(encode(`data: ${event}\n\ndata: ${other}\n\n`));
    assert.equal(deltas[0].text, text);
    assert.deepEqual(deltas[2], { type: "tool-call-delta", index: 0, id: call.id, arguments: call.function.arguments });
    const result = stream.finish();
    assert.deepEqual([result.text, result.response.message[0]?.text ?? result.response.message], [text, text]);
    assert.equal(result.toolCalls[0].arguments, call.function.arguments);
    assert.equal(result.response.toolCalls[0].arguments, text);
    stream.free();
    const body = encode(JSON.stringify({ choices: [{ index: 0, message: { role: "assistant", content: text } }] }));
    assert.equal(process({}, body), text);
    assert.equal(decode(body).message, text);
    checked++;
  }
  assert.ok(checked > 500);
}

test("with Buffer", async () => {
  check(await import("respool"));
});

test("without Buffer", async (t) => {
  const { Buffer } = globalThis;
  t.after(() => (globalThis.Buffer = Buffer));
  delete globalThis.Buffer;
  check(await import(`${import.meta.resolve("respool")}?without-buffer`));
});

test("snapshots after the end, and repeated results", async () => {
  const { StreamAccumulator } = await import("respool");
  const stream = new StreamAccumulator();
  const values = JSON.stringify({ values: Array.from({ length: 200 }, (_, at) => at) });
  const call = { index: 0, id: "call", function: { name: "f", arguments: values } };
  const push = (delta) => stream.push({ choices: [{ index: 0, delta }] });
  push({ content: "…".repeat(300) });
  assert.equal(stream.snapshot().text, "…".repeat(300));
  push({ tool_calls: [call] });
  const first = stream.finish();
  assert.equal(first.toolCalls[0].arguments, values);
  // Changing one result doesn't change another.
  first.response.toolCalls[0].arguments.values.length = 0;
  first.response.message = "";
  const second = stream.finish();
  assert.equal(second.response.toolCalls[0].arguments.values.length, 200);
  assert.equal(second.text, "…".repeat(300));
  assert.deepEqual(stream.snapshot(), second);
  stream.free();
});
