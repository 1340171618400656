// Each limit in docs/limits.md, just reached and just exceeded, and the memory that endless input needs.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { callChunk, chunk, sseBytes } from "./answers.mjs";
import { StreamAccumulator, memoryBytes } from "./memory.mjs"; // imported before the package, to see its memory
import {
  LimitError,
  StreamDeltas,
  decode,
  extractToolCalls,
  process,
  processAsync,
  processStream,
  runRequest,
  streamDeltas,
} from "respool";

const encode = (text) => new TextEncoder().encode(text);
const nested = (depth) => `{"choices":[],"n":${"[".repeat(depth - 1)}${"]".repeat(depth - 1)}}`;
const EVENT = sseBytes([chunk("The ferry")]);
const LINE = EVENT.indexOf(10);
const calls = (count) => ({
  choices: [
    {
      delta: {
        tool_calls: Array.from(
          { length: count },
          (_, index) =>
            callChunk({ index, id: `c${index}`, function: { name: "f", arguments: "{}" } }).choices[0].delta.tool_calls[0],
        ),
      },
    },
  ],
});
const choices = (count) => ({ choices: Array.from({ length: count }, (_, index) => ({ index, delta: { content: "a" } })) });

/** Each limit: its default, and two streams for the limit `to`, one that reaches it exactly and one that exceeds it. */
const LIMITS = {
  maxEventBytes: { to: LINE, kept: EVENT, over: sseBytes([chunk("The ferry!")]) },
  maxTotalBytes: { to: EVENT.length, kept: EVENT, over: Buffer.concat([EVENT, encode("\n")]) },
  maxToolCalls: { to: 3, kept: calls(3), over: calls(4) },
  maxChoices: { to: 3, kept: choices(3), over: choices(4) },
  maxDepth: { to: 10, kept: encode(`data: ${nested(10)}\n\n`), over: encode(`data: ${nested(11)}\n\n`) },
};

function read(pieces, limits) {
  const accumulator = new StreamAccumulator({ api: "openai-chat", limits });
  const deltas = pieces.flatMap((piece) =>
    piece instanceof Uint8Array ? accumulator.pushBytes(piece) : accumulator.push(piece),
  );
  const result = accumulator.finish();
  accumulator.free();
  return { deltas, result };
}

describe("limits of a stream", () => {
  for (const [name, { to, kept, over }] of Object.entries(LIMITS)) {
    test(`${name}: reached`, () => {
      const { result } = read([kept], { [name]: to });
      assert.equal(result.error, undefined);
      assert.notEqual(result.ending, "failed");
    });

    test(`${name}: exceeded, and content before that is kept`, () => {
      const before = name === "maxTotalBytes" ? [] : [chunk("before")];
      const { deltas, result } = read([...before, over, chunk("after")], { [name]: to });
      assert.equal(deltas.find((delta) => delta.type === "error")?.error.code, "limit-exceeded");
      assert.deepEqual([result.ending, result.error.code], ["failed", "limit-exceeded"]);
      if (before.length > 0) assert.ok(result.text.startsWith("before"));
      assert.ok(!result.text.includes("after"), "nothing is read any more");
    });

    test(`${name}: lifted with Infinity`, () => {
      assert.equal(read([over], { [name]: Infinity }).result.error, undefined);
    });
  }
});

describe("an endless source is closed when a limit is exceeded", () => {
  const limits = { maxEventBytes: 1000, maxToolCalls: 3 };
  const SOURCES = { bytes: () => new Uint8Array(4096).fill(120), text: () => "x".repeat(4096), chunks: (nth) => calls(nth + 1) };

  /** `state` has the number of reads, and whether the source was closed. Reading too far throws. */
  function endless(make, state) {
    const next = async () => {
      if (++state.reads > 100) throw new Error("reading went on");
      return { done: false, value: make(state.reads) };
    };
    const close = async () => {
      state.isClosed = true;
      return { done: true };
    };
    return { [Symbol.asyncIterator]: () => ({ next, return: close }) };
  }

  for (const [name, make] of Object.entries(SOURCES)) {
    test(`streamDeltas: ${name}`, async () => {
      const state = { reads: 0, isClosed: false };
      const deltas = streamDeltas(endless(make, state), { limits });
      let errors = 0;
      const loop = async () => {
        for await (const { type } of deltas) errors += Number(type === "error");
      };
      await assert.rejects(loop(), { name: "LimitError", code: "limit-exceeded" });
      assert.deepEqual(
        [errors, deltas.result.ending, deltas.result.error.code, state.isClosed],
        [1, "failed", "limit-exceeded", true],
      );
    });

    test(`processStream: ${name}`, async () => {
      const state = { reads: 0, isClosed: false };
      await assert.rejects(processStream({}, endless(make, state), { limits }).next(), {
        code: "limit-exceeded",
        outcome: "determinate",
      });
      assert.equal(state.isClosed, true);
    });

    test(`StreamDeltas: ${name}`, async () => {
      let reads = 0;
      const deltas = new StreamDeltas({ limits });
      let close;
      const closed = new Promise((resolve) => (close = resolve));
      const pull = (controller) =>
        reads++ < 100 ? controller.enqueue(make(reads)) : controller.error(new Error("reading went on"));
      let errors = 0;
      for await (const { type } of new ReadableStream({ pull, cancel: close }).pipeThrough(deltas))
        errors += Number(type === "error");
      await closed; // the pipe closes it a little later
      assert.deepEqual([errors, deltas.result.ending, deltas.result.error.code], [1, "failed", "limit-exceeded"]);
    });

    test(`runRequest: ${name}`, async () => {
      const state = { reads: 0, isClosed: false };
      const { failure } = await runRequest({ transport: () => endless(make, state), messages: [], limits }).result();
      assert.deepEqual([failure.code, failure.cause.code, state.isClosed], ["unknown_error", "limit-exceeded", true]);
    });
  }

  // Input that starts like a body is read to its end.
  const BODIES = { "a body": '{"choices":[{"message":{"content":"', "blank text": " \n" };
  for (const [name, text] of Object.entries(BODIES)) {
    test(`processAsync: ${name}`, async () => {
      const state = { reads: 0, isClosed: false };
      const piece = new Uint8Array(2 ** 23).fill(text === BODIES["a body"] ? 120 : 32);
      const source = endless((nth) => (nth === 1 ? encode(text) : piece), state);
      await assert.rejects(processAsync({}, source), (error) => LimitError.isInstance(error) && error.code === "limit-exceeded");
      assert.ok(state.isClosed && state.reads <= 18, `${state.reads} reads`);
    });
  }
});

test("objects that nest too deeply are left out, and each level is visited once or twice", () => {
  const levels = 6_000;
  let visits = 0;
  const counted = {
    ownKeys(object) {
      visits++;
      return Reflect.ownKeys(object);
    },
  };
  let deep = 1;
  for (let level = 0; level < levels; level++) deep = new Proxy({ deep }, counted);
  const stream = new StreamAccumulator();
  const [delta, warning] = stream.push({ choices: [{ delta: { content: "High.", deep } }] });
  stream.free();
  assert.deepEqual([delta, warning.code], [{ type: "text", text: "High." }, "invalid-event"]);
  assert.ok(visits < 3 * levels, `${visits} visits`);
});

describe("limits of a body", () => {
  test("levels of nesting", () => {
    assert.ok(Array.isArray(decode(nested(512)).extra.n));
    assert.throws(
      () => decode(nested(513)),
      (error) => LimitError.isInstance(error) && error.code === "limit-exceeded",
    );
    assert.throws(() => process({}, "[".repeat(100_000)), { code: "limit-exceeded" });
  });

  test("choices and tool calls, for which there is no option", () => {
    const choices = Array.from({ length: 129 }, (_, index) => ({ index, message: { content: "a" }, finish_reason: "stop" }));
    const tool_calls = Array.from({ length: 1025 }, (_, at) => ({ id: `c${at}`, function: { name: "f", arguments: "{}" } }));
    const cases = [
      [{ choices }, "The response has more than 128 choices"],
      [{ choices: [{ message: { tool_calls } }] }, "The response has more than 1024 tool calls"],
    ];
    for (const [body, message] of cases) {
      for (const read of [decode, (given) => process({}, given)]) {
        assert.throws(() => read(body), { code: "limit-exceeded", message });
      }
      const stream = new StreamAccumulator();
      stream.push(body);
      assert.match(stream.finish().error.message, /Raise `limits\./);
    }
  });

  test("bytes", () => {
    const most = 128 * 2 ** 20;
    const body = (length) => `{"choices":[{"message":{"content":"a"}}]${" ".repeat(length - 41)}}`;
    assert.equal(process({}, body(most)), "a");
    assert.throws(
      () => process({}, body(most + 1)),
      (error) => LimitError.isInstance(error) && error.code === "limit-exceeded",
    );
  });
});

test("too many items of a parsed list are an error, and none are left out", () => {
  const list = (count) => ({
    object: "list",
    data: Array.from({ length: count }, (_, index) => ({ object: "embedding", index, embedding: [0.5] })),
  });
  assert.equal(process({}, list(262_144)).length, 262_144);
  const tooMany = list(262_145);
  assert.throws(() => process({}, tooMany), { code: "invalid-json", message: /an array of 262145 items/ });
  assert.equal(process({}, JSON.stringify(tooMany)).length, 262_145);
});

describe("limits of the search in text", () => {
  const refused = (options) => assert.throws(() => extractToolCalls("", options), { code: "invalid-option" });
  const tools = (count) => Array.from({ length: count }, (_, at) => ({ name: `tool_${at}` }));

  test("names", () => {
    const names = (count) => new Array(count).fill("hermes");
    assert.equal(extractToolCalls("a", { tools: [], formats: names(100), reasoningTags: names(100) }).text, "a");
    refused({ tools: [], formats: names(101) });
    refused({ tools: [], reasoningTags: names(101) });
  });
  test("tools", () => {
    const call = '<tool_call>{"name": "tool_9999"}</tool_call>';
    assert.equal(extractToolCalls(call, { tools: tools(10_000) }).toolCalls.length, 1);
    refused({ tools: tools(10_001) });
  });
  test("rejected calls", () => {
    const rejected = (count) =>
      extractToolCalls('<tool_call>{"name": "other"}</tool_call>\n'.repeat(count), { tools: tools(1) }).rejected;
    assert.deepEqual([rejected(1_000).length, rejected(1_001).length], [1_000, 1_000]);
  });
});

describe("memory", () => {
  /** How much the memory of the module grows during a number of equal reads of 64 KiB. */
  function grownBy(text, reads, limits) {
    const read = encode(text.repeat(Math.ceil(65_536 / text.length)).slice(0, 65_536));
    const before = memoryBytes();
    const accumulator = new StreamAccumulator({ limits });
    for (let nth = 0; nth < reads; nth++) accumulator.pushBytes(read);
    const { ending } = accumulator.finish();
    accumulator.free();
    return { grown: memoryBytes() - before, ending };
  }
  const ENDLESS = { "a line": "x", "a field": "data: y", "an array": "[", "a string": '{"a":"' };

  for (const [what, text] of Object.entries(ENDLESS)) {
    test(`${what} without an end takes no more memory than maxEventBytes allows`, () => {
      const limit = 2 ** 20;
      const { grown, ending } = grownBy(text, 1000, { maxEventBytes: limit });
      assert.notEqual(ending, "complete");
      assert.ok(grown < 6 * limit, `${grown} bytes more after 64 MB`);
    });
  }

  test("endless text takes a small multiple of maxTotalBytes", async () => {
    const limit = 4 * 2 ** 20;
    const before = memoryBytes();
    async function* source() {
      for (;;) yield sseBytes([chunk("x".repeat(10_000))]);
    }
    const deltas = streamDeltas(source(), { limits: { maxTotalBytes: limit } });
    let emitted = 0;
    for await (const delta of deltas) {
      if (delta.type === "text") emitted += delta.text.length;
      if (delta.type === "error") break;
    }
    assert.equal(deltas.result.error.code, "limit-exceeded");
    assert.ok(emitted > 0 && emitted <= limit, `${emitted} characters`);
    assert.ok(memoryBytes() - before < 8 * limit, `${memoryBytes() - before} bytes more`);
  });
});
