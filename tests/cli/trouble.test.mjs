// What goes wrong around a command: misuse, junk, pipes that break, interruptions, terminals that obey.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { harmless } from "../../bin/terminal.js";
import { ROOT } from "../../scripts/paths.mjs";
import { chatStream, folderWith, run, start } from "./command.mjs";

test("--help and --version", async () => {
  const help = await run(["--help"]);
  assert.equal(help.code, 0);
  for (const option of ["--json", "--result", "--api", "--format", "--agent", "--help", "--version"]) assert.ok(help.stdout.includes(option), option);
  assert.ok(help.stdout.split("\n").every((line) => line.length <= 82), "it fits a terminal");
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  assert.equal((await run(["-V"])).stdout, `${version}\n`);
});

test("wrong use ends with 2 and says what is wrong", async () => {
  const wrong = [
    [["--jsn"], /--jsn/],
    [["--json", "--result"], /exclude each other/],
    [["--api", "cohere"], /--api must be one of openai-chat/],
    [["--format", "xml"], /--format must be one of auto/],
    [["--agent", "/nowhere.json"], /there is no such file/],
  ];
  for (const [args, message] of wrong) {
    const { code, stdout, stderr } = await run(args);
    assert.equal(code, 2, args.join(" "));
    assert.match(stderr, message);
    assert.match(stderr, /Try 'respool --help'/);
    assert.equal(stdout, "");
  }
});

test("an input that ends too early, or has nothing, or is junk, ends with 1", async () => {
  const cut = await run([], chatStream(["Half"], { ends: false }));
  assert.equal(cut.code, 1);
  assert.match(cut.stdout, /^Half\n/);
  assert.match(cut.stderr, /truncated/);
  const empty = await run([], "");
  assert.equal(empty.code, 1);
  assert.match(empty.stderr, /truncated/);
  const binary = Uint8Array.from({ length: 100_000 }, (_, at) => (at * 7919 + (at >> 3)) & 0xff);
  const junk = await run([], binary);
  assert.equal(junk.code, 1);
  assert.doesNotMatch(junk.stderr, /\n\s+at /, "no stack");
  const folder = await run([folderWith({})(".")]);
  assert.equal(folder.code, 1);
  assert.match(folder.stderr, /this is a folder/);
});

test("a line of many megabytes is read", async () => {
  const text = "ø".repeat(8 << 20);
  const { code, stdout } = await run([], chatStream([text]));
  assert.equal(code, 0);
  assert.equal(stdout.split("\n", 1)[0].length, text.length);
});

test("a pipe that breaks is silent", async () => {
  const { child, ended } = start([]);
  child.stdout.once("data", () => child.stdout.destroy());
  child.stdin.write(chatStream(["A"], { ends: false }));
  const pour = () => {
    while (child.stdin.writable && child.exitCode === null) if (!child.stdin.write(chatStream(["more ".repeat(1000)], { ends: false }))) return child.stdin.once("drain", pour);
  };
  pour();
  const { code, signal, stderr } = await ended;
  assert.equal(stderr, "");
  assert.equal(code, 0);
  assert.equal(signal, null);
});

test("Ctrl-C ends it, and what had come is there", async () => {
  const { child, ended } = start(["--result"]);
  child.stdin.write(chatStream(["So far"], { ends: false }));
  // It is listening once it has read.
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

test("what a model writes does not command a terminal", () => {
  assert.equal(harmless("plain\ttext\nå 😀"), "plain\ttext\nå 😀");
  assert.equal(harmless("\x1b]0;owned\x07\x1b[2J"), "␛]0;owned␇␛[2J");
  assert.equal(harmless("a\rb\r\nc\x7f\x9b31m"), "a␍b\nc␡\\u009b31m");
  assert.equal(harmless("\u202egnp.exe"), "\\u202egnp.exe");
});

test("nor what it writes in an answer, on a terminal; to a program it is told as it is", async () => {
  const written = "\x1b]0;owned\x07a\x1b[2J";
  const terminal = { env: { NODE_OPTIONS: "--import=data:text/javascript,process.stdout.isTTY=true", NO_COLOR: "1" } };
  const { stdout } = await run([], chatStream([written]), terminal);
  assert.ok(!stdout.includes("\x1b") && stdout.includes("␛]0;owned␇a␛[2J"), JSON.stringify(stdout));
  assert.ok((await run([], chatStream([written]))).stdout.includes(written));
  for (const option of ["--json", "--result"]) {
    const { stdout: json } = await run([option], chatStream([written]));
    assert.ok(!json.includes("\x1b") && json.includes("\\u001b]0;owned\\u0007"), json);
  }
});

test("there are colours where they are asked for, and none in a pipe or with NO_COLOR", async () => {
  const coloured = /\x1b\[/;
  assert.doesNotMatch((await run([], chatStream(["A"]))).stdout, coloured);
  assert.match((await run([], chatStream(["A"]), { env: { FORCE_COLOR: "1" } })).stdout, coloured);
  assert.doesNotMatch((await run([], chatStream(["A"]), { env: { FORCE_COLOR: "1", NO_COLOR: "1" } })).stdout, coloured);
  assert.doesNotMatch((await run([], chatStream(["A"]), { env: { CI: "1" } })).stdout, coloured);
});
