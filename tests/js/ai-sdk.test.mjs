// respool/ai-sdk against the readers of the AI SDK, of all versions that are in use: what a page with useChat gets.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { describe, test } from "node:test";
import * as v5 from "ai-v5";
import * as v6 from "ai";
import * as v7 from "ai-v7";
import { streamDeltas } from "respool";
import { toUIMessageStream, toUIMessageStreamResponse } from "respool/ai-sdk";
import { ROOT } from "../../scripts/paths.mjs";
import {
  ANTHROPIC_STREAM,
  CHAT_STREAM,
  RESPONSES_STREAM,
  callChunk,
  chatBody,
  chunk,
  refusalChunk,
  sseBytes,
  sseText,
} from "./answers.mjs";
import { collect, generated, readable, stalled } from "./sources.mjs";

const VERSIONS = { 5: v5, 6: v6, 7: v7 };
const TEXT = "The ferry leaves at 9:35.";

/** What a page comes to: the message, and the errors that it was told. Throws where the reader does not understand. */
async function read({ DefaultChatTransport, readUIMessageStream }, response) {
  const transport = new DefaultChatTransport({ api: "https://example.test/chat", fetch: async () => response });
  const stream = await transport.sendMessages({
    chatId: "c",
    messages: [],
    trigger: "submit-message",
    messageId: undefined,
    abortSignal: undefined,
  });
  const errors = [];
  const messages = await collect(readUIMessageStream({ stream, onError: (error) => errors.push(error.message) }));
  return { message: messages.at(-1), errors };
}

const typesOf = async (input, options) => (await collect(toUIMessageStream(input, options))).map(({ type }) => type);
const chunksOf = (input, options) => collect(toUIMessageStream(input, options));

/** Without what the reader adds as undefined. */
const plain = (value) => JSON.parse(JSON.stringify(value));

for (const [version, ai] of Object.entries(VERSIONS)) {
  const answer = async (input, options) => {
    const { message, errors } = await read(ai, toUIMessageStreamResponse(input, options));
    assert.deepEqual(errors, []);
    return plain(message);
  };

  describe(`AI SDK ${version}`, () => {
    test("text, and the usage as metadata", async () => {
      const { parts, metadata, id, role } = await answer(CHAT_STREAM, { messageId: "msg-1" });
      assert.deepEqual(parts, [{ type: "step-start" }, { type: "text", text: TEXT, state: "done" }]);
      assert.deepEqual(
        [id, role, metadata],
        ["msg-1", "assistant", { usage: { inputTokens: 9, outputTokens: 6, totalTokens: 15 } }],
      );
    });

    test("Responses", async () => {
      const { parts } = await answer(RESPONSES_STREAM);
      assert.deepEqual(parts[1], { type: "text", text: TEXT, state: "done" });
    });

    test("reasoning, text and a call", async () => {
      const { parts } = await answer([
        { choices: [{ delta: { reasoning_content: "Hm." } }] },
        chunk("Yes: ", null),
        ...toolCall('{"port":', '"Bodø"}'),
      ]);
      assert.deepEqual(
        parts.slice(1, 3).map(({ type, text, state }) => [type, text, state]),
        [
          ["reasoning", "Hm.", "done"],
          ["text", "Yes: ", "done"],
        ],
      );
      assert.deepEqual(parts[3], { type: "tool-tide", toolCallId: "call_7", state: "input-available", input: { port: "Bodø" } });
    });

    test("a truncated call", async () => {
      const { parts } = await answer(toolCall('{"port":', '"Bo').slice(0, 2));
      const { type, state, errorText, rawInput, input } = parts[1];
      assert.deepEqual([type, state, errorText], ["tool-tide", "output-error", "The arguments are incomplete."]);
      assert.equal(rawInput ?? input, '{"port":"Bo');
    });

    test("sources and files", async () => {
      const { parts } = await answer(fixture("openai-chat/annotations"));
      const sources = parts.filter(({ type }) => type === "source-url");
      assert.deepEqual(
        sources.map(({ url, title }) => [url, title]),
        [
          ["https://tides.example/ebb", "On tides"],
          ["https://winds.example/", "On winds"],
        ],
      );
      const { parts: images } = await answer(fixture("openai-responses/image"));
      assert.deepEqual(
        images.filter(({ type }) => type === "file"),
        [{ type: "file", mediaType: "image/png", url: "data:image/png;base64,aGFyYm91cg==" }],
      );
    });

    test("server tools", async () => {
      const { parts } = await answer(fixture("anthropic-messages/server-tools"));
      const [search] = parts.filter(({ type }) => type === "dynamic-tool");
      assert.deepEqual(
        [search.toolName, search.state, search.input, search.providerExecuted],
        ["web_search", "output-available", { query: "tide husum" }, true],
      );
      assert.equal(search.output[0].url, "https://tides.example/husum");
    });

    test("several answers become several steps", async () => {
      const { parts, metadata } = await answer(agent([ANTHROPIC_STREAM, CHAT_STREAM]));
      assert.deepEqual(
        parts.map(({ type }) => type),
        ["step-start", "text", "tool-timetable", "step-start", "text"],
      );
      assert.equal(metadata.usage.outputTokens, 26);
    });

    test("an error", async () => {
      const { message, errors } = await read(
        ai,
        toUIMessageStreamResponse([chunk("a"), { error: { message: "Overloaded" } }], { onError: ({ message }) => message }),
      );
      assert.deepEqual(errors, ["Overloaded"]);
      assert.deepEqual(plain(message.parts.at(-1)), { type: "text", text: "a", state: "done" });
    });

    test("every fixture", async () => {
      for (const path of fixtures()) {
        const expected = streamDeltas(fixture(path));
        const deltas = await collect(expected);
        const { message, errors } = await read(ai, toUIMessageStreamResponse(fixture(path), { onError: () => "failed" }));
        const failed = deltas.filter(({ type }) => type === "error").map(() => "failed");
        assert.deepEqual(errors, failed, path);
        const spoken = deltas
          .filter(({ type, choice }) => !choice && (type === "text" || type === "refusal"))
          .map(({ text }) => text);
        const said = deltas.filter(({ type, choice }) => !choice && type === "audio").map(({ part }) => part.transcript ?? "");
        const text = message.parts
          .filter(({ type }) => type === "text")
          .map(({ text }) => text)
          .join("");
        assert.equal(text, [...spoken, ...said].join(""), path);
        const ids = message.parts
          .filter(({ type, toolCallId }) => toolCallId && type !== "dynamic-tool")
          .map(({ toolCallId }) => toolCallId);
        assert.deepEqual(
          ids,
          expected.result.toolCalls.map(({ id }) => id),
          path,
        );
        assert.ok(
          message.parts.every(({ state }) => state !== "streaming" && state !== "input-streaming"),
          path,
        );
      }
    });
  });
}

/** A call in two fragments, and its end. */
function toolCall(first, second) {
  return [
    callChunk({ id: "call_7", function: { name: "tide", arguments: first } }),
    callChunk({ function: { arguments: second } }),
    chunk("", "tool_calls"),
  ];
}

/** The deltas of several answers, one after the other. */
async function* agent(answers) {
  for (const events of answers) yield* streamDeltas(events);
}

function fixture(path) {
  const lines = readFileSync(join(ROOT, "tests/fixtures", path, "events.jsonl"), "utf8")
    .trim()
    .split("\n");
  return lines.map((line) => JSON.parse(line));
}

function fixtures() {
  const apis = ["anthropic-messages", "openai-chat", "openai-responses"];
  return apis.flatMap((api) => readdirSync(join(ROOT, "tests/fixtures", api)).map((name) => `${api}/${name}`));
}

describe("the stream", () => {
  test("the order of chunks", async () => {
    assert.deepEqual(
      await chunksOf(ANTHROPIC_STREAM, {
        messageId: "m",
        messageMetadata: ({ finishReason, usage }) => ({ finishReason, usage }),
      }),
      [
        { type: "start", messageId: "m" },
        { type: "start-step" },
        { type: "text-start", id: "text-0" },
        { type: "text-delta", id: "text-0", delta: "I look it up." },
        { type: "text-end", id: "text-0" },
        { type: "tool-input-start", toolCallId: "toolu_7", toolName: "timetable" },
        { type: "tool-input-delta", toolCallId: "toolu_7", inputTextDelta: '{"port":' },
        { type: "tool-input-delta", toolCallId: "toolu_7", inputTextDelta: '"Skjervøy"}' },
        { type: "tool-input-available", toolCallId: "toolu_7", toolName: "timetable", input: { port: "Skjervøy" } },
        { type: "finish-step" },
        {
          type: "finish",
          finishReason: "tool-calls",
          messageMetadata: { finishReason: "tool-calls", usage: { inputTokens: 9, outputTokens: 20, totalTokens: 29 } },
        },
      ],
    );
  });

  const INPUTS = {
    "deltas of streamDeltas": () => streamDeltas(CHAT_STREAM),
    "a list of deltas": async () => collect(streamDeltas(CHAT_STREAM)),
    "a stream of deltas": async () => readable(await collect(streamDeltas(CHAT_STREAM))),
    "a fetch Response": () => new Response(sseBytes(CHAT_STREAM)),
    "a promise of one": () => Promise.resolve(new Response(sseBytes(CHAT_STREAM))),
    "a stream of bytes": () => new Response(sseBytes(CHAT_STREAM)).body,
    "lines of text": () => sseText(CHAT_STREAM),
    chunks: () => CHAT_STREAM,
    "chunks that come": () => generated(CHAT_STREAM),
    "a stream of chunks": () => readable(CHAT_STREAM),
    "a complete body": () => [chatBody(TEXT)],
  };
  for (const [name, make] of Object.entries(INPUTS)) {
    test(`of ${name}`, async () => {
      const chunks = await chunksOf(make());
      assert.equal(
        chunks
          .filter(({ type }) => type === "text-delta")
          .map(({ delta }) => delta)
          .join(""),
        TEXT,
      );
      assert.deepEqual(chunks.at(-1), {
        type: "finish",
        finishReason: "stop",
        messageMetadata: { usage: { inputTokens: 9, outputTokens: 6, totalTokens: 15 } },
      });
    });
  }

  test("of an empty input", async () => {
    for (const input of [[], new Response(null, { status: 204 })]) {
      assert.deepEqual(await typesOf(input), ["start", "start-step", "finish-step", "finish"]);
    }
  });

  test("reads nothing until it is read, and closes an unread source", async () => {
    for (const reads of [0, 1]) {
      const [pulls, log] = [[], []];
      const source = new ReadableStream(
        {
          pull(controller) {
            pulls.push(1);
            controller.close();
          },
          cancel: () => log.push("closed"),
        },
        { highWaterMark: 0 },
      );
      const stream = toUIMessageStream(new Response(source));
      const reader = stream.getReader();
      if (reads === 1) assert.equal((await reader.read()).value.type, "start");
      await reader.cancel();
      assert.deepEqual([pulls, log], [[], ["closed"]]);
    }
  });

  test("removes its signal listener at the end", async () => {
    const controller = new AbortController();
    let listening = 0;
    const { addEventListener } = controller.signal;
    controller.signal.addEventListener = (type, listener, { signal }) => {
      listening += 1;
      signal.addEventListener("abort", () => (listening -= 1));
      addEventListener.call(controller.signal, type, listener, { signal });
    };
    await chunksOf(CHAT_STREAM, { signal: controller.signal });
    assert.equal(listening, 0);
  });

  test("a refusal is text, and other choices are ignored", async () => {
    const chunks = await chunksOf([
      refusalChunk("No."),
      { choices: [{ index: 1, delta: { content: "other" } }] },
      chunk("", "content_filter"),
    ]);
    assert.deepEqual(
      chunks.filter(({ delta }) => delta).map(({ delta }) => delta),
      ["No."],
    );
    assert.equal(chunks.at(-1).finishReason, "content-filter");
  });

  test("finish reasons", async () => {
    const reasons = { stop: "stop", length: "length", tool_calls: "tool-calls", content_filter: "content-filter", eos: "other" };
    for (const [raw, expected] of Object.entries(reasons))
      assert.equal((await chunksOf([chunk("a", raw)])).at(-1).finishReason, expected);
    assert.equal("finishReason" in (await chunksOf([chunk("a")])).at(-1), false, "none that nobody gave");
  });

  test("sendReasoning and sendSources", async () => {
    const reasoning = [{ choices: [{ delta: { reasoning_content: "Hm." } }] }, chunk("a", "stop")];
    assert.ok((await typesOf(reasoning)).includes("reasoning-delta"));
    assert.ok(!(await typesOf(reasoning, { sendReasoning: false })).some((type) => type.startsWith("reasoning")));
    assert.ok((await typesOf(fixture("openai-chat/annotations"))).includes("source-url"));
    assert.ok(!(await typesOf(fixture("openai-chat/annotations"), { sendSources: false })).includes("source-url"));
    const [, , ...rest] = await chunksOf(CHAT_STREAM, { messageMetadata: () => undefined });
    assert.equal("messageMetadata" in rest.at(-1), false);
  });

  test("cited documents appear once", async () => {
    const sources = (await chunksOf(fixture("anthropic-messages/citations"))).filter(({ type }) => type === "source-document");
    assert.deepEqual(sources, [{ type: "source-document", sourceId: "source-0", mediaType: "text/plain", title: "Harbour log" }]);
  });

  test("audio in several chunks becomes one file, and its transcript text", async () => {
    const chunks = await chunksOf(fixture("openai-chat/audio"));
    assert.deepEqual(
      chunks.filter(({ type }) => type === "file"),
      [{ type: "file", url: "data:audio/pcm;base64,AAECAwQF", mediaType: "audio/pcm" }],
    );
    const padded = ["UklG", "RgA=", "AQ=="].map((data) => ({ choices: [{ delta: { audio: { data } } }] }));
    const [file] = (await chunksOf(padded)).filter(({ type }) => type === "file");
    assert.deepEqual([file.mediaType, atob(file.url.split(",")[1])], ["audio/wav", "RIFF\0\x01"]);
  });

  test("audio that isn't valid base64 is an error, and the answer goes on", async () => {
    const audio = { choices: [{ delta: { audio: { data: "é" } } }] };
    const chunks = await chunksOf(agent([[chunk("a"), audio, chunk("", "stop")], CHAT_STREAM]));
    assert.equal(
      chunks
        .filter(({ type }) => type === "text-delta")
        .map(({ delta }) => delta)
        .join(""),
      `a${TEXT}`,
    );
    assert.deepEqual([chunks.filter(({ type }) => type === "error").length, chunks.at(-1).finishReason], [1, "error"]);
  });

  test("media types of images", async () => {
    const types = { "/9j/4AAQ": "image/jpeg", UklGRiIA: "image/webp", R0lGODlh: "image/gif", iVBORw0K: "image/png" };
    for (const [base64, mediaType] of Object.entries(types)) {
      const [file] = (await chunksOf([{ type: "image", part: { type: "image", base64, raw: {} } }])).filter(
        ({ type }) => type === "file",
      );
      assert.deepEqual(file, { type: "file", mediaType, url: `data:${mediaType};base64,${base64}` });
    }
    const [file] = (await chunksOf([{ type: "image", part: { type: "image", url: "https://example.test/a", raw: {} } }])).filter(
      ({ type }) => type === "file",
    );
    assert.deepEqual(file, { type: "file", mediaType: "image/*", url: "https://example.test/a" });
  });

  test("the usage of steps, wherever it is reported", async () => {
    const usage = (promptTokens) => ({ type: "usage", usage: { promptTokens } });
    const [text, finish] = [
      { type: "text", text: "a" },
      { type: "finish", finishReason: "complete" },
    ];
    const sum = async (deltas) =>
      (await chunksOf([{ type: "warning", code: "mismatch", message: "" }, ...deltas])).at(-1).messageMetadata?.usage
        ?.inputTokens;
    assert.equal(await sum([text, finish]), undefined);
    assert.equal(await sum([text, usage(1), text, usage(2), finish]), 2, "the last one counts");
    assert.equal(await sum([text, finish, usage(1), text, finish, usage(2)]), 3, "after the end");
    assert.equal(await sum([usage(1), text, usage(2), finish, usage(10), text, usage(20), finish]), 22, "before and at the end");
    assert.equal(await sum([text, usage(1), finish, usage(2)]), 2, "at the end again");
    const retried = { type: "warning", code: "turn-retried", message: "" };
    assert.equal(await sum([usage(1), text, retried, usage(2), text, finish]), 3, "of an answer that broke off");
  });
});

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

  test("error messages aren't sent without onError", async () => {
    const chunks = await chunksOf([{ error: { message: "No such key: sk-123" } }]);
    assert.equal(chunks.find(({ type }) => type === "error").errorText, "An error occurred.");
    assert.doesNotMatch(JSON.stringify(chunks), /sk-123/);
  });

  test("an error at the start, and input after it", async () => {
    const events = [{ error: { message: "busy" } }, chunk("Yes"), chunk("", "stop")];
    const deltas = await collect(streamDeltas(events));
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
      assert.equal((await chunksOf(input)).at(-1).finishReason, "error", "whatever is told later");
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

  test("arguments that are too deep to serialise are an error, and the answer goes on", async () => {
    const depth = 100_000;
    const text = await toUIMessageStreamResponse([
      callChunk({ id: "a", function: { name: "f", arguments: `{"a":${"[".repeat(depth)}${"]".repeat(depth)}}` } }),
      { choices: [{ delta: {}, finish_reason: "tool_calls" }] },
    ]).text();
    assert.match(text, /data: \{"type":"error","errorText":"An error occurred."\}\n\n/);
    assert.ok(text.endsWith('data: {"type":"finish","finishReason":"tool-calls"}\n\ndata: [DONE]\n\n'));
  });
});

describe("the response", () => {
  test("its headers and its bytes", async () => {
    const response = toUIMessageStreamResponse(CHAT_STREAM, {
      status: 201,
      headers: { "cache-control": "no-store", "x-own": "1" },
    });
    assert.deepEqual([response.status, response.headers.get("content-type")], [201, "text/event-stream"]);
    assert.deepEqual(
      ["x-vercel-ai-ui-message-stream", "cache-control", "x-own"].map((name) => response.headers.get(name)),
      ["v1", "no-store", "1"],
    );
    const text = await response.text();
    const chunks = await chunksOf(CHAT_STREAM);
    assert.equal(text, `${chunks.map((each) => `data: ${JSON.stringify(each)}\n\n`).join("")}data: [DONE]\n\n`);
  });

  test("require returns the same exports", async () => {
    const required = createRequire(import.meta.url)("../../pkg/ai-sdk.cjs");
    assert.deepEqual(await collect(required.toUIMessageStream(CHAT_STREAM)), await chunksOf(CHAT_STREAM));
  });
});
