// fetchTransport: the request that it sends, when it retries, and its errors.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, describe, mock, test } from "node:test";
import { fetchTransport, ProviderError, registerCodec, runRequest, streamDeltas } from "respool";
import { StreamEncoder } from "respool/encode";
import { startModelServer } from "../server/index.mjs";
import { FakeClock } from "./fake-clock.mjs";

const server = await startModelServer();
after(() => server.close());

const PAYLOAD = { stream: true, messages: [{ role: "user", content: "Ferry?" }] };
const END = { text: "At 9:35." };

/** Returns a transport to a conversation with this script, with its own clock. */
function to(turns, options) {
  const conversation = server.script(turns);
  const clock = new FakeClock();
  const transport = fetchTransport({ url: conversation.urlOf("openai-chat"), clock, random: () => 0, ...options });
  return { conversation, clock, ask: (context) => clock.runUntil(transport(PAYLOAD, context)) };
}

async function textOf(source) {
  let text = "";
  for await (const delta of streamDeltas(source)) if (delta.type === "text") text += delta.text;
  return text;
}

describe("the request", () => {
  test("has the payload as JSON, with the user's fields and headers", async () => {
    const { conversation, ask } = to([END], { body: { model: "m" }, headers: { authorization: "Bearer key" } });
    assert.equal(await textOf(await ask()), "At 9:35.");
    const [{ body, headers }] = conversation.received;
    assert.deepEqual(body, { model: "m", ...PAYLOAD });
    assert.deepEqual(
      [headers.authorization, headers["content-type"], headers.accept],
      ["Bearer key", "application/json", "text/event-stream"],
    );
  });

  test("has the members of both objects, and the tools of both lists", async () => {
    const bodyOf = async (api, body, payload) => {
      let sent;
      const fetch = async (_, init) => {
        sent = JSON.parse(init.body);
        return new Response("{}");
      };
      await fetchTransport({ url: "http://model.test/", api, body, fetch })(payload);
      return sent;
    };
    const named = (name, description) => ({ name, description, input_schema: { type: "object" } });
    const [search, tide] = [{ type: "web_search_20250305", name: "web_search" }, named("tide", "sent")];
    assert.deepEqual(await bodyOf("anthropic-messages", { tools: [search, named("tide", "own")] }, { tools: [tide] }), {
      tools: [tide, search],
    });
    const functionDeclarations = [{ name: "tide" }];
    const own = { tools: [{ googleSearch: {} }], generationConfig: { temperature: 0, topK: 2 } };
    assert.deepEqual(await bodyOf("gemini", own, { tools: [{ functionDeclarations }], generationConfig: { topK: 1 } }), {
      tools: [{ functionDeclarations }, { googleSearch: {} }],
      generationConfig: { temperature: 0, topK: 1 },
    });
    const tools = [{ toolSpec: { name: "tide" } }];
    assert.deepEqual(await bodyOf("bedrock-converse", { toolConfig: { toolChoice: { any: {} } } }, { toolConfig: { tools } }), {
      toolConfig: { toolChoice: { any: {} }, tools },
    });
  });

  test("headers and body can be functions, called for each request", async () => {
    let attempts = 0;
    const { conversation, ask } = to([{ status: 500 }, END], {
      body: async ({ messages }) => ({ messages, model: "made" }),
      headers: async () => new Headers({ "x-attempt": String(++attempts) }),
    });
    await ask();
    assert.deepEqual(
      conversation.received.map(({ body, headers }) => [body.model, headers["x-attempt"]]),
      [
        ["made", "1"],
        ["made", "2"],
      ],
    );
  });

  test("has the version header of Anthropic", async () => {
    const conversation = server.script([END, END]);
    const url = conversation.urlOf("anthropic-messages");
    const body = { max_tokens: 9 };
    await fetchTransport({ url, api: "anthropic-messages", body })(PAYLOAD);
    await fetchTransport({ url, api: "anthropic-messages", body, headers: [["anthropic-version", "2030-01-01"]] })(PAYLOAD);
    assert.deepEqual(
      conversation.received.map(({ headers }) => headers["anthropic-version"]),
      ["2023-06-01", "2030-01-01"],
    );
  });

  test("isn't sent anywhere else: redirects aren't followed", async () => {
    const received = [];
    const elsewhere = createServer((request, response) => {
      received.push(request.url);
      response.end("{}");
    });
    await new Promise((resolve) => elsewhere.listen(0, resolve));
    const location = `http://127.0.0.1:${elsewhere.address().port}/internal`;
    for (const status of [301, 302, 307, 308]) {
      const { conversation, ask } = to([{ status, headers: { location }, body: "" }, END], { headers: { "x-api-key": "key" } });
      await assert.rejects(ask(), (error) => {
        assert.deepEqual([error.code, error.status, error.message.includes(location)], ["http-error", status, true]);
        return ProviderError.isInstance(error);
      });
      assert.equal(conversation.received.length, 1);
    }
    elsewhere.close();
    assert.deepEqual(received, []);
    // Browsers don't even reveal the target.
    const opaque = { ok: false, status: 0, type: "opaqueredirect", headers: new Headers(), body: null };
    await assert.rejects(to([], { fetch: async () => opaque }).ask(), /a redirect to another address, which is not followed/);
    await assert.rejects(to([], { fetch: async () => Response.error() }).ask(), /the network failed/);
  });

  test("follows redirects with a custom fetch", async () => {
    const inits = [];
    const fetch = async (_, init) => {
      inits.push({ ...init, redirect: "follow" });
      return Response.json({});
    };
    await to([], { fetch }).ask();
    assert.equal(inits[0].method, "POST");
  });

  test("the transport has its interface as a property", () => {
    assert.equal(fetchTransport({ url: "x" }).api, "openai-chat");
    assert.equal(fetchTransport({ url: "x", api: "openai-responses" }).api, "openai-responses");
    const unregister = registerCodec({ name: "heron", detect: () => false, decode: () => [] });
    assert.equal(fetchTransport({ url: "x", api: "heron" }).api, "heron");
    unregister();
  });
});

describe("retries", () => {
  test("after 429, 408 and 5xx, twice as long each time", async () => {
    const { conversation, clock, ask } = to([{ status: 429 }, { status: 408 }, { status: 503 }, END], { maxRetries: 3 });
    assert.equal(await textOf(await ask()), "At 9:35.");
    assert.deepEqual([clock.waited, conversation.received.length], [[500, 1000, 2000], 4]);
  });

  test("with random delays, down to half", async () => {
    const { clock, ask } = to([{ status: 500 }, END], { random: () => 0.999 });
    await ask();
    assert.ok(clock.waited[0] > 250 && clock.waited[0] < 251);
  });

  const AFTER = {
    "in seconds": [{ "retry-after": "7" }, 7000],
    "in a fraction of a second": [{ "retry-after": "0.5" }, 500],
    "at a date": [{ "retry-after": new Date(new FakeClock().now() + 9000).toUTCString() }, 9000],
    "at a past date": [{ "retry-after": "Wed, 21 Oct 2015 07:28:00 GMT" }, 0],
    "in milliseconds": [{ "retry-after-ms": "1500", "retry-after": "2" }, 1500],
    "in seconds, with an empty retry-after-ms": [{ "retry-after-ms": "", "retry-after": "2" }, 2000],
    "in an invalid form": [{ "retry-after": "soon" }, 500],
  };
  for (const [name, [headers, waited]] of Object.entries(AFTER)) {
    test(`when the server says so, ${name}`, async () => {
      const { clock, ask } = to([{ status: 429, headers }, END]);
      await ask();
      assert.deepEqual(clock.waited, [waited]);
    });
  }

  test("as the server advises, whatever the status is", async () => {
    const advised = (status, advice) => ({ status, headers: { "x-should-retry": advice } });
    const { conversation, ask } = to([advised(400, "true"), END]);
    await ask();
    assert.equal(conversation.received.length, 2);
    const refused = to([advised(429, "false"), END]);
    await assert.rejects(refused.ask(), { code: "http-error", status: 429 });
    assert.equal(refused.conversation.received.length, 1);
    // Nor does the request ask again.
    const again = to([advised(503, "false"), END]);
    const result = await runRequest({ transport: again.ask, messages: [], maxRetries: 2 }).result();
    assert.deepEqual([result.state, again.conversation.received.length], ["failed", 1]);
  });

  test("and announces the delay", async () => {
    const waits = [];
    await to([{ status: 500 }, END]).ask({ onWait: (ms) => waits.push(ms) });
    assert.deepEqual(waits, [500]);
  });

  test("after a failed connection", async () => {
    let attempts = 0;
    const broken = () => (++attempts === 1 ? Promise.reject(new TypeError("fetch failed")) : Promise.resolve(new Response("{}")));
    const { ask } = to([], { fetch: broken });
    assert.equal((await ask()).status, 200);
  });
});

describe("gives up", () => {
  const failing = async (turns, options) => {
    const { conversation, ask } = to(turns, options);
    const error = await ask().catch((thrown) => thrown);
    assert.ok(ProviderError.isInstance(error), String(error));
    return { error, asked: conversation.received.length };
  };

  test("after two retries", async () => {
    const { error, asked } = await failing([
      { status: 500 },
      { status: 500 },
      { status: 529, error: { message: "Overloaded", type: "overloaded_error" } },
    ]);
    assert.deepEqual(
      [error.code, error.status, error.message, error.providerType, asked],
      ["http-error", 529, "HTTP status 529: Overloaded", "overloaded_error", 3],
    );
  });

  test("at once if the prompt is too long, whatever the status", async () => {
    for (const message of ["the request exceeds the available context size", "Prompt is too long"]) {
      const { error, asked } = await failing([{ status: 503, error: { message } }]);
      assert.deepEqual([error.status, asked], [503, 1]);
    }
  });

  // src/encode/failure.rs and js/runner/fetch_transport.js each have a copy of the list.
  test("at once for exactly the messages that encoders report as too long a prompt", async () => {
    const TOO_LONG = [
      "Prompt is too long: 9 tokens",
      "code context_length_exceeded",
      "over the context length",
      "over the context limit",
      "over the context size",
      "over the context window",
      "It exceeds the maximum number of tokens",
      "The input is too long",
      "input length should be below 9",
      "over the maximum model length",
      "over the maximum prompt length",
      "`max_new_tokens` must be <= 9",
      "over the model token limit",
      "The prompt exceeds it",
      "prompt token count of 9",
      "too many tokens: 9",
      "`inputs` must have less than 9",
    ];
    const OTHERS = [
      "Overloaded",
      "too many tokens per minute",
      "the context is gone",
      "max_tokens must be <= 9",
      "prompt refused",
    ];
    for (const message of [...TOO_LONG, ...OTHERS]) {
      const { error, asked } = await failing([
        { status: 503, error: { message } },
        { status: 400, error: { message } },
      ]);
      const encoder = new StreamEncoder("openai-chat");
      const written = new TextDecoder().decode(encoder.fail(error));
      encoder.free();
      const isTooLong = TOO_LONG.includes(message);
      assert.deepEqual([asked === 1, written.includes("context_length_exceeded")], [isTooLong, isTooLong], message);
    }
  });

  test("at once if the request is invalid", async () => {
    const { error, asked } = await failing([{ status: 401, error: { message: "Wrong key", type: "auth" } }]);
    assert.deepEqual([error.status, error.message, error.retryAfter, asked], [401, "HTTP status 401: Wrong key", undefined, 1]);
  });

  test("if the server asks for a long delay", async () => {
    const { error, asked } = await failing([{ status: 429, headers: { "retry-after": "3600" }, error: { message: "Quota" } }]);
    assert.deepEqual([error.status, error.retryAfter, asked], [429, 3600, 1]);
  });

  test("quotes the start of an error page", async () => {
    const { error } = await failing([{ status: 404, body: `<html>${"x".repeat(5000)}</html>` }]);
    assert.match(error.message, /HTTP status 404 without a readable error message: <html>xxx/);
    assert.ok(error.message.length < 400);
    const { error: silent } = await failing([{ status: 404, body: "" }]);
    assert.match(silent.message, /without a readable error message: an empty body/);
  });

  test("reads an error page that is an event stream", async () => {
    const body =
      'id:1\nevent:error\n:HTTP_STATUS/400\ndata:{"code":"InvalidParameter","message":"Too long","request_id":"r-1"}\n\n';
    const { error } = await failing([{ status: 400, body }]);
    assert.deepEqual(
      [error.message, error.providerCode, error.requestId],
      ["HTTP status 400: Too long", "InvalidParameter", "r-1"],
    );
  });

  test("stops reading an endless error page", async () => {
    let reads = 0;
    let isClosed = false;
    const page = new ReadableStream(
      {
        pull: (controller) =>
          reads++ < 1000 ? controller.enqueue(new Uint8Array(2 ** 16).fill(65)) : controller.error(new Error("reading went on")),
        cancel() {
          isClosed = true;
        },
      },
      { highWaterMark: 0 },
    );
    await assert.rejects(
      to([], { fetch: async () => new Response(page, { status: 400 }) }).ask(),
      /HTTP status 400 without a readable error message: AAA/,
    );
    assert.ok(isClosed && reads <= 18, `${reads} reads`);
  });

  test("stops waiting for an error page that doesn't end", async () => {
    mock.timers.enable({ apis: ["setTimeout"] });
    try {
      const page = new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode("<h1>Busy</h1>")) });
      const asked = fetchTransport({ url: "http://x.test/", fetch: async () => new Response(page, { status: 404 }) })(PAYLOAD);
      const failure = assert.rejects(asked, /HTTP status 404 without a readable error message: <h1>Busy/);
      await new Promise(setImmediate);
      mock.timers.tick(5000);
      await failure;
    } finally {
      mock.timers.reset();
    }
  });

  test("reports the status if the error page breaks off", async () => {
    const page = () => new ReadableStream({ pull: (controller) => controller.error(new TypeError("terminated")) });
    await assert.rejects(to([], { fetch: async () => new Response(page(), { status: 403 }) }).ask(), {
      code: "http-error",
      status: 403,
    });
  });

  test("with the error of fetch if there is no response", async () => {
    const thrown = new TypeError("fetch failed");
    await assert.rejects(to([], { fetch: () => Promise.reject(thrown), maxRetries: 1 }).ask(), (error) => error === thrown);
  });
});

/** Returns a promise, and the function that resolves it. */
function deferred() {
  let resolve;
  const promise = new Promise((done) => (resolve = done));
  return { promise, resolve };
}

describe("a signal", () => {
  test("ends the delay, and leaves no timer", async () => {
    const controller = new AbortController();
    const clock = new FakeClock();
    const conversation = server.script([{ status: 500 }, END]);
    const transport = fetchTransport({ url: conversation.urlOf("openai-chat"), clock });
    const asked = transport(PAYLOAD, { signal: controller.signal, onWait: () => controller.abort() });
    await assert.rejects(asked, { name: "AbortError" });
    assert.deepEqual([clock.pending, conversation.received.length], [0, 1]);
  });

  test("is passed to fetch", async () => {
    const { signal } = new AbortController();
    const { ask } = to([], { fetch: async (_, init) => Response.json({ isSame: init.signal === signal }) });
    assert.deepEqual(await (await ask({ signal })).json(), { isSame: true });
  });

  test("works even if fetch ignores it", async () => {
    const transport = fetchTransport({ url: "x", fetch: () => new Promise(() => {}) });
    await assert.rejects(transport(PAYLOAD, { signal: AbortSignal.abort() }), { name: "AbortError" });
  });

  test("closes a late response", async () => {
    const controller = new AbortController();
    const left = deferred();
    const late = deferred();
    const transport = fetchTransport({ url: "x", fetch: () => late.promise });
    const asked = transport(PAYLOAD, { signal: controller.signal });
    controller.abort();
    await assert.rejects(asked, { name: "AbortError" });
    late.resolve(new Response(new ReadableStream({ cancel: () => left.resolve("left") }, { highWaterMark: 0 })));
    assert.equal(await left.promise, "left");
  });
});
