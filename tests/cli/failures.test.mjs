// Failures around a command: misuse, junk, broken pipes, interruptions.
import assert from "node:assert/strict";
import { closeSync, existsSync, openSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { ROOT } from "../../scripts/paths.mjs";
import { chatBody, chatStream, folderWith, run, start, toLines } from "./command.mjs";

test("--help and --version, in all their spellings", async () => {
  const help = await run(["--help"]);
  assert.equal(help.code, 0);
  for (const option of ["--format", "--json", "--result", "--api", "--input", "--agent", "--help", "--version"])
    assert.ok(help.stdout.includes(option), option);
  assert.ok(
    help.stdout.split("\n").every((line) => line.length <= 82),
    "it fits a terminal",
  );
  for (const spelling of ["-h", "help"]) assert.deepEqual(await run([spelling]), help);
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  for (const spelling of ["-v", "-V", "--version"]) {
    const { code, stdout, stderr } = await run([spelling]);
    assert.deepEqual([code, stdout, stderr], [0, `${version}\n`, ""]);
  }
});

test("a missing file doesn't stop the others, even if standard error is a terminal", async () => {
  const path = folderWith({ "a.sse": chatStream(["A file"]) });
  const env = { NODE_OPTIONS: "--import=data:text/javascript,process.stderr.isTTY=true" };
  for (const missing of [path("none"), path("a.sse/none"), path("n".repeat(300))]) {
    const { code, stdout, stderr } = await run(["--format", "text", missing, path("a.sse")], "", { env });
    assert.deepEqual([code, stdout.includes("A file"), stderr.startsWith(`respool: ${missing}: `)], [1, true, true], stderr);
  }
});

test("a file named help is read", async () => {
  const path = folderWith({ help: chatStream(["A file"]) });
  assert.match((await run(["help"], "", { cwd: dirname(path("help")) })).stdout, /^A file\n/);
});

test("misuse exits with 2 and says what is wrong", async () => {
  const path = folderWith({ "five.json": "5" });
  const wrong = [
    [["--jsn"], /^respool: Unknown option `--jsn`\. Did you mean `--json`\? Options: --format, --json, --result, /],
    [["--vers"], /Unknown option `--vers`\. Did you mean `--version`\?/],
    [["--formt=csv"], /Unknown option `--formt`\. Did you mean `--format`\?/],
    [["-json"], /Unknown option `-json`\. Did you mean `--json`\?/],
    [["-j"], /Unknown option `-j`\. Did you mean `--json`\?/],
    [["-x"], /Unknown option `-x`\. Options: --format/],
    [["--frobnicate"], /Unknown option `--frobnicate`\. Options: --format/],
    [["--json=3"], /--json takes no value/],
    [["--api"], /--api needs a value/],
    [["--api", "--json"], /--api needs a value/],
    [["--json", "--result"], /--json and --result can.t be combined/],
    [["--api", "cohere"], /--api must be one of openai-chat, .*Did you mean cohere-chat\?/],
    [["--to", "antropic"], /Did you mean anthropic-messages\?/],
    [["--api", "frobnicate"], /not "frobnicate"\n/],
    [["--api", "openai-chta"], /Did you mean openai-chat\?/],
    [["--input", "xml"], /--input must be one of auto, stream, body, batch, not "xml"\n/],
    [["--input", "btach"], /Did you mean batch\?/],
    [["--jsno"], /Did you mean `--json`\?/],
    [["--input", "batc"], /Did you mean batch\?/],
    [["--agent", "/nowhere.json"], /no such file/],
    [["--agent", path(".")], /is a folder, not a file/],
    [["--agent", path("five.json")], /expected the JSON of an agent or of its outputs, got 5/],
  ];
  for (const [args, message] of wrong) {
    const { code, stdout, stderr } = await run(args);
    assert.equal(code, 2, args.join(" "));
    assert.match(stderr, message);
    assert.match(stderr, /\nTry 'respool --help'\.\n$/);
    assert.equal(stdout, "");
  }
});

test("truncated or invalid input exits with 1", async () => {
  const cut = await run([], chatStream(["Half"], { ends: false }));
  assert.equal(cut.code, 1);
  assert.match(cut.stdout, /^Half\n/);
  assert.match(cut.stderr, /truncated/);
  const binary = Uint8Array.from({ length: 100_000 }, (_, at) => (at * 7919 + (at >> 3)) & 0xff);
  const junk = await run([], binary);
  assert.equal(junk.code, 1);
  assert.doesNotMatch(junk.stderr, /\n\s+at /, "no stack");
  const folder = await run([folderWith({})(".")]);
  assert.equal(folder.code, 1);
  assert.match(folder.stderr, /is a folder, not a file/);
  const url = await run(["https://example.test/v1"]);
  assert.deepEqual([url.code, /is a URL: pipe the answer instead/.test(url.stderr)], [1, true]);
});

test("repeated warnings are counted", async () => {
  const { stderr } = await run(["--api", "anthropic-messages"], chatStream(Array(20).fill("A")));
  assert.match(stderr, /^respool: unknown-event: .* \(20 times\)$/m);
  assert.ok(stderr.split("\n").length < 6, stderr);
});

test("a whole body without a finish reason isn't called cut off", async () => {
  const content = [{ type: "output_text", text: "Fog until ten.", annotations: [] }];
  const output = [{ type: "message", id: "msg_1", role: "assistant", content }];
  const body = { object: "response", id: "resp_1", status: "in_progress", output };
  const { code, stdout, stderr } = await run([], JSON.stringify(body));
  assert.equal(code, 1);
  assert.match(stdout, /^Fog until ten\.\n/);
  const message = "respool: truncated: the body has no finish reason, so the answer may be incomplete\n";
  assert.equal(stderr, message);
  const row = await run(["--format", "jsonl"], JSON.stringify(body));
  assert.deepEqual([row.code, row.stderr, JSON.parse(row.stdout).text], [1, message, "Fog until ten."]);
});

test("a whole chat body without a finish reason is complete", async () => {
  const { code, stdout, stderr } = await run([], '{"choices":[{"message":{"content":"Fog until ten."}}]}');
  assert.deepEqual([code, stdout, stderr], [0, "Fog until ten.\n", ""]);
});

test("a whole body of Workers AI, which never has a finish reason, is complete", async () => {
  const { code, stdout, stderr } = await run([], '{"response":"Fog until ten."}');
  assert.deepEqual([code, stdout, stderr], [0, "Fog until ten.\n", ""]);
});

test("a body that was cut off is truncated", async () => {
  const { code, stderr } = await run([], '{"object":"chat.completion","choices":[{"index":0,"mess');
  assert.equal(code, 1);
  assert.match(stderr, /truncated: the input ended before the answer did\n$/);
});

test("a file whose name begins with a hyphen", async () => {
  const cwd = folderWith({ "-answer.sse": chatStream(["Hi"]) })(".");
  const wrong = await run(["-answer.sse"], undefined, { cwd });
  assert.deepEqual([wrong.code, /For the file with this name, write \.\/-answer\.sse$/m.test(wrong.stderr)], [2, true]);
  for (const args of [["./-answer.sse"], ["--", "-answer.sse"]])
    assert.match((await run(args, undefined, { cwd })).stdout, /^Hi\n/);
});

test("a line of many megabytes is read", async () => {
  const text = "ø".repeat(8 << 20);
  const { code, stdout } = await run([], chatStream([text]));
  assert.equal(code, 0);
  assert.equal(stdout.split("\n", 1)[0].length, text.length);
});

test("a broken pipe is silent", async () => {
  const { child, ended } = start([]);
  child.stdout.once("data", () => child.stdout.destroy());
  child.stdin.write(chatStream(["A"], { ends: false }));
  const pour = () => {
    while (child.stdin.writable && child.exitCode === null)
      if (!child.stdin.write(chatStream(["more ".repeat(1000)], { ends: false }))) return child.stdin.once("drain", pour);
  };
  pour();
  const { code, signal, stderr } = await ended;
  assert.equal(stderr, "");
  assert.equal(code, 0);
  assert.equal(signal, null);
});

test("answers are printed even if nobody reads standard error", async () => {
  const path = folderWith({ "cut.sse": chatStream(["Cut"], { ends: false }), "whole.sse": chatStream(["Whole"]) });
  const started = async (args) => {
    const { child, ended } = start(args);
    child.stderr.destroy();
    const { code, stdout } = await ended;
    return [code, stdout.match(/^(Cut|Whole)$/gm)];
  };
  assert.deepEqual(await started([path("cut.sse"), path("whole.sse"), path("whole.sse")]), [1, ["Cut", "Whole", "Whole"]]);
  assert.deepEqual(await started(["--bad"]), [2, null]);
});

test("Ctrl-C ends the command, and all output so far is printed", async () => {
  const { child, ended } = start(["--result"]);
  child.stdin.write(chatStream(["So far"], { ends: false }));
  // It handles SIGINT once it has printed output.
  const { child: probe, ended: probed } = start([]);
  probe.stdin.write(chatStream(["So far"], { ends: false }));
  await new Promise((resolve) => probe.stdout.once("data", resolve));
  probe.kill("SIGINT");
  const text = await probed;
  assert.equal(text.signal, "SIGINT");
  assert.match(text.stdout, /^So far\n\n— aborted\n$/);
  assert.equal(text.stderr, "");
  child.stdin.end(chatStream([" and on"]));
  assert.equal((await ended).code, 0);
});

test("stops reading endless input when a limit is exceeded", async () => {
  const { child, ended } = start(["--result", "--input", "stream"]);
  const line = Buffer.alloc(1 << 24, 120);
  let written = 0;
  const pour = () => {
    while (child.stdin.writable && child.exitCode === null && written < 200) {
      written += 1;
      if (!child.stdin.write(line)) return child.stdin.once("drain", pour);
    }
  };
  pour();
  const { code, stdout, stderr } = await ended;
  assert.deepEqual([code, JSON.parse(stdout).error.code], [1, "limit-exceeded"]);
  assert.match(stderr, /limit-exceeded/);
  assert.ok(written < 200, "reading went on");
});

test("doesn't buffer a body that is too large, even if it was compressed", async () => {
  const body = gzipSync(Buffer.concat([Buffer.from('{"data":[{"embedding":[1]}],"x":"'), Buffer.alloc(150 << 20, 120)]));
  const small = JSON.stringify({ data: [{ embedding: [1, 2] }] });
  const path = folderWith({ "large.json.gz": body, "small.json": small });
  const { code, stdout, stderr } = await run(["--api", "openai-embeddings", path("large.json.gz"), path("small.json")]);
  assert.equal(code, 1);
  assert.match(stderr, /large\.json\.gz: limit-exceeded: The body is longer than the limit of 134217728 bytes/);
  assert.match(stdout, /\n\[1,2\]\n$/, "the next one is read");
});

test("--api auto equals the default", async () => {
  const { code, stdout } = await run(["--api", "auto"], JSON.stringify({ data: [{ embedding: [1, 2] }] }));
  assert.deepEqual([code, stdout], [0, "[1,2]\n"]);
});

test("a full disk is reported in one line", { skip: !existsSync("/dev/full") }, async () => {
  const batch = toLines([1, 2].map((id) => ({ custom_id: `${id}`, response: { status_code: 200, body: chatBody("Hi") } })));
  const full = openSync("/dev/full", "w");
  const uses = [
    ["--help"],
    [],
    ["--json"],
    ["--input", "batch"],
    ["--format", "csv", "--input", "batch"],
    ["--to", "openai-chat"],
  ];
  for (const args of uses) {
    const input = args.includes("batch") ? batch : chatStream(["Hi"]);
    const { code, stderr } = await run(args, input, { stdio: ["pipe", full, "pipe"] });
    assert.match(stderr, /^respool: the output can't be written: ENOSPC: [^\n]+\n$/, args.join(" "));
    assert.equal(code, 1);
  }
  closeSync(full);
});
