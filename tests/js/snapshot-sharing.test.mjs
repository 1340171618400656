// Snapshots share structure: a snapshot never changes, and parts that stay equal in the next one are the same object.
import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { StreamAccumulator } from "respool";
import { shareStructure } from "../../js/shared_structure.js";
import { ROOT } from "../../scripts/paths.mjs";
import { callChunk, chunk } from "./answers.mjs";

const FIXTURES = join(ROOT, "tests", "fixtures");
const STREAMS = ["openai-chat", "openai-responses", "anthropic-messages", "gemini", "gemini-interactions"].flatMap((api) =>
  readdirSync(join(FIXTURES, api))
    .map((name) => join(FIXTURES, api, name, "events.jsonl"))
    .filter((file) => existsSync(file)),
);

const isContainer = (value) => typeof value === "object" && value !== null;

/** Checks that the containers of two values are the same object exactly if their content is equal. */
function assertShared(value, before, path) {
  if (!isContainer(value) || !isContainer(before)) return;
  const isSame = JSON.stringify(value) === JSON.stringify(before);
  assert.equal(value === before, isSame, path);
  if (isSame) return;
  for (const key of Object.keys(value)) {
    if (Object.hasOwn(before, key)) assertShared(value[key], before[key], `${path}/${key}`);
  }
}

describe("snapshots", () => {
  test("of every recorded stream never change and share equal parts", () => {
    assert.ok(STREAMS.length > 20, `${STREAMS.length} streams`);
    let shared = 0;
    for (const file of STREAMS) {
      const accumulator = new StreamAccumulator();
      const seen = [];
      for (const line of readFileSync(file, "utf8").trim().split("\n")) {
        accumulator.push(JSON.parse(line));
        const snapshot = accumulator.snapshot();
        assert.equal(accumulator.snapshot(), snapshot, "nothing has changed");
        assertShared(snapshot, seen.at(-1)?.snapshot, file);
        if (seen.at(-1)?.snapshot.response === snapshot.response) shared += 1;
        seen.push({ snapshot, json: JSON.stringify(snapshot) });
      }
      for (const { snapshot, json } of seen) assert.equal(JSON.stringify(snapshot), json);
      const last = seen.at(-1).snapshot;
      const result = accumulator.finish();
      assert.notEqual(result, last);
      assert.notEqual(result.response, last.response, "the result shares nothing with a snapshot");
      accumulator.free();
    }
    assert.ok(shared > 0, "some events change nothing in the response");
  });

  test("share calls that are complete while others arrive, with long arguments too", () => {
    const accumulator = new StreamAccumulator();
    const call = (index, fragment, first) =>
      callChunk({ index, ...(first && { id: `c${index}` }), function: { ...(first && { name: "f" }), arguments: fragment } });
    accumulator.push(call(0, JSON.stringify({ text: "long ".repeat(200), list: [{ a: 1 }] }), true));
    accumulator.push(call(1, '{"b":"', true));
    const before = accumulator.snapshot();
    accumulator.push(call(1, "more"));
    const after = accumulator.snapshot();
    assert.notEqual(after, before);
    assert.equal(after.toolCalls[0], before.toolCalls[0]);
    assert.notEqual(after.toolCalls[1], before.toolCalls[1]);
    assert.equal(after.response.toolCalls[0], before.response.toolCalls[0]);
    assert.equal(before.toolCalls[1].arguments, '{"b":"');
    assert.equal(after.toolCalls[1].arguments, '{"b":"more');
    accumulator.free();
  });

  test("a text in several blocks stays the same string while another grows", () => {
    const accumulator = new StreamAccumulator();
    const block = (index, text) => ({ type: "content_block_delta", index, delta: { type: "text_delta", text } });
    const begin = (index, type = "text") => ({
      type: "content_block_start",
      index,
      content_block: { type, text: "", thinking: "" },
    });
    accumulator.push({ type: "message_start", message: { type: "message", role: "assistant", content: [] } });
    for (const index of [0, 1]) {
      accumulator.push(begin(index));
      accumulator.push(block(index, `block ${index} `.repeat(100)));
      accumulator.push({ type: "content_block_stop", index });
    }
    accumulator.push(begin(2, "thinking"));
    const texts = [];
    for (let count = 0; count < 5; count++) {
      accumulator.push({ type: "content_block_delta", index: 2, delta: { type: "thinking_delta", thinking: "hm ".repeat(100) } });
      const { text, reasoning, response } = accumulator.snapshot();
      assert.equal(text, "block 0 ".repeat(100) + "block 1 ".repeat(100));
      assert.equal(reasoning, "hm ".repeat(100 * (count + 1)));
      texts.push(response.message.slice(0, 2));
    }
    for (const [first, second] of texts) assert.deepEqual([first === texts[0][0], second === texts[0][1]], [true, true]);
    accumulator.free();
  });

  test("share log probabilities, which the result copies", () => {
    const token = (at) => ({ token: "tide", logprob: -1 - at, bytes: null, top_logprobs: [{ token: "ebb", logprob: -9 }] });
    const push = (accumulator, at) => {
      const event = chunk("tide");
      event.choices[0].logprobs = { content: [token(at)], refusal: null };
      accumulator.push(event);
    };
    const [accumulator, other] = [new StreamAccumulator(), new StreamAccumulator()];
    const seen = [];
    for (let at = 0; at < 50; at++) {
      push(accumulator, at);
      push(other, at);
      seen.push(accumulator.snapshot());
    }
    const lists = seen.map(({ response }) => response.apiSpecific.logprobs.content);
    for (const [at, list] of lists.entries()) {
      assert.deepEqual(
        list,
        Array.from({ length: at + 1 }, (_, place) => token(place)),
      );
      if (at > 0) assert.ok(lists[at - 1].every((item, place) => item === list[place]));
    }
    const result = accumulator.finish();
    assert.deepEqual(result, other.finish());
    assert.ok(result.response.apiSpecific.logprobs.content.every((item, at) => item !== lists[49][at]));
    accumulator.free();
    other.free();
  });

  test("share choices that don't change", () => {
    const accumulator = new StreamAccumulator();
    const second = structuredClone(chunk("b"));
    second.choices[0].index = 1;
    accumulator.push(chunk("a"));
    accumulator.push(second);
    const before = accumulator.snapshot();
    accumulator.push(second);
    const after = accumulator.snapshot();
    assert.equal(after.response.choices[0], before.response.choices[0]);
    assert.notEqual(after.response.choices[1], before.response.choices[1]);
    accumulator.free();
  });
});

describe("shareStructure", () => {
  const parse = (json) => JSON.parse(json);
  const CASES = [
    ['{"a":1}', '{"a":1}', true],
    ['{"a":1}', '{"a":2}', false],
    ['{"a":1}', '{"a":1,"b":1}', false],
    ['{"a":1,"b":1}', '{"a":1}', false],
    ['{"a":1}', '{"b":1}', false],
    ["[]", "{}", false],
    ["[1,2]", "[1,2]", true],
    ["[1,2]", "[1]", false],
    ['{"__proto__":{"a":1}}', '{"__proto__":{"a":1}}', true],
    ['{"__proto__":{"a":1}}', "{}", false],
    ["null", "{}", false],
  ];
  for (const [next, before, isSame] of CASES) {
    test(`${next} after ${before}`, () => {
      const [value, known] = [parse(next), parse(before)];
      const shared = shareStructure(value, known);
      assert.deepEqual(shared, parse(next));
      assert.equal(shared === known, isSame);
      assert.deepEqual(known, parse(before), "earlier snapshots are unchanged");
    });
  }

  test("values that are nested deeply", () => {
    const deep = `${"[".repeat(50_000)}1${"]".repeat(50_000)}`;
    const value = parse(deep);
    assert.equal(shareStructure(value, parse(deep)), value);
  });
});
