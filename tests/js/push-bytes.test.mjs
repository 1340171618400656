// StreamAccumulator.pushBytes: bytes in any form, split anywhere.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { StreamAccumulator } from "respool";
import { ANTHROPIC_STREAM, CHAT_STREAM, chunk, RESPONSES_STREAM, sseBytes } from "./answers.mjs";

/** Reads bytes in pieces of a size, and returns the joined text deltas and the result. */
function read(bytes, size) {
  const accumulator = new StreamAccumulator();
  let text = "";
  for (let at = 0; at < bytes.length; at += size) {
    for (const delta of accumulator.pushBytes(bytes.subarray(at, at + size))) if (delta.type === "text") text += delta.text;
  }
  const result = accumulator.finish();
  accumulator.free();
  return { text, result };
}

const STREAMS = {
  chat: sseBytes(CHAT_STREAM),
  Responses: sseBytes(RESPONSES_STREAM),
  Anthropic: sseBytes(ANTHROPIC_STREAM),
  "characters of one to four bytes": sseBytes([chunk("aø"), chunk("→👩‍🚀"), chunk("日本", "stop")]),
  "escaped surrogate pairs": new TextEncoder().encode(
    'data: {"choices":[{"delta":{"content":"\\ud83d"}}]}\r\n\r\ndata: {"choices":[{"delta":{"content":"\\ude00"}}]}\r\n\r\n',
  ),
  "JSON lines": new TextEncoder().encode(CHAT_STREAM.map((event) => `${JSON.stringify(event)}\r\n`).join("\r\n")),
};

describe("reads of any size lead to the same result", () => {
  for (const [name, bytes] of Object.entries(STREAMS)) {
    test(name, () => {
      const whole = read(bytes, bytes.length);
      assert.notEqual(whole.result.text, "");
      for (const size of [1, 2, 3, 7, 64]) {
        const { text, result } = read(bytes, size);
        assert.equal(text, whole.result.text, `deltas, ${size} bytes a read`);
        assert.deepEqual(result, whole.result, `${size} bytes a read`);
      }
    });
  }

  test("objects lead to the same result", () => {
    for (const [name, events] of Object.entries({
      chat: CHAT_STREAM,
      Responses: RESPONSES_STREAM,
      Anthropic: ANTHROPIC_STREAM,
    })) {
      const accumulator = new StreamAccumulator();
      for (const event of events) accumulator.push(event);
      assert.deepEqual(accumulator.finish(), read(STREAMS[name], 16).result, name);
    }
  });
});

describe("the forms of bytes", () => {
  const bytes = sseBytes([chunk("bytes", "stop")]);
  const room = new Uint8Array(bytes.length + 8).fill(0x20);
  room.set(bytes, 4);
  const FORMS = {
    "a Uint8Array": bytes,
    "a part of a Uint8Array": room.subarray(4, 4 + bytes.length),
    "an ArrayBuffer": bytes.buffer.slice(0),
    "a DataView": new DataView(room.buffer, 4, bytes.length),
    "a Buffer": Buffer.from(bytes),
    "a Uint8ClampedArray": Uint8ClampedArray.from(bytes),
  };
  for (const [name, form] of Object.entries(FORMS)) {
    test(name, () => {
      const accumulator = new StreamAccumulator();
      assert.deepEqual(accumulator.pushBytes(form)[0], { type: "text", text: "bytes" });
      assert.equal(accumulator.finish().ending, "complete");
    });
  }

  test("empty bytes are accepted", () => {
    const accumulator = new StreamAccumulator();
    for (const none of [new Uint8Array(), new ArrayBuffer(0), new DataView(new ArrayBuffer(0))]) {
      assert.deepEqual(accumulator.pushBytes(none), []);
    }
    accumulator.pushBytes(bytes);
    assert.equal(accumulator.finish().text, "bytes");
  });

  test("the buffer can be reused", () => {
    const accumulator = new StreamAccumulator();
    const buffer = bytes.slice();
    accumulator.pushBytes(buffer.subarray(0, 30));
    buffer.copyWithin(0, 30);
    accumulator.pushBytes(buffer.subarray(0, bytes.length - 30));
    assert.equal(accumulator.finish().text, "bytes");
  });

  for (const [name, junk] of Object.entries({ null: null, number: 5, string: "data: {}", array: [1], object: {} })) {
    test(`${name} isn't bytes`, () => {
      const accumulator = new StreamAccumulator();
      assert.throws(() => accumulator.pushBytes(junk), { name: "RespoolError", code: "invalid-chunk" });
      accumulator.pushBytes(bytes);
      assert.equal(accumulator.finish().text, "bytes", "the stream goes on");
    });
  }
});

describe("invalid events", () => {
  test("are warnings, and the events around them are kept", () => {
    const broken = new TextEncoder().encode('data: {"choices":[{"delta":{"content":"los\n\n');
    const accumulator = new StreamAccumulator();
    const [text, warning] = accumulator.pushBytes(Buffer.concat([sseBytes([chunk("a")]).subarray(0, -14), broken]));
    assert.deepEqual(text, { type: "text", text: "a" });
    assert.deepEqual([warning.type, warning.code], ["warning", "invalid-event"]);
    accumulator.pushBytes(sseBytes([chunk("b", "stop")]));
    const result = accumulator.finish();
    assert.deepEqual([result.text, result.ending, result.warnings.length], ["ab", "complete", 1]);
  });

  test("are repaired if they are unambiguous, in lines and arrays as in events", () => {
    const events = [
      '{"choices":[{"delta":{"content":"a"},"logprobs":NaN}]}',
      '{"choices":[{"delta":{"content":"b"},"finish_reason":"stop"},]}',
    ];
    const part = (text, more) => `{"candidates":[{"content":{"parts":[{"text":"${text}"}]}${more}}]}`;
    for (const text of [
      events.map((event) => `data: ${event}\n\n`).join(""),
      `${events.join("\n")}\n`,
      `${events.join("\r\n")}\r\n`,
      `[${part("a", ',"avgLogprobs":-Infinity')},\n${part("b", ',"finishReason":"STOP",')}]\n`,
    ]) {
      for (const size of [1, 7, 1000]) {
        const { text: deltas, result } = read(new TextEncoder().encode(text), size);
        assert.deepEqual([deltas, result.text, result.ending], ["ab", "ab", "complete"], text);
        assert.deepEqual(
          result.warnings.map(({ code, message }) => [code, message.startsWith("Repaired")]),
          Array(2).fill(["invalid-event", true]),
        );
      }
    }
  });

  test("a page of HTML", () => {
    const accumulator = new StreamAccumulator();
    accumulator.pushBytes(new TextEncoder().encode("<html>\n<h1>502 Bad Gateway</h1>\n</html>\n"));
    const { text, ending, error, warnings } = accumulator.finish();
    assert.deepEqual([text, ending, error.code], ["", "failed", "unknown-response"]);
    assert.match(error.message, /looks like an HTML or XML page.*"<html>"/);
    assert.notEqual(warnings.length, 0);
  });
});
