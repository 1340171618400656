// Batch result files: every answer says in its result what decode makes of it.
import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { BatchReader, ProviderError, RespoolError, decode, process } from "respool";
import { ROOT } from "../../scripts/paths.mjs";

const FIXTURES = join(ROOT, "tests", "fixtures");
const APIS = ["openai-chat", "openai-responses", "anthropic-messages"];
const folders = (api) => readdirSync(join(FIXTURES, api)).map((name) => join(FIXTURES, api, name, "body.json"));
const quirks = readdirSync(join(FIXTURES, "quirks")).flatMap((name) => JSON.parse(readFileSync(join(FIXTURES, "quirks", name), "utf8")).cases);
const BODIES = [
  ...APIS.flatMap(folders).filter((file) => existsSync(file)).map((file) => JSON.parse(readFileSync(file, "utf8"))),
  ...quirks.flatMap(({ input }) => (input.body === undefined ? [] : [input.body])),
];

const text = new TextDecoder();
const resultsOf = ({ results }) => text.decode(results).trimEnd().split("\n").map((line) => JSON.parse(line));
const read = (lines, options) => {
  const reader = new BatchReader(options);
  try {
    return reader.read(lines);
  } finally {
    reader.free();
  }
};

/** What decode, or the error that it throws, says in the words of a result. */
function expectedOf(body) {
  try {
    const { model, refusal, toolCalls = [], finishReason, rawFinishReason, usage } = decode(body);
    const { raw, ...counts } = usage ?? {};
    const calls = toolCalls.map(({ id, name }) => ({ id, name }));
    return { model, refusal, calls, finishReason, rawFinishReason, usage: usage && counts };
  } catch (error) {
    return { code: error.code, message: error.message };
  }
}

function saidBy({ error, toolCalls, model, refusal, finishReason, rawFinishReason, usage }) {
  if (error) return { code: error.code, message: error.message };
  return { model, refusal, calls: toolCalls.map(({ id, name }) => ({ id, name })), finishReason, rawFinishReason, usage };
}

test("every answer says what decode makes of it", () => {
  assert.ok(BODIES.length > 60, `${BODIES.length} bodies`);
  const told = resultsOf(read(BODIES.map((body) => `${JSON.stringify(body)}\n`).join("")));
  assert.equal(told.length, BODIES.length);
  let answers = 0;
  for (const [at, body] of BODIES.entries()) {
    const expected = expectedOf(body);
    // An answer with an error beside it is decoded; here, as with process, it is an error.
    if (told[at].error !== undefined && expected.code === undefined) assert.throws(() => process({}, body), ProviderError);
    else assert.deepEqual(saidBy(told[at]), expected, JSON.stringify(body));
    if (told[at].text) answers += Number(told[at].toolCalls.length > 0 || process({}, body, {}) === told[at].text);
  }
  assert.ok(answers > 20, `${answers} answers`);
});

test("whole responses are those of decode", () => {
  const told = resultsOf(read(BODIES.map((body) => JSON.stringify(body)).join("\n"), { whole: true }));
  const whole = told.flatMap(({ response }, at) => (response === undefined ? [] : [[response, BODIES[at]]]));
  assert.ok(whole.length > 40);
  for (const [response, body] of whole) assert.deepEqual(response, JSON.parse(JSON.stringify(decode(body))));
});

test("bytes and text, line ends of both kinds, blank lines", () => {
  const lines = '{"choices":[{"message":{"content":"ø"}}]}\r\n\n  \n{"choices":[{"message":{"content":"b"}}]}';
  for (const input of [lines, new TextEncoder().encode(lines), new TextEncoder().encode(lines).buffer]) {
    const batch = read(input);
    assert.deepEqual(resultsOf(batch).map(({ text }) => text), ["ø", "b"]);
    assert.equal(batch.lines, 4);
    assert.equal(batch.blank, 2);
    assert.deepEqual(batch.faults, []);
  }
  assert.equal(read("").lines, 0);
});

test("misuse is an error", () => {
  assert.throws(() => new BatchReader({ hole: true }), (error) => error.code === "invalid-option");
  assert.throws(() => new BatchReader({ api: "cohere" }), (error) => error.code === "invalid-option");
  assert.throws(() => new BatchReader({ whole: 1 }), (error) => error.code === "invalid-option");
  const reader = new BatchReader();
  assert.throws(() => reader.read(5), (error) => RespoolError.isInstance(error) && error.code === "invalid-chunk");
  reader.free();
  reader.free();
  assert.throws(() => reader.read("{}"), (error) => error.code === "stream-finished");
});
