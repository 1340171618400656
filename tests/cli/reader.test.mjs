// Batch result files: every result equals that of decode.
import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ProviderError, decode, process } from "respool";
import { BatchReader } from "../../pkg/cli/reader.js";
import { ROOT } from "../../scripts/paths.mjs";
import { numbersFrom } from "../js/random.mjs";

const FIXTURES = join(ROOT, "tests", "fixtures");
const APIS = ["openai-chat", "openai-responses", "anthropic-messages", "gemini"];
const folders = (api) => readdirSync(join(FIXTURES, api)).map((name) => join(FIXTURES, api, name, "body.json"));
const quirks = readdirSync(join(FIXTURES, "quirks"))
  .filter((name) => name.endsWith(".json"))
  .flatMap((name) => JSON.parse(readFileSync(join(FIXTURES, "quirks", name), "utf8")).cases);
const BODIES = [
  ...APIS.flatMap(folders)
    .filter((file) => existsSync(file))
    .map((file) => JSON.parse(readFileSync(file, "utf8"))),
  ...quirks.flatMap(({ input }) => (input.body === undefined ? [] : [input.body])),
];

const text = new TextDecoder();
const resultsOf = ({ results }) =>
  text
    .decode(results)
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
const read = (lines, options) => {
  const reader = new BatchReader(options);
  try {
    return reader.read(Buffer.from(lines));
  } finally {
    reader.free();
  }
};

/** Returns the result of decode, or the error that it throws, in the form of a batch result. */
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

function comparable({ error, toolCalls, model, refusal, finishReason, rawFinishReason, usage }) {
  if (error) return { code: error.code, message: error.message };
  return { model, refusal, calls: toolCalls.map(({ id, name }) => ({ id, name })), finishReason, rawFinishReason, usage };
}

test("every answer equals the result of decode", () => {
  assert.ok(BODIES.length > 60, `${BODIES.length} bodies`);
  const batchResults = resultsOf(read(BODIES.map((body) => `${JSON.stringify(body)}\n`).join("")));
  assert.equal(batchResults.length, BODIES.length);
  let answers = 0;
  for (const [at, body] of BODIES.entries()) {
    const expected = expectedOf(body);
    // decode accepts an answer beside an error; here, as in process, it is an error.
    if (batchResults[at].error !== undefined && expected.code === undefined)
      assert.throws(() => process({}, body), ProviderError);
    else assert.deepEqual(comparable(batchResults[at]), expected, JSON.stringify(body));
    if (batchResults[at].text)
      answers += Number(batchResults[at].toolCalls.length > 0 || process({}, body, {}) === batchResults[at].text);
  }
  assert.ok(answers > 20, `${answers} answers`);
});

test("whole responses equal those of decode", () => {
  const batchResults = resultsOf(read(BODIES.map((body) => JSON.stringify(body)).join("\n"), { whole: true }));
  const whole = batchResults.flatMap(({ response }, at) => (response === undefined ? [] : [[response, BODIES[at]]]));
  assert.ok(whole.length > 40);
  for (const [response, body] of whole) assert.deepEqual(response, JSON.parse(JSON.stringify(decode(body))));
});

test("line ends of both kinds, blank lines", () => {
  const lines = '{"choices":[{"message":{"content":"ø"}}]}\r\n\n  \n{"choices":[{"message":{"content":"b"}}]}';
  const batch = read(lines);
  assert.deepEqual(
    resultsOf(batch).map(({ text }) => text),
    ["ø", "b"],
  );
  assert.equal(batch.lines, 4);
  assert.equal(batch.blank, 2);
  assert.deepEqual(batch.faults, []);
  assert.equal(read("").lines, 0);
});

/** Returns all strings and numbers in a value, as `[holder, key]`. */
function leaves(value) {
  if (typeof value !== "object" || value === null) return [];
  return Object.keys(value).flatMap((key) => (typeof value[key] === "object" ? leaves(value[key]) : [[value, key]]));
}

test("similar lines lead to the same results as on their own", () => {
  const random = numbersFrom(20251121);
  const pick = (list) => list[random(list.length)];
  const strings = ["", "a", "stop", "message", "é😀", "\ud83d", 'q"\\\n\u0001/', "response", "text ".repeat(30), "{}", "null"];
  const numbers = [0, 1, 7, 429, 1.5, -1, 999999999999999, 1e21];
  const other = (value) => (typeof value === "string" ? pick(strings) : typeof value === "number" ? pick(numbers) : value);
  const vary = (body) => {
    const line = structuredClone({ custom_id: "request-1", response: { status_code: 200, request_id: "req-2", body } });
    const all = leaves(line);
    for (let times = random(4); times > 0; times--) {
      const [holder, key] = pick(all);
      const [from, name] = pick(all);
      holder[key] = random(5) === 0 ? from[name] : other(holder[key]);
    }
    const json = JSON.stringify(line);
    return random(5) === 0 ? json.replace(/[^\0-\x7f]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`) : json;
  };
  let count = 0;
  for (const body of BODIES) {
    const lines = Array.from({ length: 24 }, () => vary(body));
    const together = text
      .decode(read(lines.join("\n")).results)
      .trimEnd()
      .split("\n");
    const apart = lines.map((line) => text.decode(read(line).results).trimEnd());
    assert.deepEqual(together, apart);
    count += lines.length;
  }
  assert.ok(count > 1000);
});
