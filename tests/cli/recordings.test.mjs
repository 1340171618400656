// Recordings: each response of a model in a HAR file, and the one in a capture of the inspector, is read with its status.
import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { chatBody, chatStream, folderWith, fromLines, run, toLines } from "./command.mjs";

const URL = "https://api.example.com/v1/chat/completions?key=secret";
const request = { method: "POST", url: URL, postData: { text: JSON.stringify({ model: "m-1", messages: [] }) } };
const content = (text, mimeType = "text/event-stream") => ({ status: 200, content: { text, mimeType } });
const page = { request: { method: "GET", url: "https://example.com/" }, response: content("<html>", "text/html") };
const har = (entries) => JSON.stringify({ log: { version: "1.2", creator: { name: "a browser" }, entries } }, null, 2);
const answer = (text) => ({ request, response: content(chatStream([text])) });

test("the only response is read like a file of its own", async () => {
  const file = har([page, answer("Low at nine.")]);
  for (const input of [file, gzipSync(file)]) {
    const { code, stdout, stderr } = await run([], input);
    assert.match(stdout, /^Low at nine\.\n/);
    assert.deepEqual([code, stderr], [0, ""]);
  }
  const translated = await run(["--to", "anthropic-messages"], har([answer("Low at nine.")]));
  assert.match(translated.stdout, /"text":"Low at nine\."/);
  const body = { request, response: content(JSON.stringify(chatBody("Ten.")), "application/json") };
  const [result] = fromLines((await run(["--result"], har([body]))).stdout);
  assert.deepEqual([result.text, result.usage.totalTokens], ["Ten.", 5]);
});

test("several responses are named by their number and URL", async () => {
  const path = folderWith({ "page.har": har([answer("One."), page, answer("Two.")]) });
  const file = path("page.har");
  const names = [1, 2].map((number) => `${file} (${number}) · api.example.com/v1/chat/completions`);
  const { code, stdout } = await run([file]);
  assert.equal(code, 0);
  assert.deepEqual(stdout.match(/(?<=^==> ).*(?= <==$)/gm), names);
  assert.doesNotMatch(stdout, /secret/);
  const rows = fromLines((await run(["--format", "jsonl", file])).stdout);
  assert.deepEqual(
    rows.map((row) => [row.file, row.text]),
    [
      [names[0], "One."],
      [names[1], "Two."],
    ],
  );
  assert.match((await run(["--format", "csv", file])).stdout, /^file,line,/);
  const { code: failed, stderr } = await run(["--to", "openai-chat", file]);
  assert.equal(failed, 1);
  assert.match(stderr, /page\.har: contains 2 responses, but --to writes one\n$/);
});

test("events that the browser recorded are read, and base64 is decoded", async () => {
  const data = (text) => JSON.stringify({ choices: [{ index: 0, delta: { content: text }, finish_reason: null }] });
  const _eventSourceMessages = [
    { time: 10, eventName: "message", data: data("Low ") },
    { time: 10.5, eventName: "message", data: data("at nine.") },
    { time: 11, eventName: "message", data: "[DONE]" },
  ];
  const recorded = { request, response: { status: 200, content: {} }, _eventSourceMessages };
  const encoded = { ...content(Buffer.from(chatStream(["Høyvann."])).toString("base64")) };
  encoded.content.encoding = "base64";
  const { code, stdout } = await run(["--format", "jsonl"], har([recorded, { request, response: encoded }]));
  assert.equal(code, 0);
  assert.deepEqual(
    fromLines(stdout).map(({ text }) => text),
    ["Low at nine.", "Høyvann."],
  );
});

test("what failed is an error, and the other responses are read", async () => {
  const limited = content(JSON.stringify({ error: { message: "Slow down" } }), "application/json");
  const entries = [
    { request, response: { ...limited, status: 429 } },
    { request, response: { status: 500, content: {} } },
    { request, response: { status: 200, content: {} } },
    { request, response: { status: 0, content: {}, _error: "net::ERR_FAILED" } },
    { request, response: { status: 0 } },
    null,
    { request, response: content("<html>", "text/html") },
    answer("Low at nine."),
  ];
  const { code, stdout, stderr } = await run(["--format", "jsonl"], har(entries));
  assert.equal(code, 1);
  const rows = fromLines(stdout);
  assert.deepEqual(
    rows.map(({ error, text }) => error?.status ?? error?.code ?? text),
    [429, 500, "unknown-response", "Low at nine."],
  );
  const message = (number, reason) => `respool: standard input (${number}) · api.example.com/v1/chat/completions: ${reason}\n`;
  assert.ok(stderr.includes(message(1, "HTTP status 429")), stderr);
  assert.ok(stderr.includes(message(2, "HTTP status 500")), stderr);
  assert.match(stderr, /\(3\)[^\n]*: the recording lacks the content of the response/);
  assert.ok(stderr.includes(message(4, "net::ERR_FAILED")), stderr);
  assert.ok(stderr.includes(message(5, "no response arrived")), stderr);
});

test("a HAR file without responses of a model, and one that is cut off, are errors", async () => {
  const errorOf = async (input) => {
    const { code, stdout, stderr } = await run([], input);
    assert.deepEqual([code, stdout], [1, ""]);
    return stderr;
  };
  assert.match(await errorOf(har([page])), /is a HAR file, but none of its requests went to a model/);
  assert.match(await errorOf(har([answer("Ten.")]).slice(0, 400)), /is a HAR file that isn't valid JSON/);
});

test("a capture that the inspector saved is read, with its status", async () => {
  const reads = [...chatStream(["Høyvann."])].map((character) => ({ text: character }));
  const capture = (more) => JSON.stringify({ format: "respool-capture", version: 1, name: "a", ...more }, null, 1);
  const { code, stdout, stderr } = await run([], capture({ reads }));
  assert.deepEqual([code, stdout.split("\n")[0], stderr], [0, "Høyvann.", ""]);
  const limited = await run(
    ["--format", "jsonl"],
    capture({ status: 429, reads: [{ text: '{"error":{"message":"Slow down"}}' }] }),
  );
  assert.deepEqual([limited.code, fromLines(limited.stdout)[0].error.status], [1, 429]);
  assert.match((await run([], capture({ reads: [] }))).stderr, /the recording lacks the content/);
  assert.match((await run([], capture({ reads }).slice(0, 300))).stderr, /is a capture that isn't valid JSON/);
});

test("other JSON with a member named log isn't taken for a HAR file", async () => {
  const body = chatBody("Ten.");
  for (const log of [{ level: 1 }, { version: "1.2" }, {}, [], "x"]) {
    const { code, stdout } = await run([], JSON.stringify({ log, ...body }));
    assert.deepEqual([code, stdout.slice(0, 4)], [0, "Ten."]);
    const lines = fromLines(
      (
        await run(
          [],
          toLines([
            { log, ...body },
            { log, ...body },
          ]),
        )
      ).stdout,
    );
    assert.deepEqual(
      lines.map(({ text }) => text),
      ["Ten.", "Ten."],
    );
  }
});

test("responses of models are recognised without the body of the request", async () => {
  const limited = content(JSON.stringify({ error: { message: "Slow down" } }), "application/json");
  const to = (url) => ({ method: "POST", url });
  const entries = [
    { request: to(URL), response: content(chatStream(["One."])) },
    { request: to("https://api.example.com/v1/responses"), response: { ...limited, status: 429 } },
    { request: to("https://api.example.com/v1/messages"), response: { status: 200, content: {} } },
    {
      request: to("https://api.example.com/v1beta/models/m:streamGenerateContent?alt=sse"),
      response: { status: 500, content: {} },
    },
    { request: to("https://shop.example.com/cart"), response: { ...limited, status: 429 } },
    { request: to("https://shop.example.com/messages"), response: { status: 500, content: {} } },
  ];
  const { code, stdout, stderr } = await run(["--format", "jsonl"], har(entries));
  assert.equal(code, 1);
  assert.deepEqual(
    fromLines(stdout).map(({ error, text }) => error?.status ?? text),
    ["One.", 429, 500],
  );
  assert.match(stderr, /\(3\) · api\.example\.com\/v1\/messages: the recording lacks the content/);
});
