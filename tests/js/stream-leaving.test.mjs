// Leaving a stream, by a signal or by leaving the loop: the source is closed, and the result so far is kept.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ModelResponseConverter, processAsync, processStream, ResponseConverter, streamDeltas, tap } from "respool";
import { toAgUiResponse } from "respool/ag-ui";
import { toUIMessageStreamResponse } from "respool/ai-sdk";
import { translateStream } from "respool/encode";
import { CHAT_STREAM, chunk, sseBytes } from "./answers.mjs";
import { collect, collectUntilThrown, generated, readable, stalled, withoutIterator } from "./sources.mjs";

/** Returns a signal that is aborted once all pending work is done. */
function abortedSoon(reason) {
  const controller = new AbortController();
  setImmediate(() => controller.abort(reason));
  return controller.signal;
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("an already aborted signal", () => {
  const SOURCES = {
    "an async iterable": (log) => stalled([chunk("a")], log),
    "a ReadableStream": (log) => readable([chunk("a")], log),
    "a fetch Response": (log) => ({ status: 200, body: readable([chunk("a")], log) }),
    "a promise of one": (log) => Promise.resolve(readable([chunk("a")], log)),
  };
  for (const [name, make] of Object.entries(SOURCES)) {
    test(name, async () => {
      const log = [];
      const deltas = streamDeltas(make(log), { signal: AbortSignal.abort() });
      const { items, error } = await collectUntilThrown(deltas);
      assert.deepEqual([items, error.name], [[], "AbortError"]);
      assert.equal(deltas.result.ending, "aborted");
      await settled();
      assert.deepEqual(log, ["closed"]);
    });
  }

  test("processStream", async () => {
    await assert.rejects(collect(processStream({}, CHAT_STREAM, { signal: AbortSignal.abort() })), { name: "AbortError" });
  });
});

describe("a signal that is aborted during a read", () => {
  const SOURCES = {
    "an async iterable": (log) => stalled([chunk("a")], log),
    "a ReadableStream": (log) => readable([chunk("a")], log, "stall"),
    "a ReadableStream without an iterator": (log) => withoutIterator(readable([chunk("a")], log, "stall")),
    "a fetch Response": (log) => ({ status: 200, body: readable([chunk("a")], log, "stall") }),
  };
  for (const [name, make] of Object.entries(SOURCES)) {
    test(name, async () => {
      const log = [];
      const deltas = streamDeltas(make(log), { signal: abortedSoon() });
      const { items, error } = await collectUntilThrown(deltas);
      assert.deepEqual([items, error.name], [[{ type: "text", text: "a" }], "AbortError"]);
      assert.deepEqual([deltas.result.text, deltas.result.ending], ["a", "aborted"]);
      await settled();
      assert.deepEqual(log, ["closed"]);
    });
  }

  for (const isAsync of [false, true]) {
    test(`by the source itself, ${isAsync ? "later" : "during the read"}`, async () => {
      const controller = new AbortController();
      const pieces = [chunk("a")];
      const pull = async (stream) => {
        if (isAsync) await Promise.resolve();
        const piece = pieces.shift();
        if (piece) stream.enqueue(piece);
        else controller.abort();
      };
      const source = new ReadableStream({ pull }, { highWaterMark: 0 });
      const deltas = streamDeltas(source, { signal: controller.signal });
      const { items, error } = await collectUntilThrown(deltas);
      assert.deepEqual([items, error.name], [[{ type: "text", text: "a" }], "AbortError"]);
      assert.deepEqual([deltas.result.text, deltas.result.ending], ["a", "aborted"]);
    });
  }

  test("a generator that never answers doesn't block", async () => {
    const source = (async function* () {
      yield chunk("a");
      await new Promise(() => {});
    })();
    const { error } = await collectUntilThrown(streamDeltas(source, { signal: abortedSoon() }));
    assert.equal(error.name, "AbortError");
  });

  test("a promise that never settles", async () => {
    const { error } = await collectUntilThrown(streamDeltas(new Promise(() => {}), { signal: abortedSoon() }));
    assert.equal(error.name, "AbortError");
  });

  test("a late response is closed", async () => {
    const log = [];
    let answer;
    const { error } = await collectUntilThrown(
      streamDeltas(new Promise((resolve) => (answer = resolve)), { signal: abortedSoon() }),
    );
    assert.equal(error.name, "AbortError");
    answer({ status: 200, body: readable([chunk("a")], log) });
    await settled();
    assert.deepEqual(log, ["closed"]);
  });

  test("the reason is thrown", async () => {
    const reason = new Error("the user went away");
    const deltas = streamDeltas(stalled([chunk("a")]), { signal: abortedSoon(reason) });
    assert.equal((await collectUntilThrown(deltas)).error, reason);
    assert.deepEqual(deltas.result.error, { code: "aborted", message: "the user went away" });
  });
});

describe("a signal that is aborted in the loop", () => {
  test("before the next read", async () => {
    const log = [];
    const controller = new AbortController();
    const deltas = streamDeltas(generated([chunk("a"), chunk("b"), chunk("c", "stop")], log), { signal: controller.signal });
    const items = [];
    const loop = async () => {
      for await (const delta of deltas) {
        items.push(delta);
        controller.abort();
      }
    };
    await assert.rejects(loop(), { name: "AbortError" });
    assert.deepEqual(items, [{ type: "text", text: "a" }]);
    assert.deepEqual([deltas.result.text, deltas.result.ending, log], ["a", "aborted", ["closed"]]);
  });

  test("a signal that is never aborted changes nothing", async () => {
    const { signal } = new AbortController();
    assert.deepEqual(await collect(streamDeltas(CHAT_STREAM, { signal })), await collect(streamDeltas(CHAT_STREAM)));
    assert.deepEqual(await collect(streamDeltas(CHAT_STREAM, { signal: null })), await collect(streamDeltas(CHAT_STREAM)));
  });
});

describe("leaving the loop", () => {
  const pieces = [chunk("a"), chunk("b"), chunk("c", "stop")];
  const SOURCES = {
    "an async generator": (log) => generated(pieces, log),
    "an async iterable": (log) => stalled(pieces, log),
    "a ReadableStream": (log) => readable(pieces, log),
    "a ReadableStream without an iterator": (log) => withoutIterator(readable(pieces, log)),
    "a generator": (log) =>
      (function* () {
        try {
          yield* pieces;
        } finally {
          log.push("closed");
        }
      })(),
  };
  for (const [name, make] of Object.entries(SOURCES)) {
    test(`${name}, streamDeltas`, async () => {
      const log = [];
      const deltas = streamDeltas(make(log));
      for await (const delta of deltas) {
        assert.deepEqual(delta, { type: "text", text: "a" });
        break;
      }
      assert.deepEqual(log, ["closed"]);
      assert.deepEqual([deltas.result.text, deltas.result.ending], ["a", "aborted"]);
      assert.deepEqual(await deltas.next(), { done: true, value: undefined });
    });

    test(`${name}, processStream`, async () => {
      const log = [];
      for await (const item of processStream({}, make(log))) {
        assert.equal(item, "a");
        break;
      }
      assert.deepEqual(log, ["closed"]);
    });
  }

  test("invalid options: the unread source is closed, and its failure ignored", async () => {
    const READ = {
      streamDeltas: async (source) => streamDeltas(source, { mood: 1 }),
      processStream: async (source) => processStream({}, source, { mood: 1 }),
      processAsync: (source) => processAsync({}, source, { mood: 1 }),
    };
    const rejections = [];
    const onRejection = (reason) => rejections.push(reason);
    process.on("unhandledRejection", onRejection);
    for (const read of Object.values(READ)) {
      const log = [];
      await assert.rejects(read(readable(pieces, log)), { code: "invalid-option" });
      await assert.rejects(read(Promise.reject(new Error("no network"))), { code: "invalid-option" });
      await assert.rejects(read(new Promise(() => {})), { code: "invalid-option" });
      await settled();
      assert.deepEqual(log, ["closed"]);
    }
    process.off("unhandledRejection", onRejection);
    assert.deepEqual(rejections, []);
  });

  test("before the first read", async () => {
    for (const read of [streamDeltas, (source) => processStream({}, source)]) {
      const log = [];
      const items = read(Promise.resolve(readable(pieces, log)));
      assert.deepEqual(await items.return("left"), { done: true, value: "left" });
      await settled();
      assert.deepEqual([log, await items.next()], [["closed"], { done: true, value: undefined }]);
    }
  });

  test("with an error before the first read", async () => {
    const log = [];
    const deltas = streamDeltas(readable(pieces, log));
    await assert.rejects(deltas.throw(new RangeError("enough")), { name: "RangeError", message: "enough" });
    assert.equal((await deltas.finished).ending, "aborted");
    assert.deepEqual(log, ["closed"]);
  });

  test("an error in the loop is rethrown", async () => {
    const log = [];
    const loop = async () => {
      for await (const delta of streamDeltas(generated(pieces, log))) throw new RangeError(delta.text);
    };
    await assert.rejects(loop(), { name: "RangeError", message: "a" });
    assert.deepEqual(log, ["closed"]);
  });

  test("a source that can't be closed is ignored", async () => {
    const source = {
      [Symbol.asyncIterator]: () => ({
        next: async () => ({ done: false, value: chunk("a") }),
        return() {
          throw new Error("stuck");
        },
      }),
    };
    const deltas = streamDeltas(source);
    for await (const delta of deltas) {
      assert.equal(delta.text, "a");
      break;
    }
    assert.equal(deltas.result.text, "a");
  });
});

describe("a signal that is aborted while nobody reads", () => {
  const reason = new Error("too slow");

  /** A response of a source that logs when it is closed, and the listeners of its signal. */
  function open() {
    const log = [];
    const response = new Response(readable([sseBytes([chunk("a")]), sseBytes([chunk("b")])], log, "stall"));
    const abort = new AbortController();
    const { signal } = abort;
    const listeners = new Set();
    const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
    signal.addEventListener = (type, listener, options) => {
      listeners.add(listener);
      add(type, listener, options);
    };
    signal.removeEventListener = (type, listener) => {
      listeners.delete(listener);
      remove(type, listener);
    };
    return { response, signal, log, listeners, abort: () => abort.abort(reason) };
  }

  for (const reads of [0, 1]) {
    test(`streamDeltas after ${reads} reads`, async () => {
      const { response, signal, log, abort } = open();
      const deltas = streamDeltas(response, { signal });
      for (let nth = 0; nth < reads; nth++) await deltas.next();
      abort();
      const { text, ending, error } = await deltas.finished;
      assert.deepEqual([text, ending, error.message], ["a".repeat(reads), "aborted", "too slow"]);
      assert.equal(deltas.result.ending, "aborted");
      await settled();
      assert.deepEqual(log, ["closed"]);
      await assert.rejects(deltas.next(), reason);
      assert.equal((await deltas.next()).done, true);
    });

    test(`processStream after ${reads} reads`, async () => {
      const { response, signal, log, abort } = open();
      const items = processStream({}, response, { signal });
      for (let nth = 0; nth < reads; nth++) await items.next();
      abort();
      await settled();
      assert.deepEqual(log, ["closed"]);
      await assert.rejects(items.next(), reason);
    });

    test(`tap after ${reads} reads`, async () => {
      const { response, signal, log, abort } = open();
      const tapped = tap(response, { signal });
      const reader = tapped.response.body.getReader();
      for (let nth = 0; nth < reads; nth++) await reader.read();
      abort();
      await assert.rejects(tapped.result, reason);
      assert.deepEqual(log, ["closed"]);
      await assert.rejects(reader.read(), reason);
    });
  }

  test("nothing listens after the end", async () => {
    const USES = {
      "a read stream": ({ response, signal }) => collect(streamDeltas(response, { signal })).catch(() => {}),
      "a stream that is left": async ({ response, signal }) => {
        for await (const _ of streamDeltas(response, { signal })) break;
      },
      "an unread stream": ({ response, signal }) => streamDeltas(response, { signal }).return(),
      "a passed response": async ({ response, signal }) => {
        const tapped = tap(response, { signal });
        await tapped.response.body.cancel();
        await tapped.result;
      },
    };
    for (const [name, use] of Object.entries(USES)) {
      const opened = open();
      if (name === "a read stream") opened.response = new Response(sseBytes([chunk("a", "stop")]));
      await use(opened);
      await settled();
      assert.equal(opened.listeners.size, 0, name);
    }
  });
});

describe("leaving in the middle of a read", () => {
  const READ = {
    streamDeltas,
    "a stream of a stream": (source) => streamDeltas(streamDeltas(source)),
    processStream: (source) => processStream({}, source),
    ResponseConverter: (source) => new ResponseConverter().convertStreamingResponse({}, "n", source),
    ModelResponseConverter: (source) => new ModelResponseConverter(source, "auto").stream(),
  };
  const SOURCES = {
    "an async iterable": stalled,
    "a ReadableStream": (pieces, log) => readable(pieces, log, "stall"),
  };
  for (const [reader, read] of Object.entries(READ)) {
    for (const [name, make] of Object.entries(SOURCES)) {
      for (const isRead of [false, true]) {
        test(`${reader} of ${name}, ${isRead ? "after" : "before"} its first item`, async () => {
          const log = [];
          const items = read(make(isRead ? [chunk("a")] : [], log));
          if (isRead) await items.next();
          const pending = items.next();
          await settled();
          assert.deepEqual(await items.return("left"), { done: true, value: "left" });
          assert.deepEqual(await pending, { done: true, value: undefined });
          await settled();
          assert.deepEqual(log, ["closed"]);
        });
      }
    }

    test(`${reader} of a promise that never settles`, async () => {
      const items = read(new Promise(() => {}));
      const pending = items.next();
      assert.equal((await items.return()).done, true);
      assert.equal((await pending).done, true);
    });
  }

  test("return() during a read leads to the result of a loop that is left", async () => {
    const deltas = streamDeltas(stalled([chunk("a")]));
    await deltas.next();
    deltas.next();
    await deltas.return();
    const { text, ending, error } = await deltas.finished;
    assert.deepEqual([text, ending, error.message, deltas.result.ending], ["a", "aborted", "The stream was left", "aborted"]);
  });

  test("throw()", async () => {
    const log = [];
    const deltas = streamDeltas(stalled([], log));
    const pending = deltas.next();
    await assert.rejects(deltas.throw(new RangeError("enough")), { message: "enough" });
    assert.equal((await pending).done, true);
    assert.deepEqual([(await deltas.finished).error.message, log], ["enough", ["closed"]]);
  });

  const ADAPTERS = {
    toUIMessageStreamResponse: (deltas) => toUIMessageStreamResponse(deltas).body,
    toAgUiResponse: (deltas) => toAgUiResponse(deltas, { threadId: "t", runId: "r" }).body,
    translateStream: (deltas) => translateStream(deltas, { to: "openai-chat" }).stream,
  };
  for (const [name, adapt] of Object.entries(ADAPTERS)) {
    test(`${name} closes the source of its deltas`, async () => {
      const log = [];
      const deltas = streamDeltas(readable([chunk("a")], log, "stall"));
      const reader = adapt(deltas).getReader();
      while (!Buffer.from((await reader.read()).value).includes('"a"'));
      const pending = reader.read();
      await settled();
      await reader.cancel();
      assert.deepEqual([(await pending).done, (await deltas.finished).ending, log], [true, "aborted", ["closed"]]);
    });
  }
});
