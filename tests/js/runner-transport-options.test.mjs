// Options of fetchTransport that are rejected, and payloads.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fetchTransport } from "respool";

const PAYLOAD = { stream: true, messages: [{ role: "user", content: "Ferry?" }] };
const url = "https://api.test/v1";
const nothingSent = () => assert.fail("a request");

test("invalid options", () => {
  assert.throws(() => fetchTransport({}), { code: "invalid-option", message: /options\.url must be/ });
  assert.throws(() => fetchTransport({ url: "x", retries: 3 }), {
    code: "invalid-option",
    message: /Unknown option `retries`\. Did you mean `maxRetries`\?/,
  });
  // Retries would never reach a count that isn't a number.
  for (const maxRetries of [Number.NaN, "2", -1])
    assert.throws(() => fetchTransport({ url: "x", maxRetries }), { code: "invalid-option", message: /options\.maxRetries/ });
  for (const maxRetryAfter of [Number.NaN, "60", -1])
    assert.throws(() => fetchTransport({ url: "x", maxRetryAfter }), {
      code: "invalid-option",
      message: /options\.maxRetryAfter/,
    });
  for (const name of ["fetch", "random"])
    assert.throws(() => fetchTransport({ url: "x", [name]: "x" }), {
      code: "invalid-option",
      message: `options.${name} must be a function, not "x"`,
    });
  // Text and lists would be spread into the request.
  for (const [body, quoted] of [
    ['{"model":"m"}', '"{\\"model\\":\\"m\\"}"'],
    [[], "an array"],
    [new FormData(), "an object"],
    [5, "5"],
    [true, "true"],
  ])
    assert.throws(() => fetchTransport({ url: "x", body }), {
      code: "invalid-option",
      message: `options.body must be a plain object, without JSON.stringify, or a function, not ${quoted}`,
    });
  for (const [api, message] of [
    ["anthropic", /^Unknown interface `anthropic`\. Did you mean `anthropic-messages`\? Interfaces: openai-chat, /],
    ["openai-chatt", /^Unknown interface `openai-chatt`\. Did you mean `openai-chat`\?/],
    [5, /^options\.api must be the name of an interface, not 5$/],
  ])
    assert.throws(() => fetchTransport({ url: "x", api }), { code: "invalid-option", message });
});

test("a URL that can't be requested is rejected at once", async (t) => {
  for (const url of [5, "http://", "http://[::1/v1?key=secret", "localhost:11434/api/chat?key=secret", "ftp://models.test/v1"]) {
    assert.throws(
      () => fetchTransport({ url }),
      (error) => error.code === "invalid-option" && !error.message.includes("secret"),
    );
  }
  // In a page, a path is a valid URL, and so it may be for a custom fetch.
  const clock = { setTimeout: () => assert.fail("a retry"), clearTimeout() {} };
  await assert.rejects(fetchTransport({ url: "/v1/chat?key=secret", clock })(PAYLOAD), {
    code: "invalid-option",
    message: 'options.url must be a whole URL, since only a page can complete a path, not "/v1/chat?…"',
  });
  const fetch = async (url) => new Response(url);
  assert.equal(await (await fetchTransport({ url: "unix:/run/model", fetch })(PAYLOAD)).text(), "unix:/run/model");
  assert.equal(await (await fetchTransport({ url: "/v1/chat", fetch })(PAYLOAD)).text(), "/v1/chat");
  t.mock.method(globalThis, "fetch", fetch);
  globalThis.location = { href: "http://page.test/" };
  t.after(() => delete globalThis.location);
  assert.equal(await (await fetchTransport({ url: "/v1/chat" })(PAYLOAD)).text(), "/v1/chat");
});

test("a function that doesn't return the body as an object sends nothing", async () => {
  for (const [body, quoted] of [
    [undefined, "undefined"],
    ['{"model":"m"}', '"{\\"model\\":\\"m\\"}"'],
    [new FormData(), "an object"],
  ]) {
    const transport = fetchTransport({ url, fetch: nothingSent, body: () => body });
    const message = `The result of options.body must be a plain object, without JSON.stringify, not ${quoted}`;
    await assert.rejects(transport(PAYLOAD), { code: "invalid-option", message });
  }
});

test("the error for invalid headers doesn't quote them", async () => {
  const isSilent = (error) => {
    assert.equal(error.code, "invalid-option");
    assert.doesNotMatch(`${error.stack} ${error.cause}`, /hunter2/);
    return true;
  };
  for (const headers of [() => [["x-api-key", "hunter2\u{1f511}"]], async () => ({ "hunter2\n": "1" })])
    await assert.rejects(fetchTransport({ url, headers })(PAYLOAD), isSilent);
  for (const headers of [{ authorization: "Bearer hunter2\n1" }, [["hunter2"]]])
    assert.throws(() => fetchTransport({ url, headers }), isSilent);
});

test("a fetch that returns nothing is misuse, and isn't retried", async () => {
  let count = 0;
  const fetch = async () => void count++;
  const transport = fetchTransport({ url, fetch });
  await assert.rejects(transport({}), { code: "invalid-option", message: /options\.fetch must be a Response, not undefined/ });
  assert.equal(count, 1);
});

test("a payload that isn't one is misuse", async () => {
  const transport = fetchTransport({ url, fetch: nothingSent });
  for (const [payload, quoted] of [
    [undefined, "undefined"],
    [null, "null"],
    ["{}", '"{}"'],
  ]) {
    const message = `The payload must be an object, not ${quoted}`;
    await assert.rejects(transport(payload), { code: "invalid-option", message });
  }
  const cycle = {};
  cycle.self = cycle;
  for (const payload of [cycle, { seed: 1n }])
    await assert.rejects(transport(payload), { code: "invalid-option", message: /^The body can't be written as JSON: / });
});

test("no context is needed", async () => {
  const transport = fetchTransport({ url, fetch: async () => new Response("{}") });
  for (const context of [undefined, null, {}]) assert.equal((await transport(PAYLOAD, context)).status, 200);
});

test("the return values of its functions", async (t) => {
  const fetch = async () => new Response("Busy", { status: 503 });
  for (const random of [() => Number.NaN, async () => 0.5, () => "0.5x"]) {
    const message = /^The result of options\.random must be a number from 0 to 1, not /;
    await assert.rejects(fetchTransport({ url, fetch, random })(PAYLOAD), { code: "invalid-option", message });
  }
  const unhandled = t.mock.fn();
  process.once("unhandledRejection", unhandled);
  t.after(() => process.off("unhandledRejection", unhandled));
  const clock = { setTimeout: (run) => setImmediate(run), clearTimeout: clearImmediate };
  const onWait = async () => Promise.reject(new Error("an observer failed"));
  await assert.rejects(fetchTransport({ url, fetch, clock, maxRetries: 1 })(PAYLOAD, { onWait }), { status: 503 });
  await new Promise(setImmediate);
  assert.equal(unhandled.mock.callCount(), 0);
});
