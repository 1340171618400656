// Batch result files: one result per line, in order, whatever is wrong with some of them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { lineBlocks } from "../../bin/lines.js";
import { chatBody, folderWith, fromLines, run, start, toLines } from "./command.mjs";

const openai = (id, body) => ({ id: `batch_req_${id}`, custom_id: id, response: { status_code: 200, body }, error: null });
const anthropic = (id, result) => ({ custom_id: id, result });
const message = (text) => ({
  type: "message",
  role: "assistant",
  content: [{ type: "text", text }],
  stop_reason: "end_turn",
  usage: { input_tokens: 4, output_tokens: 6 },
});

test("every line leads to a result", async () => {
  const input = toLines([
    openai("a", chatBody('Hi\n\u0001 "ø"', { id: "chatcmpl-a" })),
    anthropic("b", { type: "succeeded", message: message("Hello") }),
    chatBody("bare"),
    openai("d", { object: "list", data: [{ embedding: [1, 2.5] }] }),
    { response: chatBody("logged") },
  ]);
  const { code, stdout, stderr } = await run([], `\ufeff${input}`);
  assert.equal(stderr, "");
  assert.equal(code, 0);
  const usage = {
    inputTokens: 3,
    uncachedInputTokens: 3,
    outputTokens: 2,
    promptTokens: 3,
    completionTokens: 2,
    totalTokens: 5,
  };
  const ended = { toolCalls: [], finishReason: "complete", rawFinishReason: "stop", usage };
  assert.deepEqual(fromLines(stdout), [
    { line: 1, customId: "a", id: "chatcmpl-a", model: "gpt-4.1-mini", text: 'Hi\n\u0001 "ø"', ...ended },
    {
      line: 2,
      customId: "b",
      text: "Hello",
      toolCalls: [],
      finishReason: "complete",
      rawFinishReason: "end_turn",
      usage: {
        inputTokens: 4,
        uncachedInputTokens: 4,
        outputTokens: 6,
        promptTokens: 4,
        completionTokens: 6,
        totalTokens: 10,
      },
    },
    { line: 3, model: "gpt-4.1-mini", text: "bare", ...ended },
    { line: 4, customId: "d", vectors: [[1, 2.5]] },
    { line: 5, model: "gpt-4.1-mini", text: "logged", ...ended },
  ]);
});

test("lines without an answer are reported by number, and counted", async () => {
  const lines = [
    JSON.stringify(openai("a", chatBody("A"))),
    "",
    "{broken",
    JSON.stringify(openai("c", { error: { message: "Rate limit", type: "rate_limit_error", code: 429 } })),
    JSON.stringify(
      anthropic("d", {
        type: "errored",
        error: { type: "error", error: { type: "invalid_request_error", message: "No such model" } },
      }),
    ),
    JSON.stringify(anthropic("e", { type: "expired" })),
    JSON.stringify({ custom_id: "f", response: null, error: { code: "batch_expired", message: "Too late" } }),
    "\u0000\u0001 junk",
    JSON.stringify(openai("h", chatBody("H"))),
  ];
  const { code, stdout, stderr } = await run([], lines.join("\r\n"));
  assert.equal(code, 1);
  const results = fromLines(stdout);
  assert.deepEqual(
    results.map(({ line, customId, text }) => [line, customId, text]),
    [
      [1, "a", "A"],
      [3, undefined, undefined],
      [4, "c", undefined],
      [5, "d", undefined],
      [6, "e", undefined],
      [7, "f", undefined],
      [8, undefined, undefined],
      [9, "h", "H"],
    ],
  );
  assert.deepEqual(results[2].error, {
    code: "provider-error",
    message: "Rate limit",
    providerType: "rate_limit_error",
    providerCode: "429",
  });
  assert.equal(results[3].error.message, "No such model");
  assert.equal(results[5].error.message, "Too late");
  const errorLines = stderr.trimEnd().split("\n");
  assert.deepEqual(
    errorLines.map((line) => line.match(/input(?::(\d+): ([a-z-]+))?/).slice(1)),
    [
      ["3", "invalid-json"],
      ["4", "provider-error"],
      ["5", "provider-error"],
      ["6", "provider-error"],
      ["7", "provider-error"],
      ["8", "invalid-json"],
      [undefined, undefined],
    ],
  );
  assert.match(errorLines.at(-1), /6 of 8 lines have no answer/);
});

test("--result has the whole response, --agent the value, --api the interface", async () => {
  const path = folderWith({ "outputs.json": '{"outputs":{"n":"number"}}' });
  const input = toLines([openai("a", chatBody('{"n":12345678901234567890}')), openai("b", chatBody("none"))]);
  const { stdout } = await run(["--result", "--agent", path("outputs.json")], input);
  const [first, second] = stdout.split("\n");
  assert.match(first, /"value":\{"n":12345678901234567890\}/);
  assert.equal(JSON.parse(first).response.extra.object, "chat.completion");
  assert.equal(JSON.parse(second).value, undefined);
  const other = await run(["--api", "openai-images"], input);
  assert.equal(other.code, 1);
});

test("many blocks on many workers keep their order, even from several compressed files", async () => {
  const count = 20_000;
  const numbered = (from) =>
    toLines(Array.from({ length: count }, (_, at) => openai(`r${from + at}`, chatBody(`${from + at} `.repeat(20)))));
  const path = folderWith({ "one.jsonl": numbered(0), "two.jsonl.gz": gzipSync(numbered(count)) });
  const { code, stdout, stderr } = await run([path("one.jsonl"), path("two.jsonl.gz")]);
  assert.equal(stderr, "");
  assert.equal(code, 0);
  const rows = fromLines(stdout);
  assert.deepEqual(
    rows.map(({ customId }) => customId),
    Array.from({ length: 2 * count }, (_, at) => `r${at}`),
  );
  assert.deepEqual(
    rows.map(({ file, line }) => [file, line]),
    Array.from({ length: 2 * count }, (_, at) => [path(at < count ? "one.jsonl" : "two.jsonl.gz"), (at % count) + 1]),
  );
});

test("errors in later blocks have the right line numbers", async () => {
  const lines = Array.from({ length: 9000 }, (_, at) =>
    at % 2500 === 1234 ? "{" : JSON.stringify(openai(`r${at}`, chatBody("text ".repeat(60)))),
  );
  const { stderr, stdout } = await run([], lines.join("\n"));
  assert.deepEqual(
    Array.from(stderr.matchAll(/input:(\d+): invalid-json/g), ([, line]) => Number(line)),
    [1235, 3735, 6235, 8735],
  );
  const numbers = fromLines(stdout).map(({ line }) => line);
  assert.deepEqual(
    numbers,
    Array.from({ length: lines.length }, (_, at) => at + 1),
  );
});

test("a batch stops at Ctrl-C and at a broken pipe", async () => {
  const lines = toLines(Array.from({ length: 3000 }, (_, at) => openai(`r${at}`, chatBody("text ".repeat(200)))));
  for (const stop of [(child) => child.kill("SIGINT"), (child) => child.stdout.destroy()]) {
    const { child, ended } = start([]);
    const pour = () => {
      while (child.stdin.writable && child.exitCode === null)
        if (!child.stdin.write(lines)) return child.stdin.once("drain", pour);
    };
    child.stdout.once("data", () => stop(child));
    pour();
    const { code, signal, stderr } = await ended;
    assert.equal(stderr, "");
    assert.ok(signal === "SIGINT" || code === 0, `${code} ${signal}`);
  }
});

test("blocks contain whole lines for any reads; lines that are too long are left out", async () => {
  const text = "a\nbb\n\nccc\ndddddddddd\nee\nf";
  const bytes = new TextEncoder().encode(text);
  for (let size = 1; size <= bytes.length; size++) {
    const reads = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size));
    const blocks = async (options) => {
      const found = [];
      for await (const block of lineBlocks(reads, options))
        found.push(block === "too long" ? block : new TextDecoder().decode(block));
      return found;
    };
    const found = await blocks({ blockBytes: 4, longestLine: 64 });
    assert.equal(found.join(""), text);
    assert.ok(found.slice(0, -1).every((block) => block.endsWith("\n")));
    const bounded = await blocks({ blockBytes: 4, longestLine: 8 });
    assert.equal(bounded.join("|").replaceAll("|", ""), "a\nbb\n\nccc\ntoo longee\nf");
  }
});

test("lines of Gemini, Bedrock and Vertex AI", async () => {
  const contents = { candidates: [{ content: { role: "model", parts: [{ text: "Hi" }] }, finishReason: "STOP" }] };
  const failed = { errorCode: 400, errorMessage: "No such port" };
  const files = {
    gemini: [
      { key: "a", response: contents },
      { key: "b", error: { code: 400, message: "No such port" } },
    ],
    bedrock: [
      { modelInput: {}, modelOutput: message("Hi"), recordId: "a" },
      { modelInput: {}, error: failed, recordId: "b" },
    ],
    "vertex ai": [
      { status: "", request: { contents: [] }, response: contents },
      { status: "No such port", request: { contents: [] }, response: {} },
    ],
  };
  for (const [name, lines] of Object.entries(files)) {
    const ids = name === "vertex ai" ? [undefined, undefined] : ["a", "b"];
    for (const order of [lines, lines.toReversed()]) {
      const { code, stdout } = await run([], toLines(order));
      const found = fromLines(stdout).map(({ customId, text, error }) => [customId, text ?? error.message]);
      const expected = [
        [ids[0], "Hi"],
        [ids[1], "No such port"],
      ];
      assert.deepEqual([code, found], [1, order === lines ? expected : expected.toReversed()], name);
    }
  }
});
