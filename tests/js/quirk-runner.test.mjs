// The runner of the quirk corpus, tests/fixtures/quirks/run.mjs, with adapters that pass and adapters that fail.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { promisify } from "node:util";
import { streamDeltas } from "respool";
import respool from "../../bench/quirks/respool.mjs";
import { ROOT } from "../../scripts/paths.mjs";
import { readQuirks } from "../fixtures/quirks/cases.mjs";
import { runQuirks } from "../fixtures/quirks/check.mjs";

const RUN = join(ROOT, "tests", "fixtures", "quirks", "run.mjs");
const folder = mkdtempSync(join(tmpdir(), "respool-quirks-"));
after(() => rmSync(folder, { recursive: true }));

const QUIRKS = readQuirks();
const only = (...numbers) => QUIRKS.filter(({ number }) => numbers.includes(number));
const count = (outcomes, wanted) => outcomes.filter(({ verdict }) => verdict === wanted).length;

function run(...args) {
  const promise = promisify(execFile)(process.execPath, [RUN, ...args]);
  return promise.then(
    ({ stdout }) => ({ code: 0, stdout }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );
}

function adapterFile(name, body) {
  const path = join(folder, `${name}.mjs`);
  writeFileSync(
    path,
    `export default { name: "${name}", reads: { "openai-chat": ["stream"] }, async read({ fetch }, answer) {${body}} };`,
  );
  return path;
}

test("respool passes every case", async () => {
  const outcomes = await runQuirks(respool);
  assert.deepEqual(
    outcomes.filter(({ verdict }) => verdict !== "passed"),
    [],
  );
  assert.equal(outcomes.length, QUIRKS.flatMap(({ cases }) => cases).length);
});

test("an adapter that returns nothing fails, and cases of other interfaces aren't applicable", async () => {
  const { code, stdout } = await run("--adapter", adapterFile("nothing", ""), "--quirk", "15");
  assert.equal(code, 1);
  assert.match(stdout, /✗ 15 Interleaved fragments of parallel calls\n {4}chat\n {8}toolCalls: expected/);
  assert.match(stdout, /\nnothing: 0 passed, 1 failed, 2 not applicable\n$/);
});

test("--json prints an outcome per case", async () => {
  const { code, stdout } = await run("--adapter", adapterFile("json", ""), "--quirk", "15", "--quirk", "34", "--json");
  const { adapter, totals, outcomes } = JSON.parse(stdout);
  assert.equal(code, 1);
  assert.deepEqual(adapter, { name: "json" });
  assert.deepEqual(totals, { passed: 0, failed: 2, notApplicable: 3 });
  assert.deepEqual(
    outcomes.map(({ number, verdict }) => `${number} ${verdict}`),
    ["15 failed", "15 not applicable", "15 not applicable", "34 failed", "34 not applicable"],
  );
});

test("an adapter that passes exits with 0", async () => {
  const path = adapterFile("constant", "answer.text = 'Hi'; answer.ending = 'complete';");
  assert.equal((await run("--adapter", path, "--quirk", "34")).code, 0);
});

test("a wrong command line exits with 2", async () => {
  for (const args of [[], ["--adaptor", "x"], ["--adapter", "x.mjs", "--quirk", "0"]]) {
    const { code, stderr } = await run(...args);
    assert.equal(code, 2);
    assert.match(stderr, /--adapter FILE/);
  }
});

/** Reads with respool, and then damages the answer. */
const damaged = (damage) => ({
  ...respool,
  async read(input, answer) {
    try {
      await respool.read(input, answer);
    } catch (error) {
      answer.error = error;
    }
    damage(answer);
  },
});

const DAMAGES = {
  "text that is missing": [34, (answer) => (answer.text = "")],
  "text that is repeated": [34, (answer) => (answer.text += answer.text)],
  "a call that is missing": [15, (answer) => answer.toolCalls.pop()],
  "a call that is repeated": [15, (answer) => answer.toolCalls.push(answer.toolCalls[0])],
  "a call without an id": [9, (answer) => delete answer.toolCalls[0].id],
  "two calls with one id": [13, (answer) => (answer.toolCalls[1].id = answer.toolCalls[0].id)],
  "other arguments": [15, (answer) => (answer.toolCalls[0].arguments = '{"port":"Kiel"}')],
  "arguments that lost digits": [81, ({ toolCalls: [call] }) => (call.arguments = JSON.parse(call.arguments))],
  "reasoning that is missing": [29, (answer) => (answer.reasoning = "")],
  "a refusal shown as text": [35, (answer) => (answer.refusal = undefined)],
  "usage that is added up": [27, (answer) => (answer.usage.promptTokens *= 2)],
  "a cut-off stream that looks complete": [58, (answer) => (answer.ending = "complete")],
  "an error that nobody reports": [71, (answer) => delete answer.error],
  "an error with another message": [94, (answer) => (answer.error = new TypeError("undefined is not an object"))],
  "a failure without an error": [17, (answer) => (answer.error = new Error("unexpected chunk"))],
  "a signature that is lost": [22, (answer) => delete answer.all],
};

for (const [name, [number, damage]] of Object.entries(DAMAGES)) {
  test(`fails: ${name}`, async () => {
    const outcomes = await runQuirks(damaged(damage), only(number));
    assert.equal(count(outcomes, "passed"), 0, JSON.stringify(outcomes));
  });
}

test("arguments may be parsed, and calls in any order", async () => {
  const shuffled = damaged((answer) => {
    answer.toolCalls.reverse();
    for (const call of answer.toolCalls) call.arguments = JSON.parse(call.arguments);
  });
  assert.equal(count(await runQuirks(shuffled, only(4, 15)), "failed"), 0);
});

test("a library that doesn't report endings passes unless a stream was cut off without an error", async () => {
  const silent = damaged((answer) => delete answer.ending);
  const outcomes = await runQuirks(silent, only(34, 37, 80));
  const failed = outcomes.filter(({ verdict }) => verdict === "failed");
  assert.deepEqual(
    failed.map(({ number, name }) => `${number} ${name}`),
    ["34 in a stream"],
  );
});

test("cases about features that a library lacks aren't applicable", async () => {
  const lacking = { ...respool, lacks: ["usage", "status", "openai-chat reasoning"] };
  const outcomes = await runQuirks(lacking, only(26, 29, 72, 94));
  const verdicts = outcomes.map(({ number, verdict }) => `${number} ${verdict}`);
  assert.deepEqual([...new Set(verdicts)].sort(), [
    "26 not applicable",
    "29 not applicable",
    "72 passed",
    "94 not applicable",
    "94 passed",
  ]);
});

test("content before an error counts", async () => {
  const throwing = {
    name: "throwing",
    reads: { "anthropic-messages": ["stream"] },
    async read({ fetch }, answer) {
      const deltas = streamDeltas(fetch(), { throwOnError: false });
      for await (const delta of deltas) {
        if (delta.type === "text") answer.text += delta.text;
        if (delta.type === "error") throw new Error(delta.error.message);
      }
    },
  };
  const outcomes = await runQuirks(throwing, only(71));
  assert.deepEqual([count(outcomes, "passed"), outcomes.length], [2, 2]);
});
