// The registry of backends, and the spans of functions that read a single answer.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { describe, test } from "node:test";
import { consoleTracer, process, processAsync, RespoolError, tracer } from "respool";
import { chatBody, embeddings } from "./answers.mjs";
import { keysOf, recordSpans, spanValue } from "./spans.mjs";

const BODY = chatBody("The ferry leaves at 9:35.");
const AGENT = { model: { id: "gpt-4.1-mini", provider: "openai" } };

describe("the span of process", () => {
  test("an answer", (t) => {
    const [spans] = [recordSpans(t)];
    assert.equal(process(AGENT, BODY), "The ferry leaves at 9:35.");
    assert.equal(spans.length, 1);
    const [span] = spans;
    assert.deepEqual([span.name, span.parent, span.isOver], ["process", undefined, true]);
    assert.deepEqual(keysOf(span), ["signature", "inputs", "result", "response", "usage"]);
    assert.equal(spanValue(span, "signature"), "respool.process");
    assert.deepEqual(spanValue(span, "inputs"), { agent: AGENT, response: BODY, options: undefined });
    assert.equal(spanValue(span, "result"), "The ferry leaves at 9:35.");
    assert.deepEqual(spanValue(span, "response"), {
      api: "openai-chat",
      id: "chatcmpl-7",
      model: "gpt-4.1-mini",
      finishReasons: ["stop"],
    });
    const { promptTokens, completionTokens, totalTokens } = spanValue(span, "usage");
    assert.deepEqual([promptTokens, completionTokens, totalTokens], [9, 6, 15]);
  });

  test("bytes are reported as their length", (t) => {
    const spans = recordSpans(t);
    const bytes = new TextEncoder().encode(JSON.stringify(BODY));
    process({}, bytes);
    assert.equal(spanValue(spans[0], "inputs").response, `[Uint8Array of ${bytes.length} bytes]`);
    assert.equal(spanValue(spans[0], "usage").totalTokens, 15);
  });

  test("vectors and images have a usage, too", (t) => {
    const spans = recordSpans(t);
    const body = { ...embeddings([1, 2]), model: "small", usage: { prompt_tokens: 4, total_tokens: 4 } };
    const text = JSON.stringify(body);
    for (const form of [body, text, new TextEncoder().encode(text)]) process({}, form, { vectors: "float32" });
    process(
      {},
      { data: [{ url: "https://example.test/a.png" }], usage: { input_tokens: 7, output_tokens: 9, total_tokens: 16 } },
    );
    for (const span of spans.slice(0, 3)) {
      assert.equal(spanValue(span, "result"), "[Float32Array of 8 bytes]");
      assert.deepEqual(spanValue(span, "response"), { api: "openai-embeddings", id: undefined, model: "small" });
      assert.deepEqual([spanValue(span, "usage").promptTokens, spanValue(span, "usage").totalTokens], [4, 4]);
    }
    assert.deepEqual([spanValue(spans[3], "usage").promptTokens, spanValue(spans[3], "usage").completionTokens], [7, 9]);
    process({}, { custom_id: "a", response: { status_code: 200, body } });
    assert.deepEqual([spanValue(spans[4], "response").model, spanValue(spans[4], "usage").promptTokens], ["small", 4]);
  });

  test("a response that failed has a usage, too", async (t) => {
    const spans = recordSpans(t);
    const usage = { input_tokens: 9, output_tokens: 4, total_tokens: 13 };
    const error = { code: "server_error", message: "boom" };
    const failed = { id: "resp_7", object: "response", status: "failed", error, output: [], usage };
    assert.throws(() => process({}, failed), { message: "boom" });
    await assert.rejects(processAsync({}, Response.json(failed)), { message: "boom" });
    for (const span of spans) {
      assert.deepEqual(keysOf(span), ["signature", "inputs", "response", "usage", "error"]);
      assert.deepEqual([spanValue(span, "response").id, spanValue(span, "usage").inputTokens], ["resp_7", 9]);
    }
  });

  test("an error", (t) => {
    const spans = recordSpans(t);
    assert.throws(() => process({}, { error: { message: "Slow down", code: 429 } }), { code: "provider-error" });
    const [span] = spans;
    assert.deepEqual(keysOf(span), ["signature", "inputs", "error"]);
    const { name, message, code, providerCode, stack } = spanValue(span, "error");
    assert.deepEqual([name, message, code, providerCode], ["ProviderError", "Slow down", "provider-error", "429"]);
    assert.match(stack, /Slow down/);
    assert.ok(span.isOver);
  });

  test("every choice has a finish reason", (t) => {
    const spans = recordSpans(t);
    const choice = (index, finish_reason) => ({ index, message: { content: "a" }, finish_reason });
    process({}, { choices: [choice(0, "stop"), choice(1, "length"), choice(2, null)] });
    assert.deepEqual(spanValue(spans[0], "response").finishReasons, ["stop", "length", "error"]);
  });
});

describe("the span of processAsync", () => {
  const FORMS = { "a body": () => BODY, "a promise": () => Promise.resolve(BODY), "a Response": () => Response.json(BODY) };
  for (const [name, make] of Object.entries(FORMS)) {
    test(name, async (t) => {
      const spans = recordSpans(t);
      assert.equal(await processAsync(AGENT, make()), "The ferry leaves at 9:35.");
      assert.equal(spans.length, 1);
      assert.deepEqual([spans[0].name, spanValue(spans[0], "signature")], ["process", "respool.processAsync"]);
      assert.equal(spanValue(spans[0], "result"), "The ferry leaves at 9:35.");
      assert.equal(spanValue(spans[0], "usage").totalTokens, 15);
      assert.ok(spans[0].isOver);
    });
  }

  test("an error", async (t) => {
    const spans = recordSpans(t);
    await assert.rejects(processAsync({}, Promise.reject(new Error("no network"))), { message: /no network/ });
    await assert.rejects(processAsync({}, BODY, { vectors: "wrong" }), { code: "invalid-option" });
    assert.deepEqual(
      spans.map((span) => [spanValue(span, "error").message.slice(0, 15), span.isOver]),
      [
        ["The request fai", true],
        ["options.vectors", true],
      ],
    );
  });

  test("a failed stream has its partial result", async (t) => {
    const piece = (object) => `data: ${JSON.stringify(object)}\n\n`;
    const started = piece({ id: "chatcmpl-7", choices: [{ delta: { content: "At" } }], usage: { prompt_tokens: 9 } });
    const abort = new AbortController();
    const respond = (pull) =>
      new Response(new ReadableStream({ pull }, { highWaterMark: 0 }), { headers: { "content-type": "text/event-stream" } });
    const rests = [
      [(controller) => controller.enqueue(new TextEncoder().encode(piece({ error: { message: "No" } }))), "provider-error"],
      [(controller) => controller.error(new TypeError("terminated")), "stream-broken"],
      [() => abort.abort(), DOMException.ABORT_ERR],
    ];
    for (const [go, code] of rests) {
      const spans = recordSpans(t);
      let isStarted = false;
      const response = respond((controller) => {
        if (isStarted) go(controller);
        else controller.enqueue(new TextEncoder().encode(started));
        isStarted = true;
      });
      await assert.rejects(processAsync({}, response, { signal: abort.signal }), { code });
      tracer.clear();
      assert.deepEqual(keysOf(spans[0]), ["signature", "inputs", "result", "response", "usage", "error"], code);
      assert.equal(spanValue(spans[0], "result").text, "At");
      assert.deepEqual([spanValue(spans[0], "response").id, spanValue(spans[0], "usage").inputTokens], ["chatcmpl-7", 9]);
    }
  });

  test("text that is neither a body nor a stream has no result", async (t) => {
    const spans = recordSpans(t);
    await assert.rejects(processAsync({}, new Response('{"a":')), { code: "invalid-json" });
    assert.deepEqual(keysOf(spans[0]), ["signature", "inputs", "error"]);
  });
});

describe("tracer", () => {
  test("every backend is called once", (t) => {
    const [first, second] = [recordSpans(t, "first"), recordSpans(t, "second")];
    process({}, BODY);
    assert.deepEqual([first.length, second.length], [1, 1]);
    assert.deepEqual(first[0].emitted, second[0].emitted);
  });

  test("a name is one backend", (t) => {
    const before = recordSpans(t, "one");
    const after = recordSpans(t, "one");
    process({}, BODY);
    assert.deepEqual([before.length, after.length], [0, 1]);
  });

  test("remove and clear", (t) => {
    const [first, second] = [recordSpans(t, "first"), recordSpans(t, "second")];
    assert.deepEqual([tracer.remove("first"), tracer.remove("first"), tracer.remove("third")], [true, false, false]);
    process({}, BODY);
    assert.deepEqual([first.length, second.length], [0, 1]);
    tracer.clear();
    process({}, BODY);
    assert.equal(second.length, 1);
  });

  test("a backend may decline a span", (t) => {
    t.after(() => tracer.clear());
    tracer.add("none", () => undefined);
    assert.equal(process({}, BODY), "The ferry leaves at 9:35.");
  });

  test("misuse", () => {
    for (const [name, factory] of [
      ["", () => {}],
      [5, () => {}],
      [undefined, () => {}],
      ["a", undefined],
      ["a", {}],
    ]) {
      assert.throws(
        () => tracer.add(name, factory),
        (error) => RespoolError.isInstance(error) && error.code === "invalid-option",
      );
    }
  });

  test("a backend gets calls to another copy of the package", (t) => {
    const spans = recordSpans(t);
    const copy = createRequire(import.meta.url)("../../pkg/index.cjs");
    assert.notEqual(copy.process, process);
    copy.process({}, BODY);
    assert.equal(spans.length, 1);
  });

  test("without a backend, nothing more is read", () => {
    let reads = 0;
    const body = {
      get choices() {
        reads += 1;
        return BODY.choices;
      },
    };
    process({}, body);
    const bare = reads;
    tracer.add("idle", () => ({ emit() {}, end() {} }));
    process({}, body);
    tracer.clear();
    const traced = reads - bare;
    process({}, body);
    assert.ok(bare > 0 && traced > bare, "a traced call reads more");
    assert.equal(reads - bare - traced, bare);
  });
});

describe("a backend that fails changes nothing", () => {
  const fail = () => {
    throw new Error("the backend is down");
  };
  const later = async () => fail();
  const BACKENDS = {
    "its factory throws": fail,
    "its factory gives a promise that rejects": later,
    "its factory gives nonsense": () => 5,
    "it has no functions": () => ({}),
    "emit throws": () => ({ emit: fail, end() {} }),
    "end throws": () => ({ emit() {}, end: fail }),
    "emit and end reject": () => ({ emit: later, end: later }),
    "its functions are getters that throw": () => Object.defineProperties({}, { emit: { get: fail }, end: { get: fail } }),
  };
  for (const [name, factory] of Object.entries(BACKENDS)) {
    test(name, async (t) => {
      tracer.add("broken", factory);
      const spans = recordSpans(t);
      const rejections = [];
      const note = (reason) => rejections.push(reason);
      globalThis.process.on("unhandledRejection", note);
      t.after(() => globalThis.process.off("unhandledRejection", note));
      assert.equal(process({}, BODY), "The ferry leaves at 9:35.");
      assert.throws(() => process({}, {}), { code: "unknown-response" });
      await new Promise(setImmediate);
      assert.deepEqual(rejections, []);
      assert.deepEqual(
        spans.map(({ isOver }) => isOver),
        [true, true],
        "the other backend is still called",
      );
    });
  }

  test("a backend that removes itself during a call", (t) => {
    const spans = recordSpans(t);
    tracer.add("shy", () => {
      tracer.remove("shy");
      return { emit() {}, end() {} };
    });
    process({}, BODY);
    process({}, BODY);
    assert.equal(spans.length, 2);
  });
});

describe("consoleTracer", () => {
  const linesOf = (call, options) => {
    const lines = [];
    tracer.add("console", consoleTracer({ write: (line) => lines.push(line), now: () => 0, ...options }));
    call();
    tracer.clear();
    return lines;
  };

  test("errors are printed with name and code", () => {
    const lines = linesOf(() => assert.throws(() => process({}, {})));
    assert.match(
      lines.find((line) => line.includes("error")),
      /^ {2}error: DecodeError: .* \(unknown-response\)$/,
    );
  });

  test("long values are shortened", () => {
    const lines = linesOf(() => process({}, chatBody("a".repeat(3000))), { maxLength: 10 });
    assert.ok(lines.includes(`  result: ${"a".repeat(10)}… (2990 more characters)`));
  });

  test("nested spans are indented", () => {
    const lines = [];
    const make = consoleTracer({ write: (line) => lines.push(line), now: () => 2 });
    const outer = make("turn");
    make("execute_tool", outer).emit("inputs", { count: 10n });
    outer.end();
    assert.deepEqual(lines, ["turn", "  execute_tool", '    inputs: {"count":"10"}', "turn took 0.0 ms"]);
  });

  test("writes to the console", (t) => {
    const log = t.mock.method(console, "log", () => {});
    tracer.add("console", consoleTracer());
    t.after(() => tracer.clear());
    process({}, BODY);
    assert.equal(log.mock.calls[0].arguments[0], "process");
  });
});

test("consoleTracer ignores a write that rejects", async () => {
  const lines = [];
  const write = async (line) => {
    lines.push(line);
    throw new Error("the disk is full");
  };
  tracer.add("console", consoleTracer({ write }));
  process({}, chatBody({ content: "a" }));
  tracer.clear();
  assert.ok(lines.length > 0);
  await new Promise((resolve) => setImmediate(resolve)); // an unhandled rejection would fail the test
});
