// One answer: streams and bodies, from files and pipes, as text, deltas and results.
import assert from "node:assert/strict";
import { readFileSync, readdirSync, existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import * as zlib from "node:zlib";
import { ROOT } from "../../scripts/paths.mjs";
import { chatBody, chatStream, folderWith, fromLines, run, start, toLines } from "./command.mjs";

/** A stream of one chunk with the text "Hi", as `zstd` compresses it. */
const ZSTD = Buffer.from(
  "KLUv/QRo9QEAcoQOEaDtgbTz4rLVqghAlyYcEOJHAMwy/1zH65uLy9CouNpKF/NrXN+Nu7lzqd9mjC6JPvJZTp3LoNuLAgCULmoj",
  "base64",
);
const SAMPLE = join(ROOT, "samples", "chat-tool-calls.sse");

test("prints a stream as text, tool calls, finish reason and usage", async () => {
  const { code, stdout, stderr } = await run([SAMPLE]);
  assert.equal(stderr, "");
  assert.equal(code, 0);
  const [text, , ...rest] = stdout.trimEnd().split("\n");
  assert.match(text, /^Sure – I'll look up/);
  assert.deepEqual(rest, [
    '→ find_departures {"from":"Tromsø","to":"Skjervøy","date":"2025-11-22","passengers":2} call_h2JfQ0vNsXz8bTqLwR5uYcPd',
    '→ get_marine_forecast {"place":"Skjervøy","hours":24,"fields":["wind","wave_height"]} call_M9aKd3WgEoV6iZrB1xCtSn7U',
    "— tool_use (tool_calls) · gpt-4.1-mini-2025-04-14 · tokens: 214 in, 91 out, 128 from cache, 305 in total",
  ]);
});

test("the total of tokens agrees with the counts beside it", async () => {
  const body = JSON.stringify({
    ...{ id: "msg_1", type: "message", role: "assistant", model: "claude-sonnet-4-5", stop_reason: "end_turn" },
    content: [{ type: "text", text: "Hi" }],
    usage: { input_tokens: 5, cache_read_input_tokens: 1200, output_tokens: 2 },
  });
  const text = await run([], body);
  assert.match(text.stdout, /tokens: 1205 in, 2 out, 1200 from cache, 1207 in total$/m);
  const csv = await run(["--format", "csv"], body);
  const [names, cells] = csv.stdout.split("\r\n").map((line) => line.split(","));
  assert.equal(cells[names.indexOf("totalTokens")], "1207");
});

test("prints text while the stream is still open", async () => {
  const { child, ended } = start([]);
  child.stdin.write(chatStream(["First"], { ends: false }));
  const [first] = await new Promise((resolve) => child.stdout.once("data", (data) => resolve([String(data)])));
  assert.equal(first, "First");
  child.stdin.end(chatStream([" then"]));
  const { code, stdout } = await ended;
  assert.equal(code, 0);
  assert.match(stdout, /^First then\n\n— complete \(stop\)\n$/);
});

test("--json prints one delta per line, --result the result in one line", async () => {
  const json = await run(["--json"], chatStream(["Hel", "lo"]));
  const deltas = fromLines(json.stdout);
  assert.equal(
    deltas
      .filter(({ type }) => type === "text")
      .map(({ text }) => text)
      .join(""),
    "Hello",
  );
  assert.equal(deltas.at(-1).type, "finish");
  const result = await run(["--result"], chatStream(["Hel", "lo"]));
  const [one, ...others] = fromLines(result.stdout);
  assert.deepEqual(others, []);
  assert.equal(one.text, "Hello");
  assert.equal(one.ending, "complete");
});

test("separates reasoning, names a refusal, and reports errors and warnings", async () => {
  const events = [
    { choices: [{ delta: { reasoning_content: "Hm." } }] },
    { choices: [{ delta: { content: "So." } }] },
    { choices: [{ delta: { refusal: "No." } }] },
  ];
  const stream = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
  const output = await run([], `${stream}data: {broken\n\ndata: {"error":{"message":"Overloaded"}}\n\n`);
  assert.equal(output.stdout.split("\n—")[0], "[reasoning]\nHm.\n\nSo.\n\n[refusal]\nNo.\n");
  assert.match(output.stderr, /respool: invalid-event: /);
  assert.match(output.stderr, /respool: provider-error: Overloaded/);
  assert.equal(output.code, 1);
});

test("all recorded shapes lead to the same output, streamed and complete", async () => {
  const cases = [
    ...["openai-chat/text", "openai-responses/function-calls", "anthropic-messages/thinking"],
    ...["gemini/calls-with-ids", "gemini/code-assist"],
  ];
  for (const name of cases) {
    const folder = join(ROOT, "tests", "fixtures", name);
    const expected = JSON.parse(readFileSync(join(folder, "expected.json"), "utf8"));
    const files = ["body.json", "events.jsonl"].map((file) => join(folder, file)).filter((file) => existsSync(file));
    assert.equal(files.length, 2, name);
    for (const file of files) {
      const { stdout, stderr, code } = await run(["--result", file]);
      const { text, toolCalls, finishReason } = JSON.parse(stdout);
      assert.equal(stderr, "", file);
      assert.equal(code, 0, file);
      assert.deepEqual(
        { text, toolCalls, finishReason },
        { text: expected.text ?? "", toolCalls: expected.toolCalls ?? [], finishReason: expected.finishReason },
        file,
      );
    }
  }
  assert.ok(readdirSync(join(ROOT, "tests", "fixtures")).length > 4);
});

test("prints a stream that is one array", async () => {
  const chunk = (text, rest) => ({ candidates: [{ content: { parts: [{ text }] }, index: 0, ...rest }] });
  const chunks = [chunk("Boats "), chunk("leave.", { finishReason: "STOP" })];
  for (const input of [JSON.stringify(chunks), JSON.stringify(chunks, null, 2), `\n[${JSON.stringify(chunks[0])}\n]`]) {
    assert.match((await run([], input)).stdout, /^Boats (leave\.)?\n/);
  }
});

test("prints embeddings and images", async () => {
  const vectors = {
    object: "list",
    data: [
      { object: "embedding", index: 0, embedding: [0.5, -1] },
      { object: "embedding", index: 1, embedding: [2, 3] },
    ],
    model: "e",
    usage: {},
  };
  assert.equal((await run([], JSON.stringify(vectors, null, 2))).stdout, "[0.5,-1]\n[2,3]\n");
  assert.deepEqual(JSON.parse((await run(["--result"], JSON.stringify(vectors))).stdout), {
    vectors: [
      [0.5, -1],
      [2, 3],
    ],
  });
  const same = [
    [0.5, -1],
    [2, 3],
  ];
  for (const body of [{ embeddings: same }, { embeddings: { float: same } }])
    assert.equal((await run([], JSON.stringify(body))).stdout, "[0.5,-1]\n[2,3]\n");
  const images = { created: 1, data: [{ url: "https://img.example/1.png" }] };
  assert.equal((await run([], JSON.stringify(images))).stdout, "https://img.example/1.png\n");
  const empty = await run(["--api", "openai-images"], '{"created":1,"data":[]}');
  assert.equal(empty.code, 1);
  assert.match(empty.stderr, /empty-response/);
});

test("reads compressed input, even several members in a row", async () => {
  const half = chatStream(["A", "B"], { ends: false });
  const both = Buffer.concat([zlib.gzipSync(half), zlib.gzipSync(chatStream(["C"]))]);
  assert.match((await run([], both)).stdout, /^ABC\n/);
  const path = folderWith({ "answer.gz": both, "cut.gz": zlib.gzipSync(chatStream(["A".repeat(9000)])).subarray(0, -10) });
  assert.match((await run([path("answer.gz")])).stdout, /^ABC\n/);
  const cut = await run([path("cut.gz")]);
  assert.equal(cut.code, 1);
  assert.match(cut.stderr, /cut\.gz: the compressed data is cut off/);
  assert.match(cut.stdout, /^A{9000}\n/, "what arrived is printed");
});

test("reads zstd if Node can, and otherwise says so", async () => {
  const path = folderWith({ "answer.zst": ZSTD });
  const { stdout, stderr, code } = await run([path("answer.zst")]);
  if ("zstdCompressSync" in zlib) assert.deepEqual([stdout, stderr, code], ["Hi\n\n— complete (stop)\n", "", 0]);
  else assert.match(stderr, /answer\.zst: is compressed with zstd, which needs Node 22\.15: decompress it first\n$/);
});

test("prints several files under their names; a missing one doesn't stop the others", async () => {
  const path = folderWith({ a: chatStream(["One"]), b: chatStream(["Two"]) });
  const { stdout, stderr, code } = await run([path("a"), path("nothing"), path("b")]);
  assert.equal(stdout, `==> ${path("a")} <==\nOne\n\n— complete (stop)\n==> ${path("b")} <==\nTwo\n\n— complete (stop)\n`);
  assert.equal(stderr, `respool: ${path("nothing")}: no such file\n`);
  assert.equal(code, 1);
});

test("--agent parses the text as JSON, --api and --input set the form of the input", async () => {
  const path = folderWith({ "outputs.json": '[{"name":"port"}]', "bad.json": "{" });
  const right = await run(["--agent", path("outputs.json")], chatStream(['{"port":"Bodø"}']));
  assert.equal(right.stderr, "");
  const wrong = await run(["--agent", path("outputs.json")], chatStream(["Bodø"]));
  assert.match(wrong.stderr, /the text isn't valid JSON/);
  const bad = await run(["--agent", path("bad.json")], chatStream(["Bodø"]));
  assert.equal(bad.code, 2);
  assert.match(bad.stderr, /--agent .*bad\.json/);
  const asChat = await run(["--api", "anthropic-messages"], chatStream(["Hello"]));
  assert.match(asChat.stderr, /unknown-event/);
  const asBatch = await run(["--input", "batch"], toLines([chatBody("A")]));
  assert.equal(fromLines(asBatch.stdout)[0].text, "A");
  const asBody = await run(["--input", "body"], JSON.stringify(chatBody("A")));
  assert.match(asBody.stdout, /^A\n/);
});
