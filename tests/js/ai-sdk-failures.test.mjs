// respool/ai-sdk when something goes wrong: errors, aborts, and values that a page can't use.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { streamDeltas } from "respool";
import { toUIMessageStream, toUIMessageStreamResponse } from "respool/ai-sdk";
import { chunksOf, typesOf } from "./ai-sdk-streams.mjs";
import { CHAT_STREAM, callChunk, chunk } from "./answers.mjs";
import { collect, generated, readable, stalled } from "./sources.mjs";

describe("failures", () => {
  test("the transport", async () => {
    const seen = [];
    const chunks = await chunksOf(generated([chunk("a")], [], new Error("secret host")), {
      onError: (error) => seen.push(error.code) && "It broke.",
    });
    assert.deepEqual(chunks.slice(-4), [
      { type: "text-end", id: "text-0" },
      { type: "error", errorText: "It broke." },
      { type: "finish-step" },
      { type: "finish", finishReason: "error" },
    ]);
    assert.deepEqual(seen, ["stream-broken"]);
  });

  test("what follows an error event reaches the page, unless throwOnError is set", async () => {
    const events = [chunk("a"), { error: { message: "overloaded" } }, chunk("b", "stop")];
    const textOf = async (options) =>
      (await chunksOf(events, options)).flatMap(({ type, delta }) => (type === "error" ? "!" : (delta ?? []))).join("");
    assert.deepEqual([await textOf(), await textOf({ throwOnError: true })], ["a!b", "a!"]);
  });

  test("an answer that is cut off", async () => {
    const whole = [chunk("a"), { choices: [{ delta: {}, finish_reason: "stop" }] }];
    const cut = [chunk("a")];
    const anthropic = { type: "message_start", message: { id: "m", type: "message", role: "assistant", content: [] } };
    const deltas = [{ type: "text", text: "a" }];
    // Complete calls don't mean that the answer is complete.
    const ofTwo = [
      callChunk({ id: "c", function: { name: "f", arguments: "{}" } }),
      { choices: [{ index: 1, delta: { content: "b" } }] },
    ];
    for (const source of [
      cut,
      ofTwo,
      [],
      new Response('data: {"choices":[{"delta":{"content":"a"}}]}\n\n'),
      [anthropic],
      deltas,
    ]) {
      const seen = [];
      const chunks = await chunksOf(source, { onError: (error) => seen.push(error.code) && "Cut." });
      assert.deepEqual(chunks.filter(({ type }) => type === "error" || type === "finish").slice(0, 2), [
        { type: "error", errorText: "Cut." },
        {
          type: "finish",
          finishReason: "error",
          ...(chunks.at(-1).messageMetadata && { messageMetadata: chunks.at(-1).messageMetadata }),
        },
      ]);
      assert.deepEqual(seen, ["stream-truncated"]);
    }
    const body = { choices: [{ message: { content: "a" } }] };
    for (const source of [whole, [body], [...deltas, { type: "finish", finishReason: "complete" }]]) {
      assert.ok(!(await typesOf(source)).includes("error"));
    }
  });

  test("incomplete audio is dropped", async () => {
    const audio = { choices: [{ delta: { audio: { data: "AAECAwQF", transcript: "At noon" } } }] };
    const controller = new AbortController();
    const aborting = (async function* () {
      yield audio;
      controller.abort();
      yield audio;
    })();
    for (const [source, end] of [
      [[audio], "finish"],
      [[audio, { error: { message: "Overloaded" } }], "finish"],
      [generated([audio], [], new Error("reset")), "finish"],
      [aborting, "abort"],
    ]) {
      const chunks = await chunksOf(source, { signal: controller.signal });
      assert.deepEqual([chunks.filter(({ type }) => type === "file").length, chunks.at(-1).type], [0, end]);
      assert.ok(chunks.some(({ delta }) => delta === "At noon"));
    }
  });

  test("the metadata can contain the response so far", async () => {
    const messageMetadata = ({ responses }) => responses.map(({ message }) => message);
    const chunks = await chunksOf(generated([chunk("a")], [], new Error("reset")), { messageMetadata });
    assert.deepEqual(chunks.at(-1), { type: "finish", finishReason: "error", messageMetadata: ["a"] });
  });

  test("an onError that fails, or returns no text, doesn't hide the error", async () => {
    const bugs = {
      throws: () => {
        throw new Error("bug");
      },
      "returns nothing": () => {},
    };
    for (const [name, onError] of Object.entries(bugs)) {
      const chunks = await chunksOf([chunk("a"), { error: { message: "busy" } }], { onError });
      assert.deepEqual(
        chunks.slice(-4),
        [
          { type: "text-end", id: "text-0" },
          { type: "error", errorText: "An error occurred." },
          { type: "finish-step" },
          { type: "finish", finishReason: "error" },
        ],
        name,
      );
    }
  });

  test("a messageMetadata that fails is an error, and the message has its end", async () => {
    const seen = [];
    const messageMetadata = () => {
      throw new Error("bug");
    };
    const onError = (error) => seen.push(error.message) && "It broke.";
    const end = [{ type: "finish-step" }, { type: "finish", finishReason: "error" }];
    const whole = await chunksOf(CHAT_STREAM, { messageMetadata, onError });
    assert.deepEqual(whole.slice(-3), [{ type: "error", errorText: "It broke." }, ...end]);
    assert.deepEqual(seen, ["bug"]);
    const broken = await chunksOf(generated([chunk("a")], [], new Error("reset")), { messageMetadata });
    assert.deepEqual(broken.slice(-3), [{ type: "error", errorText: "An error occurred." }, ...end]);
    assert.equal(broken.filter(({ type }) => type === "error").length, 1);
  });

  test("error messages aren't sent without onError", async () => {
    const chunks = await chunksOf([{ error: { message: "No such key: sk-123" } }]);
    assert.equal(chunks.find(({ type }) => type === "error").errorText, "An error occurred.");
    assert.doesNotMatch(JSON.stringify(chunks), /sk-123/);
  });

  test("an error at the start, and input after it", async () => {
    const events = [{ error: { message: "busy" } }, chunk("Yes"), chunk("", "stop")];
    const deltas = await collect(streamDeltas(events, { throwOnError: false }));
    assert.deepEqual(
      deltas.map(({ type }) => type),
      ["error", "text", "finish"],
    );
    for (const input of [events, deltas]) {
      assert.deepEqual(await typesOf(input), [
        "start",
        "error",
        "start-step",
        "text-start",
        "text-delta",
        "text-end",
        "finish-step",
        "finish",
      ]);
      assert.equal((await chunksOf(input)).at(-1).finishReason, "error", "whatever arrives later");
    }
  });

  test("an invalid source", async () => {
    for (const input of [5, null, undefined, Promise.reject(new Error("no network")), new Uint8Array(3)]) {
      assert.deepEqual(await typesOf(input), ["start", "error", "start-step", "finish-step", "finish"]);
    }
  });

  test("a signal ends the stream at once", async () => {
    const controller = new AbortController();
    const log = [];
    const stream = toUIMessageStream(stalled([chunk("a")], log), { signal: controller.signal });
    const reader = stream.getReader();
    const types = [];
    for (let each = 0; each < 4; each++) types.push((await reader.read()).value.type);
    const waiting = reader.read();
    controller.abort();
    assert.deepEqual(
      [types.at(-1), (await waiting).value.type, (await reader.read()).value.type, (await reader.read()).done],
      ["text-delta", "text-end", "abort", true],
    );
    assert.deepEqual(log, ["closed"]);
  });

  test("a signal that was already aborted", async () => {
    const log = [];
    assert.deepEqual(await typesOf(readable(CHAT_STREAM, log, "stall"), { signal: AbortSignal.abort() }), ["start", "abort"]);
    assert.deepEqual(log, ["closed"]);
  });

  for (const [name, leave] of Object.entries({
    "after a signal": (_, controller) => controller.abort(),
    "after the page left": (reader) => void reader.cancel(),
  })) {
    test(`a response that arrives ${name} is closed`, async () => {
      const log = [];
      const controller = new AbortController();
      let arrive;
      const response = new Promise((resolve) => (arrive = resolve));
      const reader = toUIMessageStream(response, { signal: controller.signal }).getReader();
      await reader.read();
      const waiting = reader.read();
      await new Promise(setImmediate);
      leave(reader, controller);
      await waiting;
      arrive(new Response(readable(CHAT_STREAM, log, "stall")));
      await new Promise(setImmediate);
      assert.deepEqual(log, ["closed"]);
    });
  }

  test("a signal that is aborted between two deltas", async () => {
    const controller = new AbortController();
    const types = [];
    for await (const { type } of toUIMessageStream(streamDeltas(CHAT_STREAM), { signal: controller.signal })) {
      types.push(type);
      if (type === "text-delta") controller.abort();
    }
    assert.deepEqual(types, ["start", "start-step", "text-start", "text-delta", "text-end", "abort"]);
  });

  test("deltas whose signal was aborted", async () => {
    const deltas = streamDeltas(CHAT_STREAM, { signal: AbortSignal.abort() });
    assert.deepEqual(await typesOf(deltas), ["start", "abort"]);
  });

  for (const [name, make] of Object.entries({
    source: (log) => stalled([chunk("a")], log),
    deltas: (log) => stalled([{ type: "text", text: "a" }], log),
  })) {
    test(`cancelling closes the ${name}, also in the middle of a read`, async () => {
      const log = [];
      const stream = toUIMessageStream(make(log));
      const reader = stream.getReader();
      for (let each = 0; each < 4; each++) await reader.read();
      const waiting = reader.read();
      await reader.cancel();
      assert.deepEqual([(await waiting).done, log], [true, ["closed"]]);
    });
  }
});

test("ids and versions are checked at the call", async () => {
  for (const [name, value] of [
    ["messageId", 7],
    ["messageId", ""],
    ["version", "6"],
  ]) {
    const isNamed = ({ code, message }) => code === "invalid-option" && message.startsWith(`options.${name} must be`);
    assert.throws(() => toUIMessageStream([chunk("a")], { [name]: value }), isNamed);
  }
  const unset = { messageId: null, version: null, dynamicTools: null };
  const { value } = await toUIMessageStream([chunk("a")], unset)
    .getReader()
    .read();
  assert.deepEqual(value, { type: "start" });
});

test("invalid options close the source", async () => {
  const log = [];
  for (const options of [{ bogus: 1 }, { version: 8 }, { limits: 7 }, { signal: {} }]) {
    for (const open of [toUIMessageStream, toUIMessageStreamResponse]) {
      assert.throws(() => open(readable([chunk("a")], log), options), { code: "invalid-option" });
      assert.throws(() => open(Promise.reject(new Error("late")), options), { code: "invalid-option" });
    }
  }
  const headers = {
    get name() {
      throw new RangeError("no header");
    },
  };
  assert.throws(() => toUIMessageStreamResponse(new Response(readable([new Uint8Array(1)], log)), { headers }), {
    code: "invalid-option",
  });
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(log.length, 9);
});

describe("values that a page can't use", () => {
  const sources = (...urls) => [
    {
      choices: [
        {
          delta: { annotations: urls.map((url) => ({ type: "url_citation", url_citation: { url, title: "t" } })) },
          finish_reason: "stop",
        },
      ],
    },
  ];
  const images = (...urls) => [
    { choices: [{ delta: { images: urls.map((url) => ({ type: "image_url", image_url: { url } })) }, finish_reason: "stop" }] },
  ];
  const WRONG = [
    "javascript:alert(1)",
    " javascript:alert(1)",
    "JavaScript:alert(1)",
    "vbscript:x",
    "file:///etc/passwd",
    "data:text/html,<script>alert(1)</script>",
  ];
  const urlsOf = async (input) => (await chunksOf(input)).filter(({ url }) => url !== undefined).map(({ url }) => url);

  test("drops sources and files with script URLs", async () => {
    assert.deepEqual(await urlsOf(sources(...WRONG, "https://example.test/a", "HTTP://example.test")), [
      "https://example.test/a",
      "HTTP://example.test",
    ]);
    assert.deepEqual(await urlsOf(images(...WRONG, "https://example.test/a.png", "data:image/png;base64,AA==")), [
      "https://example.test/a.png",
      "data:image/png;base64,AA==",
    ]);
  });

  test("arguments that are too deep to serialise are an error, and the answer continues", async () => {
    const depth = 100_000;
    const text = await toUIMessageStreamResponse([
      callChunk({ id: "a", function: { name: "f", arguments: `{"a":${"[".repeat(depth)}${"]".repeat(depth)}}` } }),
      { choices: [{ delta: {}, finish_reason: "tool_calls" }] },
    ]).text();
    assert.match(text, /data: \{"type":"error","errorText":"An error occurred."\}\n\n/);
    assert.ok(text.endsWith('data: {"type":"finish","finishReason":"tool-calls"}\n\ndata: [DONE]\n\n'));
  });
});

// An unhandled rejection would fail the test.
describe("callbacks that return a promise", () => {
  const rejecting = async () => {
    throw new Error("the database is down");
  };
  const settled = () => new Promise((resolve) => setImmediate(resolve));

  for (const callback of [rejecting, async () => ({ stored: true })]) {
    test(`messageMetadata that ${callback === rejecting ? "rejects" : "resolves"}`, async () => {
      const onError = ({ code, message }) => `${code}: ${message}`;
      const chunks = await collect(toUIMessageStream(CHAT_STREAM, { messageMetadata: callback, onError }));
      const errorText = "invalid-option: options.messageMetadata can't be asynchronous: it returned a promise";
      assert.deepEqual(chunks.find(({ type }) => type === "error")?.errorText, errorText);
      assert.deepEqual(chunks.at(-1), { type: "finish", finishReason: "error" });
      await settled();
    });
  }

  test("onError", async () => {
    const chunks = await collect(toUIMessageStream(new Response("x", { status: 500 }), { onError: rejecting }));
    assert.equal(chunks.find(({ type }) => type === "error").errorText, "An error occurred.");
    await settled();
  });

  test("dynamicTools", async () => {
    const source = [callChunk({ index: 0, id: "a", function: { name: "t", arguments: "{}" } })];
    const chunks = await collect(toUIMessageStream(source, { dynamicTools: rejecting, onError: ({ message }) => message }));
    const { errorText } = chunks.find(({ type }) => type === "error");
    assert.equal(errorText, "options.dynamicTools can't be asynchronous: it returned a promise");
    await settled();
  });
});

test("invalid parts of a response close the source", async () => {
  for (const parts of [{ status: 99 }, { status: 204 }, { headers: { "a b": "c" } }, { statusText: "→" }]) {
    const log = [];
    assert.throws(() => toUIMessageStreamResponse(readable([], log), parts), { name: "RespoolError", code: "invalid-option" });
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(log, ["closed"]);
  }
  assert.equal(toUIMessageStreamResponse([], { status: null, headers: null, statusText: null }).status, 200);
});
