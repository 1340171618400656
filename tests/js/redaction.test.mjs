// Secrets that tracing backends never see.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { process, tracer } from "respool";
import { chatBody } from "./answers.mjs";
import { recordSpans, spanValue } from "./spans.mjs";

/** Returns the value that a tracing backend receives for `value`. */
function emitted(t, value) {
  const spans = recordSpans(t);
  process({ note: value }, chatBody("a"));
  tracer.clear();
  return spanValue(spans[0], "inputs").agent.note;
}

const R = "[redacted]";

describe("keys", () => {
  const SECRETS = [
    "secret",
    "client_secret",
    "clientSecret",
    "PASSWORD",
    "userPassword",
    "api_key",
    "apiKey",
    "apikey",
    "x-api-key",
    "OPENAI_API_KEY",
    "auth",
    "Authorization",
    "authToken",
    "credential",
    "awsCredentials",
    "cookie",
    "Set-Cookie",
    "token",
    "access_token",
    "refreshToken",
    "tokenizer_secret",
    "secretTokens",
    "auth_tokens",
    "token_value",
  ];
  for (const key of SECRETS)
    test(key, (t) => assert.deepEqual(emitted(t, { [key]: "hunter2", other: 1 }), { [key]: R, other: 1 }));

  const COUNTS = [
    "prompt_tokens",
    "completion_tokens",
    "total_tokens",
    "max_tokens",
    "maxTokens",
    "max_completion_tokens",
    "promptTokens",
    "cacheReadTokens",
    "tokens",
    "token_count",
    "tokenCount",
    "budget_tokens",
    "tokenBudget",
  ];
  for (const key of COUNTS) {
    test(`${key} is a count`, (t) => assert.deepEqual(emitted(t, { [key]: 15 }), { [key]: 15 }));
    test(`${key} that isn't a number is redacted`, (t) => assert.deepEqual(emitted(t, { [key]: "hunter2" }), { [key]: R }));
  }

  test("the whole value under a key is redacted", (t) => {
    assert.deepEqual(emitted(t, { credentials: { user: "a", list: [1] }, cookies: ["a"], secret: 5, auth: null }), {
      credentials: R,
      cookies: R,
      secret: R,
      auth: R,
    });
  });

  test("details of counts", (t) => {
    const details = {
      prompt_tokens_details: { cached_tokens: 3, audio: 0, none: null },
      access_tokens: ["hunter2"],
      output_tokens: { password: 5 },
    };
    assert.deepEqual(emitted(t, details), {
      prompt_tokens_details: { cached_tokens: 3, audio: 0, none: null },
      access_tokens: [R],
      output_tokens: { password: R },
    });
  });

  test("inside lists, maps, sets and errors", (t) => {
    const error = Object.assign(new Error("no", { cause: { token: "hunter2" } }), { api_key: "hunter2" });
    const value = emitted(t, {
      list: [{ token: "hunter2" }],
      map: new Map([
        ["token", "hunter2"],
        ["a", 1],
      ]),
      set: new Set([{ secret: "hunter2" }]),
      error,
    });
    assert.deepEqual(value.list, [{ token: R }]);
    assert.deepEqual(value.map, { token: R, a: 1 });
    assert.deepEqual(value.set, [{ secret: R }]);
    assert.deepEqual(
      [value.error.name, value.error.message, value.error.api_key, value.error.cause],
      ["Error", "no", R, { token: R }],
    );
  });
});

describe("text", () => {
  const CASES = [
    ["JSON", '{"user":"a","password":"hunter2"}', `{"user":"a","password":"${R}"}`],
    ["JSON inside of JSON", '{"arguments":"{\\"token\\":\\"hunter2\\"}"}', `{"arguments":"{\\"token\\":\\"${R}\\"}"}`],
    ["JSON text in JSON text", '"{\\"token\\":\\"hunter2\\",\\"n\\":1}"', `"{\\"token\\":\\"${R}\\",\\"n\\":1}"`],
    ["an escaped name", '{"pass\\u0077ord":"hunter2"}', `{"password":"${R}"}`],
    ["an escaped name in JSON inside of JSON", '{"a":"{\\"\\\\u0074oken\\":\\"hunter2\\"}"}', `{"a":"{\\"token\\":\\"${R}\\"}"}`],
    ["the beginning of JSON with an escaped name", '{"to\\u006ben":"hunt', `{"token":"${R}"`],
    ["JSON with other escapes stays as it is", '{ "a" : "\\u0061\\u00e9" }', '{ "a" : "\\u0061\\u00e9" }'],
    ["JSON with counts", '{"max_tokens": 5, "token": "a"}', `{"max_tokens":5,"token":"${R}"}`],
    ["JSON without secrets stays as it is", '{ "a" : 1 }', '{ "a" : 1 }'],
    ["the beginning of JSON", '{"user":"a","password":"hunt', `{"user":"a","password":"${R}"`],
    ["a truncated object", '{"user":"a","credentials":{"id":"hun', `{"user":"a","credentials":"${R}"`],
    ["Python", "{'user': 'a', 'api_key': 'hunter2'}", `{'user': 'a', 'api_key': "${R}"}`],
    ["a number", "{'token': 1234, 'max_tokens': 9,", `{'token': "${R}", 'max_tokens': 9,`],
    ["JSON in prose", 'Call it with {"secret": "hunter\\"2"} now.', `Call it with {"secret": "${R}"} now.`],
    ["prose", "The password is in the drawer.", "The password is in the drawer."],
  ];
  for (const [name, text, expected] of CASES) test(name, (t) => assert.equal(emitted(t, text), expected));

  test("the arguments of calls", (t) => {
    const spans = recordSpans(t);
    const call = { id: "a", function: { name: "log_in", arguments: '{"user":"me","password":"hunter2"}' } };
    const body = { choices: [{ message: { tool_calls: [call] }, finish_reason: "tool_calls" }] };
    assert.match(process({}, body)[0].arguments, /hunter2/);
    assert.equal(spanValue(spans[0], "result")[0].arguments, `{"user":"me","password":"${R}"}`);
    process({}, JSON.stringify(body));
    assert.doesNotMatch(JSON.stringify(spans.map((span) => span.emitted)), /hunter2/);
  });
});

describe("values", () => {
  test("the caller's values are neither changed nor exposed", (t) => {
    const value = { token: "hunter2", inner: { list: [1, { cookie: "a" }] } };
    const before = structuredClone(value);
    const copy = emitted(t, value);
    assert.deepEqual(value, before);
    copy.inner.list.push(2);
    assert.deepEqual(value, before);
  });

  test("cycles", (t) => {
    const value = { name: "a", list: [] };
    value.self = value;
    value.list.push(value.list, { value });
    assert.deepEqual(emitted(t, value), { name: "a", list: ["[circular]", { value: "[circular]" }], self: "[circular]" });
  });

  test("a value in two places isn't a cycle", (t) => {
    const shared = { a: 1 };
    const set = new Set([1]);
    assert.deepEqual(emitted(t, [shared, shared, set, set]), [{ a: 1 }, { a: 1 }, [1], [1]]);
  });

  test("getters that throw", (t) => {
    const fail = () => {
      throw new Error("no");
    };
    const hostile = new Proxy({}, { ownKeys: fail, get: fail, getPrototypeOf: fail });
    const value = { a: 1, hostile };
    Object.defineProperty(value, "b", { enumerable: true, get: fail });
    assert.deepEqual(emitted(t, value), { a: 1, hostile: "[unreadable]", b: "[unreadable]" });
  });

  test("a getter under a redacted key isn't called", (t) => {
    let calls = 0;
    const value = {
      get token() {
        calls += 1;
        return "hunter2";
      },
    };
    assert.deepEqual([emitted(t, value), calls], [{ token: R }, 0]);
  });

  test("any depth", (t) => {
    const root = {};
    let last = root;
    for (let depth = 0; depth < 100_000; depth++) last = last.a = {};
    last.token = "hunter2";
    let copy = emitted(t, root);
    while (copy.a !== undefined) copy = copy.a;
    assert.deepEqual(copy, { token: R });
  });

  test("a member named __proto__ stays a member", (t) => {
    const value = JSON.parse('{"__proto__": {"polluted": true}, "a": 1}');
    const copy = emitted(t, value);
    assert.equal(copy.polluted, undefined);
    assert.deepEqual(Object.keys(copy), ["__proto__", "a"]);
    assert.equal({}.polluted, undefined);
  });

  test("bytes, dates and the rest", (t) => {
    const date = new Date(0);
    const copy = emitted(t, { bytes: new Uint8Array(3), buffer: new ArrayBuffer(4), date, big: 5n, none: null, flag: true });
    assert.deepEqual(copy, {
      bytes: "[Uint8Array of 3 bytes]",
      buffer: "[ArrayBuffer of 4 bytes]",
      date,
      big: 5n,
      none: null,
      flag: true,
    });
    assert.notEqual(copy.date, date);
  });

  test("a line end after a backslash doesn't end the redaction", (t) => {
    assert.equal(emitted(t, 'So: {"password": "hunter\\\n2"}, done'), `So: {"password": "${R}"}, done`);
  });

  test("long text takes linear time", (t) => {
    // In quadratic time, this would never end.
    for (const unit of ['"password', '"a":"token\\"', "'auth' ", '{"x', "token", "\\"])
      assert.ok(emitted(t, unit.repeat(100_000)).length > 0);
  });
});
