// An encoder that is saved and restored continues as if it hadn't been: output, losses and result are the same.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, test } from "node:test";
import { registerCodec, RespoolError, StreamAccumulator } from "respool";
import { StreamEncoder } from "respool/encode";
import { ROOT } from "../../scripts/paths.mjs";
import { chunk, sseText } from "./answers.mjs";
import { numbersFrom } from "./random.mjs";

const TARGETS = ["openai-chat", "openai-responses", "anthropic-messages"];

/** The options of the streams, in turn. */
const WAYS = [
  { id: "answer-1", model: "m" },
  { id: "answer-2", includeUsage: true, coalesce: false, templates: false },
  { id: "answer-3", reasoning: "drop", unsignedThinking: "drop", inputTokens: 5, textToolCalls: { tools: "any" } },
];

const FIXTURES = readdirSync(join(ROOT, "tests/fixtures"), { recursive: true })
  .filter((path) => path.endsWith("events.jsonl"))
  .sort()
  .map((path) => {
    const lines = readFileSync(join(ROOT, "tests/fixtures", path), "utf8")
      .trim()
      .split("\n");
    return { name: path, events: lines.map(JSON.parse) };
  });

const textOf = (bytes) => new TextDecoder().decode(bytes);

function again(encoder, options) {
  const restored = StreamEncoder.restore(encoder.save(), options);
  encoder.free();
  return restored;
}

/** Returns the output without the time of its creation. */
const undated = (text) => text.replace(/"(created|created_at)":\d+/g, "");

/** Runs the same steps with and without saving before each, and compares the output. */
function compare(api, steps, options, message) {
  let saved = new StreamEncoder(api, options);
  const plain = new StreamEncoder(api, options);
  for (const step of steps) {
    saved = again(saved, options);
    assert.equal(undated(textOf(step(saved))), undated(textOf(step(plain))), message);
  }
  saved = again(saved);
  assert.equal(undated(textOf(saved.finish())), undated(textOf(plain.finish())), message);
  saved = again(saved);
  assert.equal(saved.api, api);
  assert.deepEqual(saved.lost, plain.lost, message);
  assert.deepEqual(saved.result, plain.result, message);
  assert.throws(() => saved.push(chunk("x")), { code: "stream-finished" });
  saved.free();
  plain.free();
}

test("the fixtures were found", () => assert.ok(FIXTURES.length > 80, `${FIXTURES.length}`));

for (const api of TARGETS) {
  test(`chunks, and bytes cut anywhere, in ${api}`, () => {
    for (const [nth, { name, events }] of FIXTURES.entries()) {
      const options = WAYS[nth % WAYS.length];
      const pushes = events.map((event) => (encoder) => encoder.push(structuredClone(event)));
      compare(api, pushes, options, name);
      const bytes = new TextEncoder().encode(sseText(events).join(""));
      // The seed is the length of the name.
      const random = numbersFrom(name.length);
      const cuts = Array.from({ length: 8 }, () => random(bytes.length)).sort((one, other) => one - other);
      const pieces = [0, ...cuts].map((from, at) => bytes.subarray(from, cuts[at] ?? bytes.length));
      const reads = pieces.map((piece) => (encoder) => encoder.pushBytes(piece));
      compare(api, reads, options, `${name}, cut at ${cuts}`);
    }
  });
}

test("generated ids and the time are those of the first encoder", () => {
  const event = { candidates: [{ content: { parts: [{ text: "Hi" }] }, finishReason: "STOP" }] };
  for (const api of TARGETS) {
    // Nothing has been written, so the id hasn't been generated yet.
    const encoder = new StreamEncoder(api);
    const saved = encoder.save();
    encoder.free();
    const [one, other] = [0, 1].map(() => {
      const restored = StreamEncoder.restore(saved);
      const text = textOf(restored.push(event)) + textOf(restored.finish());
      restored.free();
      return text;
    });
    assert.match(one, /"id":"(chatcmpl-|resp_|msg_)/);
    assert.equal(one, other);
  }
});

describe("bytes that aren't a saved encoder", () => {
  const encoder = new StreamEncoder("anthropic-messages", { reasoningTags: true });
  encoder.push(chunk("Hello"));
  const saved = encoder.save();
  const refused = (bytes, message) =>
    assert.throws(
      () => StreamEncoder.restore(bytes),
      (error) => RespoolError.isInstance(error) && error.code === "invalid-state" && message.test(error.message),
    );

  test("damaged bytes", () => {
    for (let at = 0; at < saved.length; at++) {
      refused(saved.subarray(0, at), /StreamEncoder/);
      refused(
        Uint8Array.from(saved, (byte, nth) => (nth === at ? byte ^ 1 : byte)),
        /StreamEncoder/,
      );
    }
  });

  test("anything else", () => {
    for (const value of [undefined, null, "rspl", 7, {}]) refused(value, /expects the bytes of save\(\)/);
    for (const bytes of [new Uint8Array(), new Uint8Array(1000)]) refused(bytes, /saved state|cut off/);
  });

  test("the state of an accumulator, and the other way round", () => {
    const accumulator = new StreamAccumulator();
    refused(accumulator.save(), /the state is of a StreamAccumulator/);
    accumulator.free();
    assert.throws(() => StreamAccumulator.restore(saved), {
      code: "invalid-state",
      message: /the state is of a StreamEncoder/,
    });
  });

  test("any form of bytes is read", () => {
    const buffer = saved.buffer.slice(saved.byteOffset, saved.byteOffset + saved.byteLength);
    for (const bytes of [saved, buffer, new DataView(buffer), Buffer.from(saved)]) {
      const restored = StreamEncoder.restore(bytes);
      assert.match(textOf(restored.abort("enough")), /enough/);
      restored.free();
    }
  });

  test("a freed encoder can't be saved", () => {
    encoder.free();
    assert.throws(() => encoder.save(), { code: "stream-finished" });
  });
});

describe("options", () => {
  const OPTIONS = {
    api: "openai-chat",
    limits: { maxDepth: 40 },
    coalesce: false,
    textToolCalls: { tools: [{ name: "tide", parameters: { type: "object" } }] },
    includeUsage: true,
    model: "ours",
    id: "answer-7",
    inputTokens: 12,
    reasoning: "drop",
    unsignedThinking: "drop",
    customTools: ["sh"],
  };
  const saved = new StreamEncoder("openai-responses", OPTIONS).save();

  test("are saved, and may be set again", () => {
    StreamEncoder.restore(saved, OPTIONS).free();
    for (const [name, value] of Object.entries(OPTIONS)) StreamEncoder.restore(saved, { [name]: value }).free();
    const restored = StreamEncoder.restore(saved);
    assert.match(textOf(restored.push(chunk("Hi"))), /"id":"answer-7".*"model":"ours"/);
    restored.free();
  });

  const OTHERS = {
    api: "gemini",
    coalesce: true,
    textToolCalls: { tools: "any" },
    includeUsage: false,
    model: "theirs",
    id: "answer-8",
    inputTokens: 0,
    reasoning: "keep",
    unsignedThinking: "keep",
    customTools: ["sh", "apply_patch"],
  };
  for (const [name, value] of Object.entries(OTHERS)) {
    test(`another ${name} is rejected`, () => {
      assert.throws(() => StreamEncoder.restore(saved, { [name]: value }), {
        code: "invalid-option",
        message: new RegExp(`options\\.${name} isn't what the stream was saved with`),
      });
    });
  }

  test("an option that wasn't set is rejected, too", () => {
    const plain = new StreamEncoder("openai-responses").save();
    assert.throws(() => StreamEncoder.restore(plain, { model: "ours" }), { code: "invalid-option", message: /options\.model/ });
    StreamEncoder.restore(plain, { model: undefined, reasoning: "keep" }).free();
  });

  test("the error names an invalid option", () => {
    assert.throws(() => StreamEncoder.restore(saved, { includeUsag: true }), { code: "invalid-option", message: /includeUsag/ });
    assert.throws(() => StreamEncoder.restore(saved, 7), { code: "invalid-option" });
  });
});

describe("codecs of the main entry", () => {
  let unregister = () => {};
  afterEach(() => unregister());

  const counting = (stream) => ({
    name: "counting",
    detect: (value) => "word" in value,
    decode: ({ word }) => ({ type: "text", text: word }),
    stream,
  });

  test("a codec that can be saved", () => {
    const stream = (saved) => {
      let count = saved?.count ?? 0;
      return { read: ({ word }) => ({ type: "text", text: `${++count}${word}` }), save: () => ({ count }) };
    };
    unregister = registerCodec(counting(stream));
    let encoder = new StreamEncoder("openai-chat");
    let text = "";
    for (const word of ["a", "b", "c"]) {
      text += textOf(encoder.push({ word }));
      encoder = again(encoder, { api: "counting" });
    }
    assert.deepEqual(text.match(/(?<="content":")[^"]+/g), ["1a", "2b", "3c"]);
    const saved = encoder.save();
    encoder.free();
    unregister();
    assert.throws(() => StreamEncoder.restore(saved), { code: "codec-error", message: /`counting`/ });
  });

  test("the error names a codec that can't be saved", () => {
    unregister = registerCodec(
      counting(() => ({ word }) => ({ type: "text", text: word })),
    );
    const encoder = new StreamEncoder("openai-chat");
    encoder.push({ word: "a" });
    assert.throws(() => encoder.save(), { code: "codec-error", message: /`counting`/ });
    encoder.free();
  });
});
