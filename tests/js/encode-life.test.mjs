// The life of a StreamEncoder, its options, and encode, independent of what is encoded.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { inspect } from "node:util";
import { collect, DecodeError, decode, LimitError, registerCodec, RespoolError } from "respool";
import { encode, StreamEncoder, translateResponse, translateStream } from "respool/encode";
import { CHAT_STREAM, chatBody, chunk, sseBytes } from "./answers.mjs";

const TARGETS = ["openai-chat", "openai-responses", "anthropic-messages"];
const OVER = { name: "RespoolError", code: "stream-finished" };
const textOf = (pieces) => pieces.map((bytes) => new TextDecoder().decode(bytes)).join("");

/** Encodes chunks. Returns the whole output and the result. */
function written(api, chunks, options) {
  const encoder = new StreamEncoder(api, options);
  try {
    const text = textOf([...chunks.map((one) => encoder.push(one)), encoder.finish()]);
    return { text, result: encoder.result, lost: encoder.lost };
  } finally {
    encoder.free();
  }
}

describe("when a response was created", () => {
  const CREATED = 1_700_000_000;
  const text = (finish) => ({ ...chunk({ content: "Hi" }, finish), created: CREATED });

  test("is the provider's time", () => {
    const { text: responses } = written("openai-responses", [text("stop")]);
    assert.deepEqual(responses.match(/(?<="created_at":)\d+/g), Array(3).fill(`${CREATED}`));
    const { body } = encode(decode({ ...chatBody("Hi"), created: CREATED }), "openai-responses");
    assert.equal(body.created_at, CREATED);
  });

  test("is the same at the end of a stream that was passed on", () => {
    const encoder = new StreamEncoder("openai-chat");
    const pieces = [encoder.pushBytes(sseBytes([text(null)])), encoder.pushBytes(sseBytes(["[DONE]"])), encoder.finish()];
    encoder.free();
    assert.deepEqual(textOf(pieces).match(/(?<="created":)\d+/g), Array(2).fill(`${CREATED}`));
  });
});

describe("options", () => {
  test("an unknown interface names them all", () => {
    for (const api of ["openai", "", "gemini"]) {
      assert.throws(() => new StreamEncoder(api), {
        code: "invalid-option",
        message: /openai-chat, openai-responses, anthropic-messages/,
      });
    }
    assert.throws(() => new StreamEncoder("openai-chats"), { message: /Did you mean `openai-chat`\?/ });
    for (const api of [undefined, null, 7, {}, Symbol("x")]) {
      assert.throws(() => new StreamEncoder(api), { code: "invalid-option" });
      assert.throws(() => encode(decode(chatBody("Hi")), api), { code: "invalid-option" });
    }
  });

  const WRONG = [
    [{ includeUsage: "yes" }, /options\.includeUsage must be true or false, not "yes"/],
    [{ model: 4 }, /options\.model must be/],
    [{ id: "" }, /options\.id must be a text that isn't empty, not ""/],
    [{ inputTokens: -1 }, /options\.inputTokens must be a whole number/],
    [{ inputTokens: 1.5 }, /options\.inputTokens/],
    [{ reasoning: "no" }, /options\.reasoning must be one of keep, drop, not "no"/],
    [{ unsignedThinking: true }, /options\.unsignedThinking must be one of keep, drop/],
    [{ customTools: "sh" }, /options\.customTools must be a list of names, not "sh"/],
    [{ customTools: [1] }, /options\.customTools must be a list of names/],
    [{ includeUsages: true }, /Unknown option `includeUsages`\. Did you mean `includeUsage`\?/],
  ];
  for (const [options, message] of WRONG) {
    test(JSON.stringify(options), () => {
      for (const use of [
        () => new StreamEncoder("openai-chat", options),
        () => encode(decode(chatBody("Hi")), "openai-chat", options),
      ])
        assert.throws(use, { name: "RespoolError", code: "invalid-option", message });
    });
  }

  test("the error for a misspelt option lists the function's options", async () => {
    const says = (message) => ({ code: "invalid-option", message });
    const resume = says(/^Unknown option `resum`\. Did you mean `resume`\?/);
    assert.throws(() => new StreamEncoder("openai-chat", { resum: [] }), resume);
    assert.throws(() => translateStream([], { to: "openai-chat", resum: [] }), resume);
    const options = { to: "openai-chat", throwOnErrors: false };
    assert.throws(() => translateStream([], options), says(/Did you mean `throwOnError`\? Options: to, signal, throwOnError, /));
    await assert.rejects(
      translateResponse(new Response("{}"), { to: "openai-chat", onend() {} }),
      says(/^Unknown option `onend`\. Did you mean `onEnd`\? Options: to, signal, onEnd, /),
    );
  });

  test("options for reading are for streams only", () => {
    new StreamEncoder("openai-chat", { api: "gemini", limits: { maxDepth: 10 } }).free();
    assert.throws(() => new StreamEncoder("openai-chat", { limits: { maxDepth: 0 } }), { code: "invalid-option" });
    assert.throws(() => new StreamEncoder("openai-chat", { api: "parrot" }), { code: "invalid-option" });
    assert.throws(() => encode(decode(chatBody("Hi")), "openai-chat", { limits: {} }), { message: /Unknown option `limits`/ });
  });

  test("errors are of the main entry's classes", () => {
    assert.throws(
      () => new StreamEncoder("x"),
      (error) => error instanceof RespoolError && error.constructor === RespoolError && RespoolError.isInstance(error),
    );
    assert.throws(() => encode([], "openai-chat"), RespoolError);
    assert.throws(() => encode(Promise.resolve({}), "openai-chat"), DecodeError);
    assert.equal(new StreamEncoder("openai-chat").push({ error: { message: "x" } }) instanceof Uint8Array, true);
    assert.ok(LimitError.isInstance(new LimitError("limit-exceeded", "x")));
  });
});

for (const api of TARGETS) {
  describe(api, () => {
    test("each push returns its output at once, and nothing without a whole event", () => {
      const encoder = new StreamEncoder(api);
      const bytes = sseBytes([chunk("The "), chunk("ferry", "stop")]);
      const sizes = Array.from(bytes, (_, at) => encoder.pushBytes(bytes.subarray(at, at + 1)).length);
      // The end marker is complete at the end of its line.
      const ends = Array.from(bytes.keys()).filter((at) => bytes[at] === 10 && (bytes[at - 1] === 10 || bytes[at - 1] === 93));
      for (const [at, size] of sizes.entries()) if (size > 0) assert.ok(ends.includes(at), `at ${at}`);
      assert.ok(sizes[ends[0]] > 0 && sizes[ends[1]] > 0);
      assert.deepEqual(encoder.pushBytes(new Uint8Array()), new Uint8Array());
      encoder.free();
    });

    test("bytes and chunks lead to the same output, however they are split", () => {
      const options = { id: "answer-7", model: "m" };
      const whole = written(api, CHAT_STREAM, options);
      const bytes = sseBytes(CHAT_STREAM);
      for (const size of [bytes.length, 64, 7, 1]) {
        const encoder = new StreamEncoder(api, options);
        const pieces = [];
        for (let at = 0; at < bytes.length; at += size) pieces.push(encoder.pushBytes(bytes.subarray(at, at + size)));
        pieces.push(encoder.finish());
        assert.equal(joinedText(api, textOf(pieces)), joinedText(api, whole.text), `${size} bytes a push`);
        encoder.free();
      }
    });

    test("the result is that of reading alone", async () => {
      const { result, lost } = written(api, CHAT_STREAM);
      assert.deepEqual(result, await collect(CHAT_STREAM));
      assert.deepEqual(lost, []);
    });

    test("a failure ends the output at once", () => {
      const encoder = new StreamEncoder(api);
      encoder.push(chunk("a"));
      assert.equal(encoder.isOver, false);
      assert.equal(encoder.result, undefined);
      assert.match(textOf([encoder.push({ error: { message: "Overloaded", type: "overloaded_error" } })]), /Overloaded/);
      assert.equal(encoder.isOver, true);
      assert.equal(encoder.push(chunk("b")).length, 0);
      assert.equal(encoder.finish().length, 0);
      assert.equal(encoder.result.ending, "failed");
      assert.equal(encoder.heartbeat().length, 0);
      encoder.free();
    });

    test("finish, abort and fail end the output once", () => {
      const ENDS = {
        finish: [(encoder) => encoder.finish(), "truncated", /error/],
        abort: [(encoder) => encoder.abort("enough"), "aborted", /enough/],
        fail: [(encoder) => encoder.fail(Object.assign(new Error("HTTP status 429: Slow"), { status: 429 })), "failed", /Slow/],
      };
      for (const [name, [end, ending, pattern]] of Object.entries(ENDS)) {
        const encoder = new StreamEncoder(api);
        encoder.push(chunk("a"));
        assert.match(textOf([end(encoder)]), pattern, name);
        assert.equal(encoder.result.ending, ending, name);
        assert.equal(encoder.isOver, true, name);
        for (const [again] of Object.values(ENDS)) assert.equal(again(encoder).length, 0, name);
        assert.throws(() => encoder.push(chunk("b")), OVER, name);
        assert.throws(() => encoder.pushBytes(sseBytes([chunk("b")])), OVER, name);
        assert.equal(encoder.result.text, "a", name);
        encoder.free();
      }
    });

    test("a failure keeps the status and the wait of its error", () => {
      const encoder = new StreamEncoder(api);
      encoder.push(chunk("a"));
      encoder.fail(Object.assign(new Error("Slow"), { status: 429, retryAfter: 2.5 }));
      encoder.fail({ status: 500 });
      const { message, status, retryAfter } = encoder.result.error;
      assert.deepEqual([message, status, retryAfter], ["Slow", 429, 3]);
      encoder.free();
    });

    test("an error or a reason without a message gets one", () => {
      for (const end of ["abort", "fail"]) {
        for (const reason of ["", { message: "" }]) {
          const encoder = new StreamEncoder(api);
          encoder.push(chunk("a"));
          const text = textOf([encoder[end](reason)]);
          assert.match(text, end === "abort" ? /"message":"The stream was aborted"/ : /"message":"An error without a message"/);
          encoder.free();
        }
      }
    });

    test("a heartbeat is an event that clients ignore", () => {
      const encoder = new StreamEncoder(api);
      const alone = new StreamEncoder(api);
      const heartbeat = textOf([encoder.heartbeat()]);
      assert.match(heartbeat, /\n\n$/);
      assert.match(heartbeat, api === "anthropic-messages" ? /^event: ping\n|^:/ : /^:/);
      const pieces = [encoder.push(chunk("a", "stop")), encoder.heartbeat(), encoder.finish()];
      assert.equal(pieces[1].length, heartbeat.length);
      assert.deepEqual(pieces.at(-1).length > 0, true);
      alone.free();
      encoder.free();
    });

    test("a StreamEncoder can be freed and inspected", () => {
      const encoder = new StreamEncoder(api);
      assert.equal(inspect(encoder), `StreamEncoder { api: '${api}', ending: 'open', lost: [] }`);
      encoder.free();
      encoder.free();
      assert.match(inspect(encoder), /freed/);
      for (const use of [() => encoder.push(chunk("a")), () => encoder.finish(), () => encoder.lost, () => encoder.result])
        assert.throws(use, OVER);
      if (Symbol.dispose) assert.equal(StreamEncoder.prototype[Symbol.dispose], StreamEncoder.prototype.free);
    });
  });
}

/** Returns the text of all deltas. Adjacent deltas of one read are merged, so the events themselves differ. */
function joinedText(api, text) {
  const events = text.split("\n\n").flatMap((event) => /^data: (\{.*)/m.exec(event)?.[1] ?? []);
  const member = { "openai-chat": "content", "openai-responses": "delta", "anthropic-messages": "text" }[api];
  return events.map((json) => new RegExp(`"${member}":"([^"]*)"`).exec(json)?.[1] ?? "").join("");
}

test("rejects values that aren't chunks", () => {
  const encoder = new StreamEncoder("openai-chat");
  for (const value of [null, 7, "data: {}", new Uint8Array(3), Promise.resolve({})])
    assert.throws(() => encoder.push(value), { code: "invalid-chunk" });
  for (const value of [null, 7, "data: {}", {}]) assert.throws(() => encoder.pushBytes(value), { code: "invalid-chunk" });
  assert.ok(encoder.push(chunk("still open")).length > 0);
  assert.ok(encoder.pushBytes(sseBytes([chunk("x")]).buffer).length > 0, "an ArrayBuffer");
  encoder.free();
});

test("a stream that has ended accepts nothing more", () => {
  const encoder = new StreamEncoder("openai-chat");
  encoder.finish();
  const message = "The stream has ended. Create a new object for another stream.";
  assert.throws(() => encoder.push(chunk("late")), { code: "stream-finished", message });
  encoder.free();
});

test("codecs of the main entry", () => {
  const read = () => {
    const encoder = new StreamEncoder("anthropic-messages", { api: "parrot" });
    const text = textOf([encoder.push({ squawk: "Pieces of eight", over: true }), encoder.finish()]);
    encoder.free();
    return text;
  };
  const decoded = ({ squawk, over }) => [{ type: "text", text: squawk }, ...(over ? [{ type: "done" }] : [])];
  const codec = { name: "parrot", detect: (value) => "squawk" in value, decode: decoded };
  const unregister = registerCodec(codec);
  assert.match(read(), /Pieces of eight/);
  const replace = registerCodec({ ...codec, decode: () => [{ type: "text", text: "Shiny" }, { type: "done" }] });
  assert.match(read(), /Shiny/);
  replace();
  unregister();
  assert.throws(read, { code: "invalid-option" });
});

test("encode accepts the results of decode and of streams", async () => {
  const body = chatBody("At 9:35.");
  for (const response of [decode(body), await collect(CHAT_STREAM)]) {
    for (const api of TARGETS) {
      const { body: again, lost } = encode(response, api);
      assert.deepEqual(lost, []);
      const { message, usage } = decode(again);
      assert.match(String(message), /9:35\.$/);
      assert.equal(usage.totalTokens, 15);
    }
  }
});

describe("a chunk that JSON.stringify rejects is passed on as far as it can be read", () => {
  const ODD = {
    "a member that leads back": (one) => Object.assign(one, { self: one }),
    "two that lead to each other": (one) => {
      const [first, second] = [{}, {}];
      Object.assign(first, { second, one });
      Object.assign(second, { first, one });
      one.choices[0].delta.odd = [first, second];
      return one;
    },
    "a getter that throws": (one) =>
      Object.defineProperty(one, "odd", {
        enumerable: true,
        get() {
          throw new Error("boom");
        },
      }),
    "a toJSON that throws": (one) => {
      one.choices[0].odd = {
        toJSON() {
          throw new Error("boom");
        },
      };
      return one;
    },
    "something that is no data": (one) => {
      class Socket {
        secret = "s3cret";
        self = this;
      }
      return Object.assign(one, { socket: new Socket() });
    },
  };
  for (const [name, change] of Object.entries(ODD)) {
    test(name, async () => {
      const { text, result } = written("openai-chat", [chunk("Hello "), change(chunk("world")), chunk("", "stop")]);
      assert.equal(result.text, "Hello world");
      assert.equal(result.warnings[0].code, "invalid-event");
      for (const [, data] of text.matchAll(/^data: (?!\[DONE\])(.*)$/gm)) assert.ok(JSON.parse(data).choices);
      assert.equal((await collect([text])).text, "Hello world");
      assert.doesNotMatch(text, /s3cret/);
    });
  }

  test("a chunk that can't be read at all is reported as lost", () => {
    const { text, lost } = written("openai-chat", [
      chunk("Hello"),
      new Proxy(chunk("x"), {
        ownKeys() {
          throw new Error("boom");
        },
      }),
      chunk("", "stop"),
    ]);
    assert.doesNotMatch(text, /^data: $/m);
    assert.deepEqual(
      lost.map(({ code }) => code),
      ["lost-content"],
    );
  });
});
