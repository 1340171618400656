// --to: an answer, streamed or complete, as another interface.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { collect, decode } from "respool";
import { ROOT } from "../../scripts/paths.mjs";
import { chatBody, chatStream, folderWith, run, start } from "./command.mjs";

const SAMPLE = join(ROOT, "samples", "chat-tool-calls.sse");
const TARGETS = ["openai-chat", "openai-responses", "anthropic-messages"];

for (const to of TARGETS) {
  test(`a stream as ${to}`, async () => {
    const { code, stdout, stderr } = await run(["--to", to, SAMPLE]);
    assert.equal(code, 0, stderr);
    const [before, after] = [await collect([readFileSync(SAMPLE)]), await collect([stdout])];
    assert.equal(after.response.api, to);
    assert.deepEqual(
      [after.text, after.toolCalls, after.finishReason, after.usage.inputTokens, after.usage.outputTokens],
      [before.text, before.toolCalls, before.finishReason, before.usage.inputTokens, before.usage.outputTokens],
    );
  });

  test(`a body as ${to}`, async () => {
    const { code, stdout, stderr } = await run(["--to", to], JSON.stringify(chatBody("At 9:35.")));
    assert.deepEqual([code, stderr], [0, ""]);
    const { api, message, finishReason } = decode(stdout);
    assert.deepEqual([api, message, finishReason], [to, "At 9:35.", "complete"]);
    assert.ok(stdout.endsWith("}\n"));
  });

  test(`a failure as ${to}`, async () => {
    const cut = await run(["--to", to], chatStream(["Hel", "lo"], { ends: false }));
    assert.equal(cut.code, 1);
    assert.match(cut.stderr, /^respool: truncated: the input ended before the answer did$/m);
    assert.match(cut.stdout, /"error"/);
    const failed = await run(["--to", to], `${chatStream(["Hel"], { ends: false })}data: {"error":{"message":"Overloaded"}}\n\n`);
    assert.equal(failed.code, 1);
    assert.match(failed.stderr, /provider-error: Overloaded/);
    const body = await run(["--to", to], '{"error":{"message":"Slow down","type":"rate_limit_error"}}');
    assert.equal(body.code, 1);
    assert.match(body.stderr, /Slow down/);
    assert.throws(() => decode(body.stdout), { name: "ProviderError", message: "Slow down" });
  });
}

test("--api excludes a body of another interface, as it does a stream", async () => {
  for (const input of [JSON.stringify(chatBody("At 9:35.")), chatStream(["At 9:35."])]) {
    const { code, stdout, stderr } = await run(["--to", "anthropic-messages", "--api", "gemini"], input);
    assert.deepEqual([code, /"type":"error"/.test(stdout), /stop_reason/.test(stdout)], [1, true, false], stdout);
    assert.match(stderr, /openai-chat, which the option `api` excludes/);
  }
});

test("a body without a finish reason is written, and counts as truncated", async () => {
  const body = { model: "m", choices: [{ message: { role: "assistant", content: "Hi" } }] };
  const { code, stdout, stderr } = await run(["--to", "anthropic-messages"], JSON.stringify(body));
  assert.equal(code, 1);
  assert.match(stderr, /^respool: truncated: the body has no finish reason/m);
  assert.equal(decode(stdout).message, "Hi");
});

test("losses are reported on standard error", async () => {
  const logprobs = { content: [{ token: "Hi", logprob: -0.1, bytes: null, top_logprobs: [] }] };
  const chunk = { choices: [{ index: 0, delta: { role: "assistant", content: "Hi" }, logprobs, finish_reason: "stop" }] };
  const { code, stdout, stderr } = await run(["--to", "anthropic-messages"], `data: ${JSON.stringify(chunk)}\n\n`);
  assert.equal(code, 0);
  assert.match(stdout, /event: message_stop/);
  assert.match(stderr, /^respool: lost: .*[Ll]og probabilities/m);
});

test("warnings of the stream are on standard error", async () => {
  const { code, stderr } = await run(["--to", "openai-chat"], `data: {broken\n\n${chatStream(["a"])}`);
  assert.equal(code, 0);
  assert.match(stderr, /invalid-event: /);
});

test("events are written while the stream is open", async () => {
  const { child, ended } = start(["--to", "anthropic-messages"]);
  child.stdin.write(chatStream(["First"], { ends: false }));
  let seen = "";
  await new Promise((resolve) => {
    child.stdout.on("data", (data) => {
      seen += data;
      if (seen.includes('"First"')) resolve();
    });
  });
  child.stdin.end(chatStream([" then"]));
  assert.equal((await ended).code, 0);
});

test("compressed input, and an interface that can't be detected", async () => {
  const gzip = await run(["--to", "openai-chat", "--api", "openai-chat"], gzipSync(chatStream(["Hi"])));
  assert.equal(gzip.code, 0);
  assert.match(gzip.stdout, /data: \[DONE\]\n\n$/);
});

test("text after a body isn't part of it", async () => {
  const body = chatBody("At 9:35.");
  for (const json of [JSON.stringify(body), JSON.stringify(body, null, 2)]) {
    for (const text of ["200", "\n200 0.51s\n"]) {
      const { code, stdout, stderr } = await run(["--to", "anthropic-messages"], json + text);
      assert.equal(code, 0, stderr);
      assert.match(stderr, /Skipped the text behind the body/);
      assert.equal(JSON.parse(stdout).content[0].text, "At 9:35.");
    }
    const { stdout } = await run(["--to", "anthropic-messages"], `${json}\n\ndata: [DONE]\n\n`);
    assert.match(stdout, /^event: message_start/);
  }
});

test("wrong usage", async () => {
  const path = folderWith({ "a.sse": chatStream(["a"]), "b.sse": chatStream(["b"]), "batch.jsonl": "" });
  const USES = [
    [
      ["--to", "openai-chats", "-"],
      /--to must be one of openai-chat, openai-responses, anthropic-messages.* Did you mean openai-chat\?/,
    ],
    [["--to", "openai-chat", "--json", "-"], /--to writes an answer as it is, which --json doesn't apply to/],
    [["--to", "openai-chat", "--format", "csv", "-"], /which --format doesn't apply to/],
    [["--to", "openai-chat", "--api", "openai-embeddings"], /--to writes messages, which --api openai-embeddings has none of/],
    [["--to", "openai-chat", "--api", "openai-images"], /--to writes messages, which --api openai-images has none of/],
    [["--to", "openai-chat", path("a.sse"), path("b.sse")], /--to writes one answer, not 2/],
  ];
  for (const [args, message] of USES) {
    const { code, stderr, stdout } = await run(args);
    assert.deepEqual([code, stdout], [2, ""]);
    assert.match(stderr, message);
  }
  const batch = await run(["--to", "openai-chat", "--input", "batch"], `${JSON.stringify(chatBody("a"))}\n`);
  assert.equal(batch.code, 1);
  assert.match(batch.stderr, /batch result file, but --to writes one answer/);
});

test("a failed response keeps what its HTTP status says", async () => {
  const { code, stdout } = await run(["--to", "anthropic-messages"], 'HTTP/1.1 429 Slow\r\n\r\n{"error":{"message":"Wait"}}');
  const { error } = JSON.parse(stdout);
  assert.deepEqual([code, error.type, error.message], [1, "rate_limit_error", "Wait"]);
});
