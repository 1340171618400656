// processAsync returns the same value as process, for a pending answer, complete or streamed.
import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { ModelResponseConverter, process, processAsync, registerCodec } from "respool";
import { ROOT } from "../../scripts/paths.mjs";
import { chatBody } from "./answers.mjs";
import { generated, readable, stalled, withoutIterator } from "./sources.mjs";

const encoder = new TextEncoder();
const chunk = (delta, finish_reason = null) => ({ choices: [{ index: 0, delta, finish_reason }] });
const CHUNKS = [chunk({ content: "Vær så " }), chunk({ content: "god 🐟" }), chunk({}, "stop")];
const events = (chunks) => chunks.map((each) => `data: ${JSON.stringify(each)}\n\n`).join("");
const SSE = `${events(CHUNKS)}data: [DONE]\n\n`;
const LINES = CHUNKS.map((each) => `${JSON.stringify(each)}\n`).join("");
const BODY = JSON.stringify(chatBody("Vær så god 🐟"));

/** Returns the bytes of a text, one per read. */
const bytewise = (text) => Array.from(encoder.encode(text), (byte) => Uint8Array.of(byte));
const respond = (body, type, status = 200) => new Response(body, { status, headers: type ? { "content-type": type } : {} });

const SOURCES = {
  "a body": () => chatBody("Vær så god 🐟"),
  "the text of a body": () => BODY,
  "the bytes of a body": () => encoder.encode(BODY),
  "a body in a Response": () => respond(BODY, "application/json"),
  "a body in a Response that says it is a stream": () => respond(BODY, "text/event-stream"),
  "a body in a Response that says nothing": () => respond(encoder.encode(BODY)),
  "a body in pieces": () => generated(bytewise(BODY)),
  "a body in pieces of text": () => BODY.split(/(?<=d)/),
  "a body after white space": () => generated([" ", "\n\n", BODY]),
  "an object that only has arrayBuffer": () => ({ status: 200, arrayBuffer: async () => encoder.encode(BODY).buffer }),
  "events in a Response": () => respond(SSE, "text/event-stream"),
  "events in a Response that says it is JSON": () => respond(SSE, "application/json"),
  "the text of events": () => SSE,
  "the bytes of events": () => encoder.encode(`\ufeff${SSE}`),
  "events in pieces": () => generated(bytewise(SSE)),
  "events in a ReadableStream": () => readable(bytewise(SSE)),
  "events in a ReadableStream that cannot be iterated": () => withoutIterator(readable(bytewise(SSE))),
  "events after a comment": () => `: waiting\n\n${SSE}`,
  "events after blank lines": () => generated(["\n", "\n\n", SSE]),
  "lines of JSON that say so": () => respond(LINES, "application/x-ndjson"),
  "lines of JSON that do not": () => respond(LINES, "application/json"),
  "lines of JSON as text": () => LINES,
  "a list of chunks": () => CHUNKS,
  "a generator of chunks": () => generated(CHUNKS),
};

describe("sources", () => {
  for (const [name, make] of Object.entries(SOURCES)) {
    test(name, async () => {
      assert.equal(await processAsync({}, make()), "Vær så god 🐟");
      assert.equal(await processAsync({}, Promise.resolve(make())), "Vær så god 🐟");
    });
  }

  test("embeddings and images, as a body in chunks and as the only chunk", async () => {
    const body = { data: [{ embedding: [0.5, 1] }] };
    const text = JSON.stringify(body);
    for (const source of [body, [body], [text.slice(0, 9), text.slice(9)], respond(text)]) {
      const result = await processAsync({}, source, { vectors: "float32" });
      assert.deepEqual(result, Float32Array.of(0.5, 1));
    }
    assert.equal(await processAsync({}, generated([{ data: [{ url: "https://example.test" }] }])), "https://example.test");
  });

  test("a registered codec", async () => {
    const unregister = registerCodec({
      name: "parrot",
      detect: (value) => typeof value?.squawk === "string",
      decode: ({ squawk }) => [{ type: "text", text: squawk }, { type: "done" }],
    });
    try {
      for (const source of [{ squawk: "Hi" }, [{ squawk: "Hi" }], 'data: {"squawk":"Hi"}\n\n'])
        assert.equal(await processAsync({}, source), "Hi");
    } finally {
      unregister();
    }
  });
});

describe("a stream leads to the same value as process", () => {
  const folder = join(ROOT, "tests", "fixtures");
  const cases = readdirSync(folder, { recursive: true }).map((path) => join(folder, path));
  const both = cases.filter((path) => existsSync(join(path, "body.json")) && existsSync(join(path, "events.jsonl")));
  test("there are fixtures", () => assert.ok(both.length >= 20, `${both.length}`));

  for (const path of both) {
    test(path.slice(folder.length + 1), async () => {
      const body = readFileSync(join(path, "body.json"), "utf8");
      const chunks = readFileSync(join(path, "events.jsonl"), "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
      for (const agent of [{}, { outputs: [{ name: "answer" }] }]) {
        for (const options of [{}, { textBlocks: "first" }]) {
          const outcome = async (run) => {
            try {
              return { value: await run() };
            } catch (error) {
              return { message: error.message };
            }
          };
          const whole = await outcome(() => process(agent, body, options));
          assert.deepEqual(await outcome(() => processAsync(agent, chunks, options)), whole);
          assert.deepEqual(await outcome(() => processAsync(agent, respond(events(chunks)), options)), whole);
        }
      }
    });
  }

  test("tool calls, a refusal, nothing, structured output", async () => {
    const call = { index: 0, id: "a", function: { name: "tide", arguments: '{"n":90071992547409931}' } };
    assert.deepEqual(await processAsync({}, [chunk({ content: "Hm." }), chunk({ tool_calls: [call] }, "tool_calls")]), [
      { id: "a", name: "tide", arguments: '{"n":90071992547409931}' },
    ]);
    assert.equal(await processAsync({}, [chunk({ refusal: "I can't." }, "stop")]), "I can't.");
    assert.equal(await processAsync({}, [chunk({}, "stop")]), "");
    const agent = { outputs: ["a"] };
    const deep = "[".repeat(600) + "]".repeat(600);
    for (const text of ['{"__proto__":1}', "[1]", "5", "no", '{"a":', deep]) {
      assert.deepEqual(await processAsync(agent, [chunk({ content: text }, "stop")]), process(agent, chatBody(text)), text);
    }
  });
});

describe("failures", () => {
  const reject = (source, expected, options) => assert.rejects(processAsync({}, source, options), expected);

  test("a stream that breaks off", async () => {
    for (const source of [
      generated([CHUNKS[0]], [], new Error("gone")),
      readable([events([CHUNKS[0]])], [], new Error("gone")),
    ]) {
      await reject(source, (error) => {
        assert.equal(error.name, "StreamError");
        assert.deepEqual([error.code, error.outcome, error.cause.message], ["stream-broken", "indeterminate", "gone"]);
        assert.deepEqual([error.partial.text, error.partial.ending], ["Vær så ", "truncated"]);
        return true;
      });
    }
  });

  test("a body that breaks off, and one that is truncated", async () => {
    await reject(readable([BODY.slice(0, 50)], [], new Error("gone")), { name: "StreamError", code: "stream-broken" });
    await reject(readable([], [], new Error("gone")), { name: "StreamError", code: "stream-broken" });
    await reject(respond(BODY.slice(0, 50)), { name: "DecodeError", code: "invalid-json" });
  });

  test("an error of the provider", async () => {
    const error = { error: { message: "Slow down", type: "rate_limit" } };
    await reject(respond(JSON.stringify(error), "application/json", 429), {
      name: "ProviderError",
      message: "HTTP status 429: Slow down",
      status: 429,
      providerType: "rate_limit",
    });
    await reject(events([CHUNKS[0], error]), (thrown) => {
      assert.deepEqual(
        [thrown.name, thrown.code, thrown.outcome, thrown.providerType],
        ["ProviderError", "provider-error", "determinate", "rate_limit"],
      );
      return thrown.partial.text === "Vær så ";
    });
  });

  test("an error page", async () => {
    await reject(respond("<html>Bad gateway</html>", "text/html", 502), {
      name: "ProviderError",
      code: "http-error",
      status: 502,
    });
    await reject(respond("error: no backend", "text/plain", 503), { name: "ProviderError", code: "http-error" });
    await reject(respond("<html>Welcome</html>", "text/html"), {
      name: "DecodeError",
      code: "unknown-response",
      message: /looks like an HTML/,
    });
  });

  test("an empty source", async () => {
    const empty = {
      "a Response": () => new Response(""),
      "a list": () => [],
      "a comment": () => [": hello\n\n"],
      blanks: () => " \n",
    };
    for (const [name, make] of Object.entries(empty)) {
      const failed = { name: "DecodeError", code: "empty-response" };
      await assert.rejects(processAsync({}, make()), failed, name);
      await assert.rejects(new ModelResponseConverter(make(), "auto").invoke(), failed, name);
    }
  });

  test("a truncated tool call, and an empty stream", async () => {
    const call = { index: 0, id: "a", function: { name: "tide", arguments: '{"port":' } };
    await reject([chunk({ tool_calls: [call] })], { name: "StreamError", code: "stream-truncated" });
    await reject(": waiting\n\n", {
      name: "DecodeError",
      code: "empty-response",
      message: /no answer: it ended before the first piece of an answer/,
    });
    await reject("data: nonsense\n\n", { name: "DecodeError", code: "unknown-response", message: /plain text.*"nonsense"/ });
    await reject([{ nothing: "known" }], { name: "DecodeError", code: "unknown-response", message: /nothing.*known/ });
  });

  test("invalid sources and options", async () => {
    for (const source of [undefined, null, 5, Symbol("s"), () => {}]) await reject(source, { name: "DecodeError" });
    await reject([5], { code: "invalid-chunk" });
    const log = [];
    await reject(generated([CHUNKS[0], 5, CHUNKS[1]], log), { code: "invalid-chunk" });
    assert.deepEqual(log, ["closed"]);
    await reject(BODY, { code: "invalid-option" }, { signal: {} });
    await reject(BODY, { code: "invalid-option" }, { vektors: "float32" });
    await reject(BODY, { code: "invalid-option" }, []);
    const reason = new Error("no network");
    await reject(Promise.reject(reason), { name: "StreamError", code: "stream-broken", cause: reason });
  });
});

describe("abort", () => {
  /** Rejects with the signal's reason before anything else happens, and closes the source. */
  async function aborts(source, log, expectsClosed = true) {
    const controller = new AbortController();
    const outcome = processAsync({}, source, { signal: controller.signal }).then(
      (value) => ({ value }),
      (error) => ({ error }),
    );
    await new Promise((resolve) => setImmediate(resolve));
    controller.abort();
    const { error } = await Promise.race([
      outcome,
      new Promise((resolve) => setImmediate(resolve, { error: new Error("too late") })),
    ]);
    assert.deepEqual([error?.name, error], ["AbortError", controller.signal.reason]);
    await new Promise((resolve) => setImmediate(resolve));
    if (expectsClosed) assert.deepEqual(log, ["closed"]);
  }

  const WAITING = {
    "for a chunk": (log) => stalled([CHUNKS[0]], log),
    "for the first chunk": (log) => stalled([], log),
    "for the rest of a body": (log) => stalled([BODY.slice(0, 20)], log),
    "for an event": (log) => readable([events([CHUNKS[0]]), "data: {"], log, "stall"),
    "for the rest of a Response": (log) => new Response(readable([encoder.encode("{")], log, "stall")),
    "for the first byte that isn't blank": (log) => readable(["\n"], log, "stall"),
  };
  for (const [name, make] of Object.entries(WAITING)) {
    test(`while it waits ${name}`, () => {
      const log = [];
      return aborts(make(log), log);
    });
  }

  test("while it waits for the source, which is closed when it arrives", async () => {
    const log = [];
    let resolve;
    await aborts(new Promise((done) => (resolve = done)), log, false);
    resolve(stalled([], log));
    await new Promise((done) => setImmediate(done));
    assert.deepEqual(log, ["closed"]);
  });

  test("while it waits for arrayBuffer", () => aborts({ status: 200, arrayBuffer: () => new Promise(() => {}) }, [], false));

  test("before the call", async () => {
    const log = [];
    const reason = new Error("never mind");
    const signal = AbortSignal.abort(reason);
    await assert.rejects(processAsync({}, stalled([], log), { signal }), (error) => error === reason);
    assert.deepEqual(log, ["closed"]);
    await assert.rejects(processAsync({}, BODY, { signal }), (error) => error === reason);
  });

  test("a signal that never fires changes nothing, and all listeners are removed", async () => {
    const { signal } = new AbortController();
    let listeners = 0;
    const { addEventListener, removeEventListener } = EventTarget.prototype;
    signal.addEventListener = (...parts) => {
      listeners += 1;
      addEventListener.apply(signal, parts);
    };
    signal.removeEventListener = (...parts) => {
      listeners -= 1;
      removeEventListener.apply(signal, parts);
    };
    for (const make of Object.values(SOURCES)) assert.equal(await processAsync({}, make(), { signal }), "Vær så god 🐟");
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(listeners, 0);
  });
});
