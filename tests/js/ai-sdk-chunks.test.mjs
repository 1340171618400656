// The chunks of respool/ai-sdk: their order, and what they contain.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { describe, test } from "node:test";
import { streamDeltas } from "respool";
import { toUIMessageStream, toUIMessageStreamResponse } from "respool/ai-sdk";
import { INPUTS } from "./adapter-inputs.mjs";
import { TEXT, agent, chunksOf, fixture, typesOf } from "./ai-sdk-streams.mjs";
import { ANTHROPIC_STREAM, CHAT_STREAM, chunk, refusalChunk } from "./answers.mjs";
import { collect } from "./sources.mjs";

describe("the stream", () => {
  test("the metadata can contain the response", async () => {
    const part = { functionCall: { id: "c", name: "tide", args: {} }, thoughtSignature: "c2lnbmVk" };
    const answer = [{ candidates: [{ content: { parts: [part] }, finishReason: "STOP" }] }];
    const given = { messageMetadata: ({ responses }) => responses };
    for (const input of [answer, streamDeltas(answer)]) {
      const [response, ...others] = (await chunksOf(input, given)).at(-1).messageMetadata;
      assert.deepEqual([response.toolCalls[0].signature, others], ["c2lnbmVk", []]);
    }
    const deltas = await collect(streamDeltas(answer));
    assert.deepEqual((await chunksOf(deltas, given)).at(-1).messageMetadata, []);
  });

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

  for (const [name, make] of Object.entries(INPUTS)) {
    test(`reads ${name}`, async () => {
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

  test("an empty input", async () => {
    for (const input of [[], new Response(null, { status: 204 })]) {
      assert.deepEqual(await typesOf(input), ["start", "error", "start-step", "finish-step", "finish"]);
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

  test("maps finish reasons", async () => {
    const reasons = {
      stop: "stop",
      length: "length",
      tool_calls: "tool-calls",
      content_filter: "content-filter",
      paused: "other",
    };
    for (const [raw, expected] of Object.entries(reasons))
      assert.equal((await chunksOf([chunk("a", raw)])).at(-1).finishReason, expected);
    const whole = { choices: [{ message: { content: "a" } }] };
    assert.equal("finishReason" in (await chunksOf([whole])).at(-1), false, "absent if the server gave none");
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

  test("Google's search and its sources", async () => {
    const chunks = await chunksOf(fixture("gemini-interactions/google-search"));
    const sources = chunks.filter(({ type }) => type === "source-url");
    assert.deepEqual(
      sources.map(({ url, title }) => [url, title]),
      [
        ["https://harbour.example/tides", "Harbour office"],
        ["https://harbour.example/gates", "Harbour office"],
      ],
    );
    const tools = chunks.filter(({ type }) => type.startsWith("tool-"));
    assert.deepEqual(
      tools.map(({ type, toolCallId }) => [type, toolCallId]),
      [
        ["tool-input-available", "srch77"],
        ["tool-output-available", "srch77"],
      ],
    );
  });

  test("a file that Google cites", async () => {
    const annotations = [{ type: "file_citation", file_name: "tides.pdf", page_number: 3 }];
    const steps = [{ type: "model_output", content: [{ type: "text", text: "At six.", annotations }] }];
    const chunks = await chunksOf([{ object: "interaction", status: "completed", steps }]);
    const { title, filename } = chunks.find(({ type }) => type === "source-document");
    assert.deepEqual([title, filename], ["tides.pdf", "tides.pdf"]);
  });

  test("the sources of each provider", async () => {
    const link = { type: "source-url", url: "https://example.test/a", title: "Tides" };
    const titled = { type: "source-document", mediaType: "text/plain", title: "Tides" };
    const { url, title } = link;
    const document = (members) => ({ type: "document", id: "doc:0", document: { id: "doc:0", snippet: "x", ...members } });
    const CASES = {
      "OpenAI's web page": [{ type: "url_citation", url, title }, [link]],
      "OpenRouter's": [{ type: "url_citation", url_citation: { url, title } }, [link]],
      "Anthropic's search result": [{ type: "search_result_location", source: url, title }, [link]],
      "Anthropic's own search result": [{ type: "search_result_location", source: "kb-7", title }, [titled]],
      "Anthropic's search result without a title": [
        { type: "search_result_location", source: "kb-7", title: null },
        [{ ...titled, title: "kb-7" }],
      ],
      "Anthropic's page without a title": [{ type: "page_location", document_index: 0, document_title: null }, []],
      "Bedrock's web page": [{ title, source: url, location: { web: { url, domain: "example.test" } } }, [link]],
      "Bedrock's document": [{ title, location: { documentPage: { documentIndex: 0, start: 1, end: 2 } } }, [titled]],
      "Cohere's documents": [
        { start: 0, end: 1, text: "A", sources: [document({ url, title }), document({ title }), { type: "tool", id: "t:0" }] },
        [link, titled],
      ],
      "an address that isn't a link": [{ type: "url_citation", url: "javascript:alert(1)", title }, []],
      nothing: [null, []],
    };
    for (const [name, [annotation, expected]] of Object.entries(CASES)) {
      const chunks = await chunksOf([{ type: "annotation", annotation }]);
      const sources = chunks.filter(({ type }) => type.startsWith("source-")).map(({ sourceId: _, ...source }) => source);
      assert.deepEqual(sources, expected, name);
    }
  });

  test("emits a cited document once", async () => {
    const sources = (await chunksOf(fixture("anthropic-messages/citations"))).filter(({ type }) => type === "source-document");
    assert.deepEqual(sources, [{ type: "source-document", sourceId: "source-0", mediaType: "text/plain", title: "Harbour log" }]);
  });

  test("audio in several chunks becomes one file, and its transcript text", async () => {
    const chunks = await chunksOf(fixture("openai-chat/audio"));
    assert.deepEqual(
      chunks.filter(({ type }) => type === "file"),
      [{ type: "file", url: "data:audio/pcm;base64,AAECAwQF", mediaType: "audio/pcm" }],
    );
    const padded = ["UklG", "RgA=", "AQ=="];
    const cut = ["UklGR", "gA", "B"];
    for (const pieces of [padded, cut]) {
      const audio = pieces.map((data) => ({ choices: [{ delta: { audio: { data } } }] }));
      const [file] = (await chunksOf([...audio, chunk("", "stop")])).filter(({ type }) => type === "file");
      assert.deepEqual([file.mediaType, atob(file.url.split(",")[1])], ["audio/wav", "RIFF\0\x01"]);
    }
  });

  test("audio that isn't valid base64 is an error, and the answer continues", async () => {
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

  test("media types from the provider", async () => {
    const gemini = (mimeType) => [
      { inlineData: { mimeType, data: "AAAA" } },
      { inline_data: { mime_type: mimeType, data: "AAAA" } },
    ];
    const CASES = [
      ["image", { mime_type: "image/avif", data: "AAAA" }, "image/avif"],
      ["image", { type: "image_generation_call", output_format: "webp", result: "AAAA" }, "image/webp"],
      ["image", { image: { format: "gif", source: { bytes: "AAAA" } } }, "image/gif"],
      ["image", { mime_type: "text/html;base64,AAAA,", data: "AAAA" }, "image/png"],
      ["audio", { mime_type: "text/html", data: "AAAA" }, "audio/pcm"],
      ...gemini("image/avif").map((raw) => ["image", raw, "image/avif"]),
      ...gemini("audio/L16; codec=pcm; rate=24000").map((raw) => ["audio", raw, "audio/L16;codec=pcm;rate=24000"]),
    ];
    for (const [type, raw, mediaType] of CASES) {
      const part = { type, base64: "AAAA", raw };
      const chunks = await chunksOf([
        { type, part },
        { type: "finish", finishReason: "complete" },
      ]);
      assert.deepEqual(
        chunks.filter((chunk) => chunk.type === "file"),
        [{ type: "file", mediaType, url: `data:${mediaType};base64,AAAA` }],
      );
    }
    const raw = { fileData: { mimeType: "image/webp", fileUri: "https://example.test/a" } };
    const linked = await chunksOf([{ type: "image", part: { type: "image", url: "https://example.test/a", raw } }]);
    assert.equal(linked.find(({ type }) => type === "file").mediaType, "image/webp");
  });

  test("the usage of steps, wherever it is reported", async () => {
    const usage = (inputTokens) => ({ type: "usage", usage: { inputTokens } });
    const [text, finish] = [
      { type: "text", text: "a" },
      { type: "finish", finishReason: "complete" },
    ];
    const sum = async (deltas) =>
      (await chunksOf([{ type: "warning", code: "mismatch", message: "" }, ...deltas])).at(-1).messageMetadata?.usage
        ?.inputTokens;
    assert.equal(await sum([text, finish]), undefined);
    assert.equal(await sum([text, usage(1), text, usage(2), finish]), 2, "the last report counts");
    assert.equal(await sum([text, finish, usage(1), text, finish, usage(2)]), 3, "after the end");
    assert.equal(await sum([usage(1), text, usage(2), finish, usage(10), text, usage(20), finish]), 22, "before and at the end");
    assert.equal(await sum([text, usage(1), finish, usage(2)]), 2, "at the end again");
    const retried = { type: "warning", code: "turn-retried", message: "" };
    assert.equal(await sum([usage(1), text, retried, usage(2), text, finish]), 3, "of an answer that was retried");
  });

  test("an answer that continues after its finish reason is one step with the last usage", async () => {
    const part = (content, completion_tokens) => ({
      ...chunk(content, "stop"),
      usage: { prompt_tokens: 100, completion_tokens, total_tokens: 100 + completion_tokens },
    });
    const answer = [part("The ferry ", 1), part("leaves.", 3)];
    for (const input of [answer, streamDeltas(answer)]) {
      const chunks = await chunksOf(input);
      const written = ["text-start", "text-delta", "text-delta", "text-end"];
      assert.deepEqual(
        chunks.map(({ type }) => type),
        ["start", "start-step", ...written, "finish-step", "finish"],
      );
      assert.deepEqual(chunks.at(-1).messageMetadata.usage, { inputTokens: 100, outputTokens: 3, totalTokens: 103 });
    }
  });

  test("a tool of the provider whose call and result have no id", async () => {
    const chunks = await chunksOf(fixture("gemini/code-execution"));
    const { executableCode } = fixture("gemini/code-execution")[2].candidates[0].content.parts[0];
    const shared = { toolCallId: "server-tool-0", providerExecuted: true, dynamic: true };
    assert.deepEqual(
      chunks.filter(({ type }) => type.startsWith("tool-")),
      [
        { type: "tool-input-available", ...shared, toolName: "code_execution", input: executableCode },
        { type: "tool-output-available", ...shared, output: { outcome: "OUTCOME_OK", output: "10\n" } },
      ],
    );
  });
});

describe("the response", () => {
  test("has the headers and the bytes", async () => {
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
