// Output on a terminal, which obeys control characters: they are escaped, and only terminals get colours.
import assert from "node:assert/strict";
import { test } from "node:test";
import { harmless, harmlessJson } from "../../bin/terminal.js";
import { chatBody, chatStream, run, toLines } from "./command.mjs";

/** Makes standard output claim to be a terminal. */
const TERMINAL = { env: { NODE_OPTIONS: "--import=data:text/javascript,process.stdout.isTTY=true", NO_COLOR: "1" } };

test("escapes control characters on a terminal", () => {
  assert.equal(harmless("plain\ttext\nå 😀"), "plain\ttext\nå 😀");
  assert.equal(harmless("\x1b]0;owned\x07\x1b[2J"), "␛]0;owned␇␛[2J");
  assert.equal(harmless("a\rb\r\nc\x7f\x9b31m"), "a␍b\nc␡\\u009b31m");
  assert.equal(harmless("\u202egnp.exe"), "\\u202egnp.exe");
});

test("escapes control characters in an answer on a terminal, and not for programs", async () => {
  const written = "\x1b]0;owned\x07a\x1b[2J";
  const { stdout } = await run([], chatStream([written]), TERMINAL);
  assert.ok(!stdout.includes("\x1b") && stdout.includes("␛]0;owned␇a␛[2J"), JSON.stringify(stdout));
  assert.ok((await run([], chatStream([written]))).stdout.includes(written));
  for (const option of ["--json", "--result"]) {
    const { stdout: json } = await run([option], chatStream([written]));
    assert.ok(!json.includes("\x1b") && json.includes("\\u001b]0;owned\\u0007"), json);
  }
});

test("escapes control characters in JSON on a terminal", async () => {
  const written = "\x9b2J\x7f\u202e";
  const lines = toLines([{ custom_id: written, response: { body: chatBody(written) } }]);
  const image = JSON.stringify({ data: [{ url: `https://a.test/${written}\x1b[2J` }] });
  assert.deepEqual(JSON.parse(harmlessJson(JSON.stringify({ [written]: written }))), { [written]: written });
  for (const [args, input] of [
    [["--json"], chatStream([written])],
    [["--result"], chatStream([written])],
    [[], lines],
    [["--result"], lines],
    [[], image],
    [["--json"], image],
  ]) {
    const { stdout } = await run(args, input, TERMINAL);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: looks for control characters
    assert.doesNotMatch(stdout, /[\0-\x08\x0b-\x1f\x7f-\x9f\u202e]/, `${args} ${JSON.stringify(stdout)}`);
    assert.ok(stdout.includes("\\u009b2J"), stdout);
    assert.ok((await run(args, input)).stdout.includes("\x9b2J"), "a pipe gets it unescaped");
  }
});

test("colours the ending on a terminal, with foreign text escaped in one line", async () => {
  const call = { id: "c\n1", function: { name: "pay\x1b[2J\n→ tide {}", arguments: '{"a":1' } };
  const input = `data: ${JSON.stringify({ model: "m\x1b[2J\n— complete", choices: [{ delta: { content: "A", tool_calls: [call] } }] })}\n\n`;
  const { stdout } = await run([], input, { env: { ...TERMINAL.env, NO_COLOR: "", FORCE_COLOR: "1" } });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: removes the colours
  const lines = stdout.replace(/\x1b\[\d+m/g, "").split("\n");
  assert.deepEqual(lines, ["A", "", '→ pay␛[2J␊→ tide {} {"a":1 truncated c␊1', "— truncated · m␛[2J␊— complete", ""]);
});

test("uses colours if requested, and none in a pipe or with NO_COLOR", async () => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: looks for colours
  const coloured = /\x1b\[/;
  assert.doesNotMatch((await run([], chatStream(["A"]))).stdout, coloured);
  assert.match((await run([], chatStream(["A"]), { env: { FORCE_COLOR: "1" } })).stdout, coloured);
  assert.doesNotMatch((await run([], chatStream(["A"]), { env: { FORCE_COLOR: "1", NO_COLOR: "1" } })).stdout, coloured);
  assert.doesNotMatch((await run([], chatStream(["A"]), { env: { CI: "1" } })).stdout, coloured);
  assert.doesNotMatch((await run([], chatStream(["A"]), { env: { FORCE_COLOR: "0" } })).stdout, coloured);
});
