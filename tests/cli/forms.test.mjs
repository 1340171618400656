// The forms of inputs: streams, bodies and batches are distinguished, and the headers of `curl -i` are skipped.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import * as zlib from "node:zlib";
import { readHead } from "../../bin/head.js";
import { sniff } from "../../bin/sniff.js";
import { ROOT } from "../../scripts/paths.mjs";
import { entriesOfBatch } from "../../www/src/capture/batch.js";
import { parseJson } from "../../www/src/capture/values.js";
import { chatBody, chatStream, folderWith, fromLines, run, toLines } from "./command.mjs";

const { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } = zlib;
const FIXTURES = join(ROOT, "tests", "fixtures");
const INTERFACES = readdirSync(FIXTURES).filter((name) => /-|^gemini$/.test(name) && name !== "text-formats");

async function* readsOf(...parts) {
  for (const part of parts) yield Buffer.from(part);
}

const formOf = async (text) => (await sniff(readsOf(text))).form;

test("recorded streams are streams, bodies are bodies, and several bodies a batch", async () => {
  let count = 0;
  for (const name of INTERFACES) {
    for (const example of readdirSync(join(FIXTURES, name))) {
      const path = (file) => join(FIXTURES, name, example, file);
      const where = `${name}/${example}`;
      if (existsSync(path("events.jsonl"))) {
        const lines = readFileSync(path("events.jsonl"), "utf8");
        if (lines.trim().includes("\n")) assert.equal(await formOf(lines), "stream", where);
        count += 1;
      }
      if (existsSync(path("body.json"))) {
        const body = JSON.parse(readFileSync(path("body.json"), "utf8"));
        assert.equal(await formOf(JSON.stringify(body, null, 2)), "body", where);
      }
    }
  }
  assert.ok(count > 50, `${count} streams`);
  assert.equal(await formOf(toLines([chatBody("a"), chatBody("b")])), "batch");
  const error = { error: { message: "Slow down" } };
  assert.equal(await formOf(toLines([error])), "body");
  assert.equal(await formOf(toLines([{ error: "Slow down" }])), "body");
  assert.equal(await formOf(toLines([error, { error: "Slow down" }])), "stream");
  assert.equal(await formOf(toLines([{ error: "Slow down", choices: [{ delta: { content: "a" } }] }])), "stream");
});

test("the inspector takes the same inputs for a batch as the command line", async () => {
  const ollama = (more) => ({ model: "tern", message: { role: "assistant", content: "a" }, ...more });
  const azure = { choices: [], model: "", object: "", prompt_filter_results: [{ prompt_index: 0 }] };
  const chunk = { choices: [{ delta: { content: "a" } }] };
  const gemini = { candidates: [{ content: { parts: [{ text: "a" }] } }] };
  const unspecified = { candidates: [{ ...gemini.candidates[0], finishReason: "FINISH_REASON_UNSPECIFIED" }] };
  const perplexity = { choices: [{ message: { content: "a" }, delta: { content: "" }, finish_reason: "stop" }] };
  const perplexityChunk = { choices: [{ message: { content: "a" }, delta: { content: "a" }, finish_reason: null }] };
  const legacy = (finish_reason) => ({ object: "text_completion", choices: [{ text: "a", finish_reason }] });
  const envelope = { custom_id: "a", response: { status_code: 200, body: chatBody("a") } };
  const expired = { custom_id: "a", result: { type: "expired" } };
  const inputs = [
    [toLines([ollama({ done: false }), ollama({ done: true })]), "stream"],
    [toLines([ollama({ done: true }), ollama({ done: true })]), "batch"],
    [toLines([azure, chunk]), "stream"],
    [toLines([{ response: "a", p: "abc" }, { response: "" }]), "stream"],
    [toLines([{ response: "", tool_calls: [] }, { response: "a" }]), "stream"],
    [toLines([gemini, gemini]), "stream"],
    [toLines([{ response: gemini }, { response: gemini }]), "stream"],
    [toLines([chatBody("a"), chatBody("b")]), "batch"],
    [`\uFEFF\r\n\n${toLines([chatBody("a"), chatBody("b")])}`, "batch"],
    [JSON.stringify(chatBody("a")), "body"],
    [toLines([envelope]), "batch"],
    [toLines([expired, envelope]), "batch"],
    [toLines([{ type: "response.created", response: { object: "response", output: [] } }, chunk]), "stream"],
    [JSON.stringify([chatBody("a"), chatBody("b")], null, 2), "batch"],
    [JSON.stringify([envelope, envelope]), "batch"],
    [JSON.stringify([chatBody("a")]), "stream"],
    [JSON.stringify([envelope]), "batch"],
    [JSON.stringify([expired], null, 2), "batch"],
    [JSON.stringify(envelope, null, 2), "batch"],
    [JSON.stringify([{ response: { candidates: [{ ...gemini.candidates[0], finishReason: "STOP" }] } }]), "stream"],
    [toLines([perplexity, perplexity]), "batch"],
    [toLines([perplexityChunk, perplexity]), "stream"],
    [toLines([legacy("stop"), legacy("stop")]), "batch"],
    ...[null, "", "null", "None"].map((none) => [toLines([legacy(none), legacy("stop")]), "stream"]),
    [toLines([unspecified, unspecified]), "stream"],
    [JSON.stringify([{ response: unspecified }, gemini]), "stream"],
    [[chatBody("a"), chatBody("b")].map((body) => JSON.stringify(body, null, 2)).join("\n"), "batch"],
    [[chatBody("a"), chatBody("b")].map((body) => JSON.stringify(body)).join(""), "batch"],
    [JSON.stringify(chatBody("a"), null, 2), "body"],
    [JSON.stringify([gemini, gemini]), "stream"],
    [JSON.stringify([envelope, envelope]).slice(0, -40), "batch"],
    [JSON.stringify([gemini, gemini], null, 2).slice(0, -40), "stream"],
    [`${JSON.stringify(chatBody("a"))}\n\n200\n`, "stream"],
    [`${JSON.stringify({ data: [{ embedding: [1] }] })}\n200\n`, "batch"],
    [`${JSON.stringify({ data: [{ embedding: [1] }] }, null, 2)} 200`, "batch"],
    [JSON.stringify({ data: [{ embedding: [1] }] }, null, 2), "body"],
    [`${JSON.stringify(chatBody("a"), null, 2)} HTTP 200 {}`, "batch"],
    [`${JSON.stringify(chatBody("a"))}\nnot JSON\n ${JSON.stringify(chatBody("b"))}\n`, "batch"],
  ];
  for (const [text, form] of inputs) {
    assert.equal(await formOf(text), form, text);
    const plain = text.replace("\uFEFF", ""); // the page's decoder drops it
    assert.equal(entriesOfBatch(plain, parseJson(plain)) !== undefined, form === "batch", text);
  }
  for (const name of INTERFACES) {
    for (const example of readdirSync(join(FIXTURES, name))) {
      const path = join(FIXTURES, name, example, "events.jsonl");
      const lines = existsSync(path) ? readFileSync(path, "utf8") : "";
      if (lines.trim().includes("\n")) assert.equal(entriesOfBatch(lines, undefined), undefined, path);
    }
  }
  const { chunks } = entriesOfBatch("", [envelope, envelope])[1];
  assert.deepEqual(JSON.parse(new TextDecoder().decode(chunks[0].bytes)), chatBody("a"));
});

test("several bodies in an array are a batch, with a result for each", async () => {
  const bodies = [chatBody('a "[1,2]"'), { choices: [{ index: 0, message: { content: "b\n\\" }, finish_reason: "stop" }] }];
  for (const text of [JSON.stringify(bodies), `\uFEFF ${JSON.stringify(bodies, null, "\t").replaceAll("\n", "\r\n")}\n`]) {
    const bytes = Buffer.from(text);
    for (const size of [1, 7, bytes.length]) {
      const parts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size));
      const { form, reads } = await sniff(readsOf(...parts));
      assert.equal(form, "batch");
      const lines = [];
      for await (const read of reads) lines.push(read);
      assert.deepEqual(fromLines(Buffer.concat(lines).toString()), bodies);
    }
    const { code, stdout } = await run([], text);
    const rows = fromLines(stdout).map((row) => [row.line, row.text]);
    assert.deepEqual(
      [code, rows],
      [
        0,
        [
          [1, 'a "[1,2]"'],
          [2, "b\n\\"],
        ],
      ],
    );
  }
  const gemini = (text) => ({ candidates: [{ content: { parts: [{ text }] }, finishReason: "STOP" }] });
  assert.equal(await formOf(JSON.stringify([gemini("a"), gemini("b")])), "stream");
  assert.equal(await formOf(JSON.stringify([chatBody("a")])), "stream");
  const chunk = { object: "chat.completion.chunk", choices: [{ delta: { content: "a" } }] };
  assert.equal(await formOf(JSON.stringify([chunk, chunk])), "stream");
});

test("bodies that follow one another in several lines, or in one, are a batch", async () => {
  const bodies = [chatBody("a }{"), chatBody("b")];
  for (const text of [
    bodies.map((body) => JSON.stringify(body, null, 2)).join("\n"),
    bodies.map((body) => JSON.stringify(body)).join(""),
  ]) {
    for (const input of [[], ["--input", "batch"]]) {
      const { code, stdout } = await run(input, text);
      assert.deepEqual([code, fromLines(stdout).map((row) => row.text)], [0, ["a }{", "b"]]);
    }
    const { code, stderr } = await run(["--to", "openai-chat"], text);
    assert.deepEqual([code, stderr.includes("is a batch result file")], [1, true]);
  }
});

test("text after a body, such as that of curl -w, doesn't make it a batch", async () => {
  const body = chatBody("Bodø");
  for (const json of [JSON.stringify(body), JSON.stringify(body, null, 2)]) {
    for (const text of ["200", "\n200", "\n\ndata: [DONE]\n\n", ' "a" }] wörds\nin 3\ts\n']) {
      for (const size of [1, 200, 10_000]) {
        const bytes = Buffer.from(json + text);
        const parts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
          bytes.subarray(at * size, (at + 1) * size),
        );
        assert.equal((await sniff(readsOf(...parts))).form, "stream", json + text);
      }
      const { code, stdout } = await run([], json + text);
      assert.equal(code, 0, json + text);
      assert.match(stdout, /^Bodø\n\n— complete/);
      const { stdout: rows } = await run(["--format", "jsonl"], json + text);
      assert.deepEqual(
        fromLines(rows).map((row) => [row.text, row.error]),
        [["Bodø", undefined]],
      );
    }
  }
});

test("text between the bodies of a batch is read as separate lines", async () => {
  const text = `${JSON.stringify(chatBody("a"), null, 2)} wörds\tand "more"\nlines}}${JSON.stringify(chatBody("b"), null, 2)}`;
  const { code, stdout } = await run([], text);
  const rows = fromLines(stdout).map((row) => row.text ?? row.error.code);
  assert.deepEqual([code, rows], [1, ["a", "invalid-json", "invalid-json", "b"]]);
});

test("--input body reads one body, and says what to do with several", async () => {
  const [one, two] = ["A", "B"].map((text) => JSON.stringify(chatBody(text)));
  const pretty = JSON.stringify(chatBody("A"), null, 2);
  for (const text of [`${one}\n${two}\n`, `${one} ${two}`, `${pretty}\n${pretty}`, `[${one},${two}]`])
    for (const args of [[], ["--json"], ["--result"], ["--format", "csv"], ["--to", "anthropic-messages"]]) {
      const { code, stdout, stderr } = await run(["--input", "body", ...args], text);
      assert.deepEqual([code, stdout], [1, ""], text);
      assert.match(stderr, /^respool: standard input: contains several bodies, .*use --input batch/);
    }
  for (const text of [one, pretty, `\n${one}\n\n`, `[${one}]`]) {
    const { code, stdout } = await run(["--input", "body"], text);
    assert.deepEqual([code, stdout.split("\n")[0]], [0, "A"], text);
  }
});

test("--input batch splits an array as well, but not a line that is an array of Gemini's", async () => {
  const gemini = (text) => ({ candidates: [{ content: { parts: [{ text }] }, finishReason: "STOP" }] });
  const error = { error: { message: "Slow down" } };
  const inputs = [
    [JSON.stringify([chatBody("a"), chatBody("b")]), ["a", "b"]],
    [` ${JSON.stringify([chatBody("a"), chatBody("b")], null, 2)}\n`, ["a", "b"]],
    [JSON.stringify([chatBody("a")], null, 2), ["a"]],
    [JSON.stringify([error, chatBody("b")]), [undefined, "b"]],
    [JSON.stringify([{ custom_id: "a", response: { body: gemini("a") } }]), ["a"]],
    [toLines([[gemini("a"), gemini("b")], [gemini("c")]]), ["ab", "c"]],
    [toLines([chatBody("a"), chatBody("b")]), ["a", "b"]],
  ];
  for (const [text, texts] of inputs) {
    const { stdout } = await run(["--input", "batch"], text);
    assert.deepEqual(
      fromLines(stdout).map((row) => row.text),
      texts,
      text,
    );
  }
});

test("Ollama's lines are one answer", async () => {
  const chunk = (content, more) => ({ model: "tern", message: { role: "assistant", content }, done: false, ...more });
  const { code, stdout } = await run([], toLines([chunk("At "), chunk("noon."), chunk("", { done: true, done_reason: "stop" })]));
  assert.equal(code, 0);
  assert.match(stdout, /^At noon\.\n\n— complete \(stop\) · tern\n$/);
});

const HEAD = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nx-request-id: req_1\r\n\r\n";

/** Returns the text of all reads. */
async function textOf(reads) {
  const found = [];
  for await (const read of reads) found.push(read);
  return Buffer.concat(found).toString();
}

const ENCODED = "HTTP/2 203 \r\nContent-Encoding: GZIP\r\n\r\n";

test("the headers of curl -i are skipped, however the reads are cut", async () => {
  const input = `HTTP/1.1 200 Connection established\r\n\r\nHTTP/2 301 \nlocation: /x\n\n${ENCODED}data: {}\n\n`;
  for (let size = 1; size <= input.length; size++) {
    const parts = Array.from({ length: Math.ceil(input.length / size) }, (_, at) => input.slice(at * size, (at + 1) * size));
    const { status, encoding, body } = await readHead(readsOf(...parts));
    assert.equal(await textOf(body), "data: {}\n\n");
    assert.deepEqual([status, encoding], [203, "gzip"]);
  }
  for (const text of ["HTTP/1.1 200 OK\r\ncontent-type", "HTTP/ is a protocol\n\n", "HT", "data: HTTP/1.1 200\n\n"]) {
    const { status, body } = await readHead(readsOf(text));
    assert.equal(await textOf(body), text);
    assert.equal(status, undefined);
  }
});

test("responses of curl -i are read, and a status that isn't a success is reported", async () => {
  const stream = await run([], HEAD + chatStream(["Hi"]));
  assert.deepEqual([stream.code, stream.stderr], [0, ""]);
  assert.match(stream.stdout, /^Hi\n/);
  const [row] = fromLines((await run(["--format", "jsonl"], HEAD + JSON.stringify(chatBody("Hi")))).stdout);
  assert.equal(row.text, "Hi");
  const head = "HTTP/2 429 \r\nretry-after: 7\r\n\r\n";
  const failed = await run([], `${head}{"error":{"message":"Slow down"}}`);
  assert.equal(failed.code, 1);
  assert.match(failed.stderr, /^respool: standard input: HTTP status 429\n.*Slow down\n$/s);
  const [failedRow] = fromLines((await run(["--format", "jsonl"], `${head}{"error":{"message":"Slow down"}}`)).stdout);
  assert.deepEqual(failedRow, { error: { code: "provider-error", message: "Slow down", status: 429 } });
  const error = { code: "provider-error", message: "HTTP status 429", status: 429 };
  const outputs = {
    "--format jsonl": { text: "", toolCalls: [], error },
    "--format jsonl --input body": { text: "", toolCalls: [], error },
    "--json": { type: "error", error },
  };
  for (const [options, expected] of Object.entries(outputs)) {
    const empty = await run(options.split(" "), head);
    assert.deepEqual([empty.code, empty.stderr], [1, "respool: standard input: HTTP status 429\n"]);
    assert.deepEqual(fromLines(empty.stdout), [expected]);
  }
  assert.deepEqual(JSON.parse((await run(["--result"], head)).stdout).error, error);
  const translated = await run(["--to", "openai-chat"], head);
  assert.deepEqual(
    [translated.code, translated.stdout, translated.stderr],
    [1, "", "respool: standard input: HTTP status 429\n"],
  );
});

test("an HTTP status that isn't a success is in rows, results and deltas, whatever the response contains", async () => {
  const head = "HTTP/1.1 500 Oops\r\n\r\n";
  const error = { code: "provider-error", message: "HTTP status 500", status: 500 };
  const vectors = { object: "list", data: [{ embedding: [1, 2] }] };
  for (const response of [chatStream(["Hi"]), JSON.stringify(chatBody("Hi"))]) {
    for (const form of [[], ["--input", response.startsWith("{") ? "body" : "stream"]]) {
      const [row] = fromLines((await run(["--format", "jsonl", ...form], head + response)).stdout);
      assert.deepEqual([row.text, row.error], ["Hi", error]);
      const { code, stdout, stderr } = await run(["--result", ...form], head + response);
      const result = JSON.parse(stdout);
      assert.deepEqual([result.text, result.ending, result.error], ["Hi", "failed", error]);
      assert.deepEqual([code, stderr], [1, "respool: standard input: HTTP status 500\n"]);
    }
  }
  assert.match((await run(["--format", "csv"], head + chatStream(["Hi"]))).stdout, /,provider-error,500,HTTP status 500\r\n$/);
  const [row] = fromLines((await run(["--format", "jsonl"], head + JSON.stringify(vectors))).stdout);
  assert.deepEqual(row, { vectors: [[1, 2]], error });
  const reported = `${head}{"error":{"message":"Overloaded"}}`;
  assert.deepEqual(fromLines((await run(["--json"], head + chatStream(["Hi"]))).stdout).at(-1), { type: "error", error });
  const [delta] = fromLines((await run(["--json"], reported)).stdout);
  assert.deepEqual([delta.error.message, delta.error.status], ["Overloaded", 500]);
  assert.equal(JSON.parse((await run(["--result"], reported)).stdout).error.status, 500);
  const translated = await run(["--to", "anthropic-messages"], head + chatStream(["Hi"]));
  assert.deepEqual([translated.code, /^respool: standard input: HTTP status 500\n/.test(translated.stderr)], [1, true]);
});

test("compressed bodies after the headers of curl -i", async () => {
  const head = (encoding) => `HTTP/2 200 \r\ncontent-encoding: ${encoding}\r\n\r\n`;
  const text = chatStream(["Bodø ", "😀"]);
  const bodies = { gzip: gzipSync(text), br: brotliCompressSync(text), deflate: deflateSync(text) };
  if (zstdCompressSync) bodies.zstd = zstdCompressSync(text);
  for (const [encoding, body] of Object.entries(bodies)) {
    // curl --compressed decompresses the body and leaves the headers as they are.
    for (const input of [Buffer.concat([Buffer.from(head(encoding)), body]), head(encoding) + text]) {
      const { code, stdout, stderr } = await run([], input);
      assert.deepEqual([code, stderr], [0, ""], encoding);
      assert.match(stdout, /^Bodø 😀\n/);
    }
  }
  const whole = await run([], gzipSync(Buffer.concat([Buffer.from(head("br")), bodies.br])));
  assert.match(whole.stdout, /^Bodø 😀\n/);
});

test("all text before the place where compressed data is corrupt is printed", async () => {
  const text = chatStream(Array.from({ length: 2000 }, () => `${randomBytes(9).toString("hex")}\n`));
  const damaged = (data, ...part) => {
    const copy = Buffer.from(data);
    copy.subarray(...part).fill(0xff);
    return copy;
  };
  const gzip = gzipSync(text);
  const head = Buffer.from("HTTP/2 200 \r\ncontent-encoding: br\r\n\r\n");
  const brotli = Buffer.concat([head, damaged(brotliCompressSync(text), -200, -150)]);
  // Some damaged data decompresses to other text, which is cut off.
  const corrupt = /^respool: standard input: the compressed data is (corrupt|cut off)$/m;
  for (const [input, lines] of [
    [damaged(gzip, -8), 2000],
    [damaged(gzip, -200, -150), 1970],
    [brotli, 1900],
  ]) {
    const { code, stdout, stderr } = await run([], input);
    assert.equal(code, 1);
    assert.match(stderr, corrupt);
    const found = stdout.split("\n").filter((line) => text.includes(`"${line}\\n"`));
    assert.ok(found.length >= lines, `${found.length} lines`);
  }
});

test("all whole lines of a compressed batch that is cut off are printed", async () => {
  const batch = Array.from({ length: 300 }, () => chatBody(randomBytes(9000).toString("hex")));
  const cut = gzipSync(toLines(batch)).subarray(0, -9000);
  const path = folderWith({ "cut.jsonl.gz": cut });
  const { code, stdout, stderr } = await run([path("cut.jsonl.gz")]);
  assert.equal(code, 1);
  const texts = fromLines(stdout).map(({ text }) => text);
  assert.deepEqual(
    texts.slice(0, 299),
    batch.slice(0, 299).map(({ choices }) => choices[0].message.content),
  );
  assert.match(stderr, /cut\.jsonl\.gz: the compressed data is cut off/);
});
