// A stream that is saved and restored continues as if it hadn't been: later deltas and the result are the same.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { RespoolError, StreamAccumulator, registerCodec } from "respool";
import { ROOT } from "../../scripts/paths.mjs";
import { bytesOfMessages, messagesOf } from "../fixtures/quirks/frames.mjs";
import { callChunk, chunk, sseText } from "./answers.mjs";
import { numbersFrom } from "./random.mjs";

const encode = (text) => new TextEncoder().encode(text);

/** The events of every fixture. */
const FIXTURES = readdirSync(join(ROOT, "tests/fixtures"), { recursive: true })
  .filter((path) => path.endsWith("events.jsonl"))
  .sort()
  .map((path) => {
    const events = readFileSync(join(ROOT, "tests/fixtures", path), "utf8")
      .trim()
      .split("\n")
      .map(JSON.parse);
    return { name: path, events };
  });

const WAYS = [
  undefined,
  { coalesce: false, templates: false },
  { partialJson: true, agent: { outputs: [1] }, loopDetector: true },
  { textToolCalls: { tools: "any", formats: ["auto", "react"] }, reasoningTags: true, limits: { maxToolCalls: 9 } },
];

/** Returns the bytes of a stream as a server sends them. */
function bytesOf({ name, events }) {
  if (name.startsWith("bedrock")) {
    return bytesOfMessages(messagesOf(events), JSON.stringify);
  }
  return encode(sseText(events).join(""));
}

function again(accumulator, options) {
  const restored = StreamAccumulator.restore(accumulator.save(), options);
  accumulator.free();
  return restored;
}

/** Runs the same steps with and without saving before each, and compares the output. */
function compare(steps, options, message) {
  let saved = new StreamAccumulator(options);
  const plain = new StreamAccumulator(options);
  for (const step of steps) {
    saved = again(saved, options);
    assert.deepEqual(step(saved), step(plain), message);
  }
  saved = again(saved);
  assert.deepEqual(saved.snapshot(), plain.snapshot(), message);
  saved.finish();
  saved = again(saved);
  const result = plain.finish();
  assert.deepEqual(saved.takeDeltas(), plain.takeDeltas(), message);
  assert.deepEqual(saved.finish(), result, message);
  assert.throws(() => saved.push(chunk("x")), { code: "stream-finished" });
  saved.free();
  plain.free();
  return result;
}

const push = (event) => (accumulator) => accumulator.push(structuredClone(event));
const pushBytes = (bytes) => (accumulator) => accumulator.pushBytes(bytes);

test("the fixtures were found", () => assert.ok(FIXTURES.length > 80, `${FIXTURES.length}`));

describe("objects", () => {
  for (const { name, events } of FIXTURES) {
    test(name, () => {
      for (const options of WAYS) compare(events.map(push), options);
    });
  }
});

describe("bytes, cut anywhere", () => {
  for (const fixture of FIXTURES) {
    test(fixture.name, () => {
      const bytes = bytesOf(fixture);
      const random = numbersFrom(fixture.name.length);
      const cuts = Array.from({ length: 20 }, () => random(bytes.length)).sort((one, other) => one - other);
      const pieces = [0, ...cuts].map((from, at) => bytes.subarray(from, cuts[at] ?? bytes.length));
      for (const options of WAYS) compare(pieces.map(pushBytes), options);
    });
  }
});

test("buffered text of repeated chunks is saved", () => {
  const words = ["The", " ferry", " leaves", " at", " nine."].map((word) => push(chunk(word)));
  assert.equal(
    compare([...words, ...words, push(callChunk({ id: "a", function: { name: "f", arguments: "{}" } }))]).text.length,
    50,
  );
  const accumulator = new StreamAccumulator();
  for (const word of words) word(accumulator);
  const restored = StreamAccumulator.restore(accumulator.save());
  assert.equal(restored.snapshot().text, "The ferry leaves at nine.");
  assert.equal(accumulator.finish().text, "The ferry leaves at nine.", "the one that was saved goes on");
});

test("long texts and values of snapshots are the same afterwards", () => {
  const long = "harbour ".repeat(200);
  let accumulator = new StreamAccumulator();
  accumulator.push(callChunk({ id: "a", function: { name: "f", arguments: `{"a":"${long}` } }));
  accumulator.push(chunk(long));
  accumulator.snapshot();
  accumulator = again(accumulator);
  accumulator.push(callChunk({ function: { arguments: '"}' } }));
  accumulator.push(chunk("."));
  const { text, toolCalls } = accumulator.snapshot();
  assert.equal(text, `${long}.`);
  assert.deepEqual(toolCalls[0].arguments, `{"a":"${long}"}`);
  assert.deepEqual(accumulator.finish().response.toolCalls[0].arguments, { a: long });
});

test("another process continues", () => {
  const streams = FIXTURES.map((fixture, nth) => {
    const bytes = bytesOf(fixture);
    const options = WAYS[nth % WAYS.length];
    const at = numbersFrom(nth)(bytes.length);
    const accumulator = new StreamAccumulator(options);
    accumulator.pushBytes(bytes.subarray(0, at));
    const saved = Buffer.from(accumulator.save()).toString("base64");
    const deltas = accumulator.pushBytes(bytes.subarray(at));
    const result = accumulator.finish();
    deltas.push(...accumulator.takeDeltas());
    accumulator.free();
    return { saved, rest: Buffer.from(bytes.subarray(at)).toString("base64"), expected: { deltas, result } };
  });
  const child = spawnSync(process.execPath, [fileURLToPath(new URL("resume-child.mjs", import.meta.url))], {
    input: JSON.stringify(streams.map(({ saved, rest }) => ({ saved, rest }))),
    maxBuffer: 1 << 28,
  });
  assert.equal(child.status, 0, child.stderr.toString());
  const resumed = JSON.parse(child.stdout.toString());
  for (const [nth, { expected }] of streams.entries()) {
    assert.deepEqual(resumed[nth], JSON.parse(JSON.stringify(expected)), FIXTURES[nth].name);
  }
});

test("the size is at most that of the text plus 2 KB", () => {
  const accumulator = new StreamAccumulator();
  const random = numbersFrom(1);
  while (accumulator.snapshot().text.length < 100_000) {
    accumulator.push(chunk(Array.from({ length: 50 }, () => random(2 ** 32).toString(36)).join(" ")));
  }
  const { length } = accumulator.save();
  assert.ok(length <= accumulator.snapshot().text.length + 2048, `${length} bytes`);
  accumulator.free();
});

describe("the overhead of each of many parts", () => {
  const idOf = (nth) => ((nth * 2654435761) >>> 0).toString(36).padStart(8, "x");
  const choice = (index) => [{ choices: [{ index, delta: { content: "x" } }] }];
  const chatCall = (index) => [
    { choices: [{ delta: { tool_calls: [{ index, id: idOf(index), function: { name: "tide", arguments: "{}" } }] } }] },
  ];
  const block = (index) => [
    { type: "content_block_start", index, content_block: { type: index % 2 ? "thinking" : "text", thinking: "", text: "" } },
    { type: "content_block_delta", index, delta: { type: "text_delta", text: "x" } },
    { type: "content_block_stop", index },
  ];
  const item = (rest, delta, done) => (output_index) => {
    const [id, call_id] = [idOf(output_index), idOf(output_index + 5000)];
    const begun = { id, ...rest, ...(rest.name && { call_id }) };
    return [
      { type: "response.output_item.added", output_index, item: begun },
      { item_id: id, output_index, content_index: 0, ...delta },
      { type: "response.output_item.done", output_index, item: { ...begun, ...done } },
    ];
  };
  const message = item(
    { type: "message", role: "assistant", content: [] },
    { type: "response.output_text.delta", delta: "x" },
    { content: [{ type: "output_text", text: "x", annotations: [] }] },
  );
  const responsesCall = item(
    { type: "function_call", name: "tide", arguments: "" },
    { type: "response.function_call_arguments.delta", delta: "{}" },
    { arguments: "{}" },
  );
  /** The events of one part, the maximum number, the bytes of its text and ids, and the overhead in docs/resume.md. */
  const ROWS = {
    "a choice": [choice, 128, 1, 60],
    "a call of chat": [chatCall, 1000, 14, 40],
    "a part of Anthropic": [block, 1000, 1, 25],
    "a message of Responses": [message, 1000, 9, 60],
    "a call of Responses": [responsesCall, 1000, 22, 110],
  };
  const sizeOf = (events, count) => {
    const accumulator = new StreamAccumulator();
    for (let nth = 0; nth < count; nth++) for (const event of events(nth)) accumulator.push(event);
    const { length } = accumulator.save();
    accumulator.free();
    return length;
  };
  for (const [name, [events, count, text, most]] of Object.entries(ROWS)) {
    test(name, () => {
      const each = (sizeOf(events, count) - sizeOf(events, 1)) / (count - 1) - text;
      assert.ok(each > most / 3 && each <= most, `${each} bytes`);
    });
  }
});

describe("bytes that aren't a saved stream", () => {
  const saved = (() => {
    const accumulator = new StreamAccumulator({ reasoningTags: true });
    accumulator.push(chunk("Hello"));
    return accumulator.save();
  })();
  const refused = (bytes) =>
    assert.throws(
      () => StreamAccumulator.restore(bytes),
      (error) => RespoolError.isInstance(error) && error.code === "invalid-state",
    );

  test("damaged bytes", () => {
    for (let at = 0; at < saved.length; at++) {
      refused(saved.subarray(0, at));
      refused(saved.with ? saved.with(at, saved[at] ^ 1) : Uint8Array.from(saved, (byte, nth) => (nth === at ? byte ^ 1 : byte)));
    }
    refused(Uint8Array.from([...saved, 0]));
  });

  test("anything else", () => {
    for (const value of [undefined, null, "", "rspl", 7, {}, [], () => {}, new Uint8Array(), new Uint8Array(1000)])
      refused(value);
  });

  test("any form of bytes", () => {
    const buffer = saved.buffer.slice(saved.byteOffset, saved.byteOffset + saved.byteLength);
    for (const bytes of [saved, buffer, new DataView(buffer), Buffer.from(saved)]) {
      assert.equal(StreamAccumulator.restore(bytes).finish().text, "Hello");
    }
  });
});

describe("options", () => {
  const OPTIONS = {
    api: "openai-chat",
    agent: { model: { provider: "openai", apiType: "chat" }, outputs: { type: "object" } },
    limits: { maxDepth: 40, maxChoices: 3n },
    coalesce: false,
    templates: false,
    partialJson: true,
    loopDetector: { tiers: [{ length: 10, repeats: 4 }], phrases: false },
    textToolCalls: { tools: [{ name: "tide", parameters: { type: "object" } }], formats: ["auto", "react"] },
    reasoningTags: ["think"],
  };
  const saved = new StreamAccumulator(OPTIONS).save();

  test("are saved, and may be set again", () => {
    StreamAccumulator.restore(saved, OPTIONS).free();
    StreamAccumulator.restore(saved, { api: "auto" }).free();
    for (const [name, value] of Object.entries(OPTIONS)) StreamAccumulator.restore(saved, { [name]: value }).free();
    StreamAccumulator.restore(saved, { limits: { maxDepth: 40 } }).free();
  });

  const OTHERS = {
    api: "gemini",
    agent: { model: { provider: "openai" } },
    coalesce: true,
    templates: true,
    partialJson: false,
    loopDetector: true,
    textToolCalls: { tools: "any" },
    reasoningTags: ["think", "thought"],
  };
  for (const [name, value] of Object.entries(OTHERS)) {
    test(`another ${name} is rejected`, () => {
      const restore = () => StreamAccumulator.restore(saved, { [name]: value });
      assert.throws(restore, { code: "invalid-option", message: new RegExp(`options\\.${name} isn't`) });
    });
  }
  for (const [name, value] of Object.entries({
    maxEventBytes: 7,
    maxTotalBytes: 7,
    maxToolCalls: 7,
    maxChoices: 4,
    maxDepth: 41,
  })) {
    test(`another ${name} is rejected`, () => {
      const restore = () => StreamAccumulator.restore(saved, { limits: { [name]: value } });
      assert.throws(restore, { code: "invalid-option", message: new RegExp(`options\\.limits\\.${name} isn't`) });
    });
  }

  test("the error names an invalid option", () => {
    assert.throws(() => StreamAccumulator.restore(saved, { coalesc: true }), { code: "invalid-option", message: /coalesc/ });
    assert.throws(() => StreamAccumulator.restore(saved, 7), { code: "invalid-option" });
    const thrower = new Proxy({}, { ownKeys: () => assert.fail("no") });
    assert.throws(() => StreamAccumulator.restore(saved, thrower), { code: "invalid-option" });
  });
});

describe("codecs", () => {
  let unregister = () => {};
  afterEach(() => unregister());

  const counting = (stream) => ({
    name: "counting",
    detect: (value) => "word" in value,
    decode: ({ word }) => ({ type: "text", text: word }),
    stream,
  });
  const start = () => {
    const accumulator = new StreamAccumulator();
    for (const word of ["a", "b"]) accumulator.push({ word });
    return accumulator;
  };

  test("a codec without a state", () => {
    unregister = registerCodec(counting(undefined));
    const restored = StreamAccumulator.restore(start().save(), { api: "counting" });
    restored.push({ word: "c" });
    assert.equal(restored.finish().text, "abc");
  });

  test("a codec that can be saved", () => {
    const stream = (saved) => {
      let count = saved?.count ?? 0;
      return { read: ({ word }) => ({ type: "text", text: `${++count}${word}` }), save: () => ({ count }) };
    };
    unregister = registerCodec(counting(stream));
    const restored = StreamAccumulator.restore(start().save());
    restored.push({ word: "c" });
    assert.equal(restored.finish().text, "1a2b3c");
    assert.equal(StreamAccumulator.restore(new StreamAccumulator({ api: "counting" }).save()).finish().text, "");
  });

  const named = { code: "codec-error", message: /`counting`/ };

  test("the error names a codec that can't be saved", () => {
    unregister = registerCodec(
      counting(() => ({ word }) => ({ type: "text", text: word })),
    );
    assert.throws(() => start().save(), named);
    unregister();
    const broken = () => {
      throw new Error("no");
    };
    unregister = registerCodec(counting(() => ({ read: () => [], save: broken })));
    assert.throws(() => start().save(), named);
  });

  test("the error names a codec that isn't registered or rejects its state", () => {
    const codec = counting((saved) => {
      if (saved) throw new Error("another version");
      return { read: () => [], save: () => 7 };
    });
    unregister = registerCodec(codec);
    const saved = start().save();
    assert.throws(() => StreamAccumulator.restore(saved), named);
    unregister();
    assert.throws(() => StreamAccumulator.restore(saved), named);
  });
});
