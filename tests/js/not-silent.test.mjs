// No result is silently empty: for unreadable input, an error says what it looks like and what to do.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import { collect, decode, process, processAsync, StreamAccumulator } from "respool";
import { CHAT_STREAM, chatBody, chunk, RESPONSES_STREAM, sseText } from "./answers.mjs";
import { readable } from "./sources.mjs";

const events = (...bodies) => bodies.map((body) => `data: ${JSON.stringify(body)}\n\n`).join("");

describe("a stream in which nothing could be read", () => {
  const SOURCES = {
    "compressed data": [[gzipSync("data: {}\n\n")], /looks like binary data, or text that isn't UTF-8: decompress/],
    "UTF-16": [[Buffer.from("data: {}\n\n", "utf16le")], /looks like binary data/],
    "a page of HTML": ["<!doctype html>\n<title>Sign in</title>\n", /looks like an HTML or XML page.*"<!doctype html>"/],
    "a UI message stream of the AI SDK": [
      `${events({ type: "start" }, { type: "start-step" }, { type: "text-delta", id: "0", delta: "Hi" })}data: [DONE]\n\n`,
      /a stream of the AI SDK: pass the provider's response instead/,
    ],
    "the parts of fullStream": [[{ type: "text-delta", text: "Hi" }, { type: "finish" }], /a stream of the AI SDK/],
    "a textStream of the AI SDK": [["The ferry ", "leaves.\n"], /plain text, not a stream of events/],
    embeddings: [[{ data: [{ embedding: [1, 2] }] }], /embeddings response, which process\(\) and processAsync\(\) read/],
    "embeddings of MiniMax": [[{ vectors: [[1, 2]], base_resp: {} }], /looks like an embeddings response/],
    "embeddings of Workers AI": [
      ['{"result":{"shape":[1,2],"data":[[1,2]]},"success":true}\n'],
      /looks like an embeddings response/,
    ],
    "embeddings of Text Embeddings Inference": [["[[-0.1,0.2]]"], /looks like an embeddings response/],
    "an unknown format": [[{ squawk: "Hi" }], /matches no known interface: "\{\\?"squawk/],
  };
  for (const [name, [source, message]] of Object.entries(SOURCES)) {
    test(name, async () => {
      const make = () => (typeof source === "string" ? [source] : source);
      await assert.rejects(collect(make()), { name: "DecodeError", code: "unknown-response", message });
      const { ending, error, text } = await collect(make(), { throwOnError: false });
      assert.deepEqual([ending, error.code, text], ["failed", "unknown-response", ""]);
    });
  }

  test("of another interface than the caller names", async () => {
    for (const [stream, api, other] of [
      [CHAT_STREAM, "openai-responses", "openai-chat"],
      [RESPONSES_STREAM, "anthropic-messages", "openai-responses"],
    ]) {
      const message = new RegExp(`its events are of the interface ${other}, which the option \`api\` excludes`);
      await assert.rejects(collect(stream, { api }), { code: "unknown-response", message });
    }
  });

  test("a stream with anything readable doesn't fail", async () => {
    const text = sseText([chunk("a", "stop")]).join("");
    for (const source of [`<html>\n\n${text}`, `${events({ squawk: 1 })}${text}`, `${text}<html>\n`]) {
      assert.equal((await collect([source])).text, "a");
    }
  });

  test("an answer that has begun is cut off, whatever came before it", async () => {
    const begun = { type: "message_start", message: { id: "msg_1", role: "assistant", content: [] } };
    for (const source of [`data: {lost\n\n${events(begun)}`, `${events({ squawk: 1 }, { choices: [{ delta: {} }] })}`]) {
      const { ending, warnings } = await collect([source]);
      assert.deepEqual([ending, warnings.length], ["truncated", 1], source);
    }
  });

  test("a stream that is empty or was cut off in its first event is truncated", async () => {
    for (const source of ["", ": waiting\n\n", 'data: {"choi', '{"choices":[{"del', events({ type: "ping" }), events({})]) {
      assert.equal((await collect([source])).ending, "truncated", source);
    }
  });
});

describe("input that has to be awaited or read first", () => {
  const PENDING = {
    "a promise": [() => Promise.resolve(chatBody("a")), /a promise: await it first/],
    "a Response": [() => new Response("{}"), /a Response: pass it to/],
    "a ReadableStream": [() => readable([]), /a ReadableStream: pass it to/],
    "a Blob": [() => new Blob(["{}"]), /a Blob: pass it to/],
    "an async iterable": [() => ({ [Symbol.asyncIterator]() {} }), /an async iterable: pass it to/],
  };
  for (const [name, [make, message]] of Object.entries(PENDING)) {
    test(name, () => {
      const accumulator = new StreamAccumulator();
      assert.throws(() => accumulator.push(make()), { code: "invalid-chunk", message });
      assert.deepEqual(accumulator.push(chunk("a")), [{ type: "text", text: "a" }]);
      accumulator.free();
      for (const read of [decode, (body) => process({}, body)]) {
        assert.throws(() => read(make()), { name: "DecodeError", code: "unknown-response", message });
      }
    });
  }

  test("a body that has already been read", async () => {
    const used = new Response(sseText(CHAT_STREAM).join(""));
    await used.text();
    for (const read of [collect, (source) => processAsync({}, source)]) {
      await assert.rejects(read(used), { code: "invalid-source", message: /already been read: pass the Response before/ });
    }
  });

  test("text that isn't JSON is quoted", () => {
    assert.throws(() => decode("<html>Bad gateway</html>"), { code: "invalid-json", message: /"<html>Bad gateway<\/html>"/ });
  });
});
