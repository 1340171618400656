// processStream and streamDeltas accept every kind of source.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { processStream, ResponseConverter, streamDeltas } from "respool";
import { ANTHROPIC_STREAM, CHAT_STREAM, chunk, RESPONSES_STREAM, sseBytes, sseText } from "./answers.mjs";
import { collect, generated, readable, withoutIterator } from "./sources.mjs";

const TEXT = "The ferry leaves at 9:35.";
const bytes = sseBytes(CHAT_STREAM);
const text = sseText(CHAT_STREAM);

const SOURCES = {
  "a fetch Response": () => new Response(bytes),
  "a ReadableStream of bytes": () => readable([bytes.subarray(0, 50), bytes.subarray(50)]),
  "a ReadableStream of text": () => readable(text),
  "a ReadableStream of chunks": () => readable(CHAT_STREAM),
  "a ReadableStream without an iterator": () => withoutIterator(readable([bytes])),
  "a fetch Response whose body has no iterator": () => ({ status: 200, body: withoutIterator(readable([bytes])) }),
  "a Blob": () => new Blob([bytes]),
  "an async generator": () => generated(CHAT_STREAM),
  "an async iterable": () => ({ [Symbol.asyncIterator]: () => generated(text) }),
  "an answer of the AWS SDK with a stream": () => ({ $metadata: {}, stream: generated(CHAT_STREAM) }),
  "an answer of the AWS SDK with a body": () => ({ $metadata: {}, contentType: "application/json", body: generated(text) }),
  "an array of chunks": () => CHAT_STREAM,
  "an array of strings": () => text,
  "an array of bytes": () => [bytes],
  "a generator": () =>
    (function* () {
      yield* CHAT_STREAM;
    })(),
  "one byte a read": () => Array.from(bytes, (byte) => Uint8Array.of(byte)),
  "one code unit a read": () => text.join("").split(""),
  "ArrayBuffers and views": () => [bytes.slice(0, 40).buffer, new DataView(bytes.buffer, 40, 40), bytes.subarray(80)],
  "a Blob with a body that was not streamed": () =>
    new Blob([JSON.stringify({ choices: [{ message: { content: TEXT }, finish_reason: "stop" }], usage: { total_tokens: 15 } })]),
  "a body that was not streamed": () =>
    new Response(
      JSON.stringify({ choices: [{ message: { content: TEXT }, finish_reason: "stop" }], usage: { total_tokens: 15 } }),
    ),
};

describe("sources", () => {
  for (const [name, make] of Object.entries(SOURCES)) {
    test(name, async () => {
      assert.equal((await collect(processStream({}, make()))).join(""), TEXT);
      const deltas = streamDeltas(make());
      const given = await collect(deltas);
      assert.equal(
        given
          .filter(({ type }) => type === "text")
          .map((delta) => delta.text)
          .join(""),
        TEXT,
      );
      const { ending, usage } = deltas.result;
      assert.deepEqual([deltas.result.text, ending, usage.totalTokens], [TEXT, "complete", 15]);
    });

    test(`a promise of ${name}`, async () => {
      assert.equal((await collect(processStream({}, Promise.resolve(make())))).join(""), TEXT);
    });
  }

  test("strings split inside a character", async () => {
    const whole = sseText([chunk("a😀b👩‍🚀", "stop")]).join("");
    const deltas = streamDeltas(whole.split(""));
    await collect(deltas);
    assert.equal(deltas.result.text, "a😀b👩‍🚀");
    assert.deepEqual(deltas.result.warnings, []);
  });

  test("an event that only the end of input terminates", async () => {
    assert.deepEqual(await collect(streamDeltas([`data: ${JSON.stringify(chunk("late"))}`])), [{ type: "text", text: "late" }]);
  });

  test("a response without a body", async () => {
    const deltas = streamDeltas(new Response(null, { status: 204 }));
    assert.deepEqual(await collect(deltas), []);
    assert.equal(deltas.result.ending, "truncated");
  });

  test("the stream is not locked afterwards", async () => {
    const stream = readable([bytes]);
    await collect(streamDeltas(stream));
    assert.equal(stream.locked, false);
  });

  test("the result is available after the end of the stream, not before", async () => {
    const deltas = streamDeltas(CHAT_STREAM);
    assert.equal(deltas.result, undefined);
    await deltas.next();
    assert.equal(deltas.result, undefined);
    await collect(deltas);
    assert.equal(deltas.result.text, TEXT);
  });

  test("options are passed to the accumulator", async () => {
    const joined = [Buffer.concat([sseBytes([chunk("a"), chunk("b")])])];
    assert.deepEqual(await collect(streamDeltas(joined, { coalesce: false })), [
      { type: "text", text: "a" },
      { type: "text", text: "b" },
    ]);
    for (const options of [null, undefined, {}])
      assert.deepEqual(await collect(streamDeltas(joined, options)), [{ type: "text", text: "ab" }]);
  });
});

describe("processStream", () => {
  test("text, then tool calls", async () => {
    const call = { id: "toolu_7", name: "timetable", arguments: '{"port":"Skjervøy"}' };
    assert.deepEqual(await collect(processStream({}, ANTHROPIC_STREAM)), ["I look it up.", call]);
  });

  test("works the same for all interfaces", async () => {
    assert.deepEqual(await collect(processStream({}, RESPONSES_STREAM)), await collect(processStream({}, CHAT_STREAM)));
  });

  test("tool calls are sorted", async () => {
    const call = (index, id) => ({
      choices: [{ delta: { tool_calls: [{ index, id, function: { name: "f", arguments: "{}" } }] } }],
    });
    const items = await collect(processStream({}, [call(2, "c"), call(0, "a"), call(1, "b"), chunk("", "tool_calls")]));
    assert.deepEqual(
      items.map(({ id }) => id),
      ["a", "b", "c"],
    );
  });

  test("only the first choice", async () => {
    const both = {
      choices: [
        { index: 1, delta: { content: "B" } },
        { index: 0, delta: { content: "A" } },
      ],
    };
    assert.deepEqual(await collect(processStream({}, [both, chunk("", "stop")])), ["A"]);
  });
});

describe("invalid sources", () => {
  const JUNK = {
    null: null,
    undefined,
    number: 5,
    object: {},
    string: "data: {}\n\n",
    "a Uint8Array": bytes,
    "an ArrayBuffer": bytes.buffer,
  };
  for (const [name, junk] of Object.entries(JUNK)) {
    test(name, async () => {
      for (const source of [junk, Promise.resolve(junk)]) {
        await assert.rejects(collect(streamDeltas(source)), { name: "RespoolError", code: "invalid-source" });
      }
    });
  }

  test("invalid options", async () => {
    // At the call, not at the first read.
    assert.throws(() => streamDeltas(CHAT_STREAM, { coalese: true }), { code: "invalid-option" });
    assert.throws(() => streamDeltas(CHAT_STREAM, { throwOnErorr: true }), { message: /Did you mean `throwOnError`/ });
    assert.throws(() => processStream({}, CHAT_STREAM, { signal: 5 }), { code: "invalid-option", message: /AbortSignal/ });
    assert.throws(() => new ResponseConverter("auto", { coalese: true }), { code: "invalid-option" });
  });

  test("an invalid chunk", async () => {
    const log = [];
    for (const junk of [5, null, [], true]) {
      await assert.rejects(collect(streamDeltas(generated([chunk("a"), junk], log))), { code: "invalid-chunk" });
    }
    assert.deepEqual(log, ["closed", "closed", "closed", "closed"]);
  });
});
