// Standard input that stays open after the end of the answer.
import assert from "node:assert/strict";
import { test } from "node:test";
import { chatStream, fromLines, start } from "./command.mjs";

const ANSWER = `${chatStream(["High water ", "at 9:35."])}data: [DONE]\n\n`;

/** Runs the command with this input, which doesn't end but for the `beat` that is written again and again. */
async function runLeftOpen(args, input, beat) {
  const { child, ended } = start(args);
  child.stdin.write(input);
  const timer = beat && setInterval(() => child.stdin.write(beat), 100);
  const result = await ended;
  clearInterval(timer);
  return result;
}

for (const beat of [undefined, ": ping\n\n"]) {
  test(`the command ends ${beat ? "despite heartbeats" : "without more input"}`, { timeout: 60_000 }, async () => {
    const [text, rows, translated] = await Promise.all([
      runLeftOpen([], ANSWER, beat),
      runLeftOpen(["--json"], ANSWER, beat),
      runLeftOpen(["--to", "anthropic-messages"], ANSWER, beat),
    ]);
    assert.deepEqual([text.code, text.stderr], [0, ""]);
    assert.match(text.stdout, /^High water at 9:35\.\n/);
    assert.equal(fromLines(rows.stdout).at(-1).type, "finish");
    assert.match(translated.stdout, /event: message_stop\n/);
    assert.deepEqual([rows.code, translated.code], [0, 0]);
  });
}

test("usage that follows the end at once is printed", { timeout: 60_000 }, async () => {
  const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
  const { stdout } = await runLeftOpen([], `${ANSWER}data: ${JSON.stringify({ choices: [], usage })}\n\n`);
  assert.match(stdout, /tokens: 3 in, 2 out/);
});
