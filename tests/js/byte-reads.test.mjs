// StreamAccumulator.pushBytes: large reads, odd views, and deltas whose texts share one memory.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { runInNewContext } from "node:vm";
import { StreamAccumulator, collect, decode } from "respool";
import { ANTHROPIC_STREAM, callChunk, chunk, refusalChunk, sseBytes } from "./answers.mjs";
import { compare } from "./compare.mjs";

/** Returns all deltas of one read. */
function deltasOf(bytes, options) {
  const accumulator = new StreamAccumulator(options);
  const deltas = accumulator.pushBytes(bytes);
  accumulator.free();
  return deltas;
}

const EACH = { coalesce: false };

describe("large reads", () => {
  for (const size of [(1 << 16) - 1, 1 << 16, (1 << 16) + 1, 1 << 20, (1 << 20) + 1]) {
    test(`of ${size} bytes, and small ones after them`, () => {
      const frame = sseBytes([chunk("")]).length;
      const large = sseBytes([chunk("x".repeat(size - frame))]).subarray(0, -14);
      const small = sseBytes([chunk("é")]).subarray(0, -14);
      const { text } = compare([small, large, small, small, large, small]);
      assert.equal(text, ["é", "x".repeat(size - frame), "éé", "x".repeat(size - frame), "é"].join(""));
    });
  }

  test("of many events", () => {
    const pieces = Array.from({ length: 20_000 }, (_, at) => `${at} → `);
    const bytes = sseBytes(pieces.map((piece) => chunk(piece)));
    assert.ok(bytes.length > 1 << 20);
    for (const size of [1 << 16, 1 << 20, bytes.length]) {
      const steps = [];
      for (let at = 0; at < bytes.length; at += size) steps.push(bytes.subarray(at, at + size));
      assert.equal(compare(steps).text, pieces.join(""));
    }
    assert.deepEqual(
      deltasOf(bytes, EACH).map(({ text }) => text),
      pieces,
    );
  });
});

describe("odd views", () => {
  const bytes = sseBytes([chunk("a"), chunk("é"), chunk("b", "stop")]);
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length + 8), 4, bytes.length);
  shared.set(bytes);
  const growing = new Uint8Array(new ArrayBuffer(bytes.length, { maxByteLength: bytes.length * 2 }));
  growing.set(bytes);
  class Mine extends Uint8Array {}
  const VIEWS = {
    "on shared memory": shared,
    "on shared memory, a DataView": new DataView(shared.buffer, 4, bytes.length),
    "on resizable memory": growing,
    "of a subclass": Mine.from(bytes),
    "of two bytes per item": new Uint16Array(Uint8Array.from([...bytes, ...(bytes.length % 2 ? [10] : [])]).buffer),
  };
  for (const [name, view] of Object.entries(VIEWS)) {
    test(name, () => assert.equal(compare([view]).text, "aéb"));
  }

  // As in Jest, whose globals aren't those of fetch.
  test("of another realm", async () => {
    const foreign = (given) => runInNewContext("new Uint8Array(given)", { given });
    assert.equal(compare([foreign(bytes)]).text, "aéb");
    assert.equal((await collect([foreign(bytes).buffer])).text, "aéb");
    assert.equal(decode(foreign(Buffer.from('{"choices":[{"message":{"content":"é"}}]}')).buffer).message, "é");
    const redacted = {
      contentBlockDelta: { contentBlockIndex: 0, delta: { reasoningContent: { redactedContent: foreign([1, 2]) } } },
    };
    const { response } = await collect([redacted, { messageStop: { stopReason: "end_turn" } }]);
    assert.equal(response.message[0].encrypted, "AQI=");
  });

  test("a shared buffer itself", async () => {
    const buffer = new SharedArrayBuffer(bytes.length);
    new Uint8Array(buffer).set(bytes);
    assert.equal((await collect([buffer])).text, "aéb");
  });

  test("a detached view has no bytes", () => {
    const gone = bytes.slice();
    structuredClone(gone.buffer, { transfer: [gone.buffer] });
    assert.equal(gone.length, 0);
    assert.equal(compare([bytes.subarray(0, 30), gone, bytes.subarray(30), gone]).text, "aéb");
  });

  test("empty views anywhere", () => {
    const none = new Uint8Array();
    const each = Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));
    assert.equal(compare([none, ...each.flatMap((one) => [one, none])]).text, "aéb");
  });
});

describe("texts of one read", () => {
  const TEXTS = [
    "a",
    "é",
    "→",
    "👩‍🚀",
    "\ufeff",
    "\ufeffa",
    "a\ufeff",
    "日本",
    "\0",
    "\u2028",
    "e\u0301",
    "\u{10ffff}",
    "x".repeat(100),
    "😀".repeat(100),
  ];

  test("alone, in pairs, and all", () => {
    const streams = [TEXTS, ...TEXTS.map((text) => [text]), ...TEXTS.flatMap((one) => TEXTS.map((other) => [one, other]))];
    for (const texts of streams) {
      const bytes = sseBytes(texts.map((text) => chunk(text)));
      assert.deepEqual(
        deltasOf(bytes, EACH).map(({ text }) => text),
        texts,
      );
      assert.deepEqual(deltasOf(bytes), [{ type: "text", text: texts.join("") }]);
    }
  });

  test("of arguments, with ids of all characters", () => {
    for (const id of ["c", "é", "😀", "\ufeff"]) {
      const events = [
        callChunk({ id, function: { name: "f", arguments: "" } }),
        ...TEXTS.map((text) => callChunk({ function: { arguments: text } })),
      ];
      const expected = TEXTS.map((text) => ({ type: "tool-call-delta", index: 0, id, arguments: text }));
      assert.deepEqual(
        deltasOf(sseBytes(events), EACH).filter(({ type }) => type === "tool-call-delta"),
        expected,
      );
    }
  });

  test("rows of all kinds", () => {
    const call = { index: 0, id: "ç", function: { name: "f", arguments: '{"é":' } };
    const events = [
      chunk("→"),
      { choices: [{ index: 0, delta: { reasoning_content: "😀" } }] },
      refusalChunk("nø"),
      { choices: [{ index: 2, delta: { content: "zwölf" } }] },
      callChunk(call),
      callChunk({ function: { arguments: '"\ufeff"}' } }),
      { nobody: "knows ø" },
      chunk("", "tool_calls"),
      { choices: [], usage: { prompt_tokens: 1 } },
      { error: { message: "brøken" } },
    ];
    const deltas = deltasOf(sseBytes(events), EACH);
    const toolCall = { id: "ç", name: "f", arguments: '{"é":"\ufeff"}' };
    const before = [
      { type: "text", text: "→" },
      { type: "reasoning", text: "😀" },
      { type: "refusal", text: "nø" },
      { type: "text", text: "zwölf", choice: 2 },
      { type: "tool-call-start", index: 0, id: "ç", name: "f" },
      { type: "tool-call-delta", index: 0, id: "ç", arguments: '{"é":' },
      { type: "tool-call-delta", index: 0, id: "ç", arguments: '"\ufeff"}' },
    ];
    assert.deepEqual(deltas.slice(0, before.length), before);
    const [warning, ...after] = deltas.slice(before.length);
    assert.match(warning.message, /knows ø/);
    assert.deepEqual(
      after.map(({ type }) => type),
      ["tool-call-end", "finish", "usage", "error"],
    );
    assert.deepEqual(after[0].toolCall, toolCall);
    assert.equal(after[3].error.message, "brøken");
    const objects = new StreamAccumulator(EACH);
    assert.deepEqual(
      events.flatMap((event) => objects.push(event)),
      deltas,
    );
    objects.free();
  });

  test("another accumulator's reads don't change earlier deltas", () => {
    const first = deltasOf(sseBytes([chunk("→ one"), chunk("two")]), EACH);
    deltasOf(sseBytes(ANTHROPIC_STREAM));
    assert.deepEqual(
      first.map(({ text }) => text),
      ["→ one", "two"],
    );
  });
});
