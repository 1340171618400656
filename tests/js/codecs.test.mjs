// Codecs: interfaces that a user adds.
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import {
  RespoolError,
  ResponseConverter,
  StreamAccumulator,
  StreamDeltas,
  collect,
  decode,
  detectApi,
  process,
  processAsync,
  registerCodec,
  runRequest,
  streamDeltas,
  tap,
} from "respool";
import { translateResponse } from "respool/encode";
import { sseText } from "./answers.mjs";
import { collect as all, generated, readable, stalled } from "./sources.mjs";

/** An invented interface: `{ parrot: [words], end? }` as a body, `{ word }` and `{ end }` as events. */
const parrot = {
  name: "parrot",
  detect: (value) => typeof value === "object" && value !== null && ("parrot" in value || "word" in value),
  decode: ({ parrot: words, cage }) => [
    { type: "text", text: words.join(" ") },
    { type: "data", data: { cage } },
    { type: "finish", finishReason: "complete", rawFinishReason: "tired" },
  ],
  stream() {
    let count = 0;
    return ({ word, end, call }) => {
      if (end)
        return [
          { type: "usage", completionTokens: count },
          { type: "finish", finishReason: "complete" },
        ];
      if (call) return { type: "tool-call", name: call, arguments: { seed: true }, done: true };
      count += 1;
      return { type: "text", text: count === 1 ? word : ` ${word}` };
    };
  },
};

let unregister = () => {};
afterEach(() => unregister());

test("a body goes through the codec", () => {
  unregister = registerCodec(parrot);
  const body = { parrot: ["pretty", "Polly"], cage: 7 };
  assert.equal(detectApi(body), "parrot");
  assert.equal(process({}, body), "pretty Polly");
  const response = decode(JSON.stringify(body));
  assert.equal(response.message, "pretty Polly");
  assert.equal(response.rawFinishReason, "tired");
  assert.deepEqual(response.apiSpecific, { api: "custom", apiName: "parrot", data: { cage: 7 } });
});

/** What is read of an answer of {@link parrot}. */
const summary = ({ text, ending, response }) => [text, ending, response.apiSpecific.data];

test("a source that is one body is read by decode, any other one by stream", async () => {
  unregister = registerCodec(parrot);
  const body = { parrot: ["pretty", "Polly"], cage: 7 };
  const json = JSON.stringify(body);
  const split = [json.slice(0, 9), json.slice(9)];
  const forms = {
    object: () => [body],
    text: () => [json],
    "text in pieces": () => split,
    "text after a byte order mark": () => [`\ufeff\n${json}`],
    "bytes with line breaks": () => [
      new TextEncoder().encode(JSON.stringify(body, null, 2)).subarray(0, 3),
      JSON.stringify(body, null, 2).slice(3),
    ],
    Response: () => Response.json(body),
  };
  for (const [name, make] of Object.entries(forms)) {
    assert.deepEqual(summary(await collect(make())), ["pretty Polly", "complete", { cage: 7 }], name);
    assert.equal(await processAsync({}, make()), "pretty Polly", name);
    const deltas = readable(make()[Symbol.iterator] ? make() : [json]).pipeThrough(new StreamDeltas());
    assert.deepEqual(
      (await all(deltas)).map(({ type }) => type),
      ["text", "finish"],
      name,
    );
  }
  const { response, result } = tap(Response.json(body));
  await response.text();
  assert.deepEqual(summary(await result), ["pretty Polly", "complete", { cage: 7 }]);
  for (const source of [body, json, Response.json(body), [body]]) {
    const { content, metadata } = await new ResponseConverter("parrot").convertResponse(source);
    assert.deepEqual([content[0].text, metadata.rawFinishReason], ["pretty Polly", "tired"]);
  }
  const messages = await all(new ResponseConverter("parrot").convertStreamingResponse({}, "n", body));
  assert.deepEqual(messages.at(-1).metadata.rawFinishReason, "tired");
  const request = runRequest({ transport: () => Response.json(body), messages: [{ role: "user", content: "Hi" }] });
  assert.equal((await request.result()).finalText, "pretty Polly");

  const events = [{ word: "pretty" }, { word: "Polly" }, { end: true }];
  const lines = events.map((event) => `${JSON.stringify(event)}\n`);
  for (const source of [events, lines, [lines.join("")], sseText(events), Array.from(lines.join(""))]) {
    assert.deepEqual(summary(await collect(source)), ["pretty Polly", "complete", null]);
  }
  // A stream may have a single event, or end after the first one.
  for (const source of [[{ word: "Hi" }], ['{"word":"Hi"}'], sseText([{ word: "Hi" }])]) {
    assert.deepEqual(summary(await collect(source)), ["Hi", "truncated", null]);
  }
  const cut = await collect(generated([{ word: "Hi" }], [], new Error("lost"))).then(assert.fail, ({ partial }) => partial);
  assert.deepEqual(summary(cut), ["Hi", "truncated", null]);
  const deltas = streamDeltas(stalled([{ word: "Hi" }]));
  const waiting = deltas.next();
  await new Promise(setImmediate);
  await deltas.return();
  assert.deepEqual([(await waiting).done, deltas.result.text], [true, "Hi"]);
});

test("an event of a stream is read as soon as the next one arrives", async () => {
  unregister = registerCodec(parrot);
  for (const pieces of [[{ word: "a" }, { word: "b" }], ['{"word":"a"}\n', '{"word":"b"}\n'], sseText([{ word: "a" }])]) {
    const deltas = streamDeltas(stalled(pieces));
    assert.equal((await deltas.next()).value.text, "a");
    await deltas.return();
  }
  // Nothing can be a codec's body if the interface is named.
  const chunk = `${JSON.stringify({ choices: [{ index: 0, delta: { content: "a" } }] })}\n`;
  const deltas = streamDeltas(stalled([chunk]), { api: "openai-chat" });
  assert.equal((await deltas.next()).value.text, "a");
  await deltas.return();
});

test("a stream goes through the codec, from objects and from bytes", () => {
  unregister = registerCodec(parrot);
  const events = [{ word: "pretty" }, { word: "Polly" }, { call: "crack" }, { end: true }];
  const objects = new StreamAccumulator();
  const deltas = events.flatMap((event) => objects.push(event));
  assert.deepEqual(
    deltas.map((delta) => delta.type),
    ["text", "text", "tool-call-start", "tool-call-delta", "tool-call-end", "usage", "finish"],
  );
  const bytes = new StreamAccumulator({ api: "parrot" });
  for (const event of events) bytes.pushBytes(new TextEncoder().encode(`data: ${JSON.stringify(event)}\n\n`));
  const result = objects.finish();
  assert.deepEqual(bytes.finish(), result);
  assert.equal(result.text, "pretty Polly");
  assert.equal(result.finishReason, "tool_use");
  assert.deepEqual(
    result.toolCalls.map(({ name, arguments: text }) => [name, text]),
    [["crack", '{"seed":true}']],
  );
  assert.equal(result.usage.completionTokens, 2);
  assert.equal(result.ending, "complete");
});

test("a codec may have the name of an interface without messages", async () => {
  const events = [{ word: "pretty" }, { word: "Polly" }, { end: true }];
  for (const name of ["acme-images", "acme-embeddings"]) {
    unregister = registerCodec({ ...parrot, name });
    assert.equal(await processAsync({}, events), "pretty Polly");
    const { content } = await new ResponseConverter(name).convertResponse(events);
    assert.deepEqual(content, [{ type: "text", text: "pretty Polly" }]);
    const response = await translateResponse({ status: 200, body: events }, { to: "openai-chat" });
    assert.equal(await processAsync({}, response), "pretty Polly");
    unregister();
  }
});

test("a codec replaces the one of the same name for good", () => {
  const saying = (text) =>
    registerCodec({ name: "jay", detect: (value) => value?.jay === 1, decode: () => ({ type: "text", text }) });
  const [first, second] = [saying("one"), saying("two")];
  first();
  assert.equal(decode({ jay: 1 }).message, "two");
  second();
  assert.throws(() => decode({ jay: 1 }), { code: "unknown-response" });
});

test("several calls without an index", () => {
  const call = (name, seed) => ({ type: "tool-call", name, arguments: { seed }, done: true });
  const calls = [call("crack", 1), call("peel", 2), call("peel", 3)];
  const expected = [
    ["crack", { seed: 1 }],
    ["peel", { seed: 2 }],
    ["peel", { seed: 3 }],
  ];
  unregister = registerCodec({
    ...parrot,
    decode: () => calls,
    stream: () => ({ read: ({ word }) => calls[word], save: () => null }),
  });
  const { toolCalls } = decode({ parrot: [] });
  assert.deepEqual(
    toolCalls.map((each) => [each.name, each.arguments]),
    expected,
  );
  let stream = new StreamAccumulator();
  for (const word of calls.keys()) {
    stream.push({ word });
    stream = StreamAccumulator.restore(stream.save());
  }
  const { toolCalls: streamed, toolCallStatus } = stream.finish();
  assert.deepEqual(
    streamed.map((each) => [each.name, JSON.parse(each.arguments)]),
    expected,
  );
  assert.deepEqual(toolCallStatus, ["complete", "complete", "complete"]);
});

test("signed reasoning is in the messages of the next turn", async () => {
  const sealed = [
    { type: "reasoning", text: "hm", signature: "SIG" },
    { type: "reasoning", part: 1, encrypted: "ENC" },
    { type: "tool-call", name: "peel", arguments: {}, done: true },
  ];
  const plain = [{ type: "reasoning", text: "hm" }, ...sealed.slice(2)];
  const answer = [{ type: "text", text: "Peeled." }];
  for (const [first, expected] of [
    [
      sealed,
      {
        reasoning_details: [
          { type: "reasoning.text", text: "hm", signature: "SIG" },
          { type: "reasoning.encrypted", data: "ENC" },
        ],
      },
    ],
    [plain, { reasoning_content: "hm" }],
  ]) {
    unregister = registerCodec({
      ...parrot,
      stream:
        () =>
        ({ updates }) => [...updates, { type: "done" }],
    });
    const turns = [first, answer];
    const asked = [];
    const transport = ({ messages }) => {
      asked.push(messages);
      return [{ word: "", updates: turns.shift() }];
    };
    const { finalText } = await runRequest({ transport, messages: [], tools: { peel: () => "done" } }).result();
    assert.equal(finalText, "Peeled.");
    const { role, content, tool_calls, ...reasoning } = asked[1][0];
    assert.deepEqual(reasoning, expected);
    unregister();
  }
});

test("each stream has its own state", () => {
  unregister = registerCodec(parrot);
  const [one, two] = [new StreamAccumulator(), new StreamAccumulator()];
  one.push({ word: "a" });
  two.push({ word: "b" });
  one.push({ word: "c" });
  assert.equal(one.finish().text, "a c");
  assert.equal(two.finish().text, "b");
});

test("a codec that throws or returns an invalid value fails the answer with a typed error", () => {
  unregister = registerCodec({
    ...parrot,
    stream: () => () => {
      throw new Error("no seeds");
    },
    decode: () => [{ type: "song" }],
  });
  const stream = new StreamAccumulator();
  const [delta] = stream.push({ word: "a" });
  assert.equal(delta.error.code, "codec-error");
  assert.match(delta.error.message, /parrot failed: no seeds/);
  assert.equal(stream.finish().ending, "failed");
  for (const read of [() => decode({ parrot: [] }), () => process({}, { parrot: [] })]) {
    assert.throws(read, (error) => error.code === "codec-error" && /song/.test(error.message));
  }
});

test("a codec can't be asynchronous", () => {
  const late = async () => {
    throw new Error("too late");
  };
  unregister = registerCodec({ ...parrot, decode: late, stream: () => late });
  for (const read of [decode, (body) => process({}, body)]) {
    assert.throws(() => read({ parrot: [] }), { code: "codec-error", message: /parrot failed: it returned a promise/ });
  }
  const [delta] = new StreamAccumulator().push({ word: "a" });
  assert.match(delta.error.message, /parrot failed: it returned a promise/);
});

test("a codec with an asynchronous detect makes all reading fail", () => {
  for (const outcome of [async () => false, async () => Promise.reject(new Error("too late"))]) {
    unregister = registerCodec({ ...parrot, detect: outcome });
    const failed = { code: "codec-error", message: /parrot failed: it returned a promise: detect can't be asynchronous/ };
    assert.throws(() => decode({ choices: [{ message: { content: "hello" } }] }), failed);
    const [delta] = new StreamAccumulator().push({ choices: [{ delta: { content: "hello" } }] });
    assert.match(delta.error.message, failed.message);
    unregister();
  }
});

test("the return values of stream and save are checked", () => {
  const late = async () => {
    throw new Error("too late");
  };
  for (const [stream, message] of [
    [late, /it returned a promise: stream can't be asynchronous/],
    [() => undefined, /stream must return a function, or an object with `read`, not undefined/],
    [() => ({}), /stream must return a function, or an object with `read`, not an object/],
  ]) {
    unregister = registerCodec({ ...parrot, stream });
    const [delta] = new StreamAccumulator().push({ word: "a" });
    assert.match(delta.error.message, message);
    unregister();
  }
  unregister = registerCodec({ ...parrot, stream: () => ({ read: () => [], save: late }) });
  const accumulator = new StreamAccumulator();
  accumulator.push({ word: "a" });
  assert.throws(() => accumulator.save(), { code: "codec-error", message: /`parrot`/ });
});

test("an error of a codec is the cause", async () => {
  const cause = new TypeError("no beak");
  const fail = () => {
    throw cause;
  };
  unregister = registerCodec({ ...parrot, decode: fail, stream: () => fail });
  assert.throws(() => decode({ parrot: [] }), { code: "codec-error", cause });
  await assert.rejects(collect([{ word: "a" }, { word: "b" }]), { code: "codec-error", cause });
  unregister();
  unregister = registerCodec({ ...parrot, decode: () => ({ type: "song" }) });
  assert.throws(
    () => decode({ parrot: [] }),
    ({ code, cause }) => code === "codec-error" && cause === undefined,
  );
});

test("an unregistered codec is no longer detected", () => {
  registerCodec(parrot)();
  assert.equal(detectApi({ parrot: [] }), undefined);
  assert.throws(() => new StreamAccumulator({ api: "parrot" }), { code: "invalid-option" });
});

test("an invalid codec is rejected", () => {
  for (const wrong of [undefined, {}, { name: "" }, { name: "x", detect() {} }]) {
    assert.throws(
      () => registerCodec(wrong),
      (error) => RespoolError.isInstance(error) && error.code === "invalid-option",
    );
  }
});

for (const name of ["auto", "litellm", "openai-chat", "anthropic-messages", "openai-embeddings", "openai-images"]) {
  test(`a codec cannot be called ${name}`, () => {
    assert.throws(
      () => registerCodec({ ...parrot, name }),
      (error) => RespoolError.isInstance(error) && error.code === "invalid-option",
    );
    assert.equal(detectApi({ parrot: [] }), undefined);
  });
}
