// process and decode accept a response in every form.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { collect, decode, process, processAsync, processStream } from "respool";
import { chatBody } from "./answers.mjs";

const body = chatBody("Vær så god 🐟");
const text = JSON.stringify(body);
const bytes = new TextEncoder().encode(text);

/** Bytes that start and end in the middle of their buffer. */
function inTheMiddle() {
  const buffer = new Uint8Array(bytes.length + 10).fill(0x7b);
  buffer.set(bytes, 5);
  return buffer.buffer;
}

/** A class instance like those of SDKs, with getters on the prototype. */
class SdkMessage {
  get role() {
    return "assistant";
  }
  get content() {
    return "Vær så god 🐟";
  }
}
class SdkChoice {
  #message = new SdkMessage();
  get message() {
    return this.#message;
  }
  get finish_reason() {
    return "stop";
  }
}
class SdkResponse {
  #choices = [new SdkChoice()];
  get choices() {
    return this.#choices;
  }
  get id() {
    return "chatcmpl-7";
  }
}

const FORMS = {
  "an object": body,
  "JSON text": text,
  "JSON text with a byte order mark": `\ufeff${text}`,
  "a Uint8Array": bytes,
  "a part of a Uint8Array": new Uint8Array(inTheMiddle(), 5, bytes.length),
  "an ArrayBuffer": bytes.buffer.slice(0),
  "a DataView": new DataView(inTheMiddle(), 5, bytes.length),
  "a Buffer": Buffer.from(bytes),
  "bytes with a byte order mark": Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]),
  "an instance with getters of its prototype": new SdkResponse(),
  "an object without a prototype": Object.assign(Object.create(null), body),
  "a frozen object": Object.freeze({ ...body }),
  "a proxy": new Proxy(body, {}),
};

describe("the forms of a response", () => {
  for (const [name, response] of Object.entries(FORMS)) {
    test(name, () => {
      assert.equal(process({}, response), "Vær så god 🐟");
      const { id, message, finishReason } = decode(response);
      assert.deepEqual({ id, message, finishReason }, { id: "chatcmpl-7", message: "Vær så god 🐟", finishReason: "complete" });
    });
  }

  test("all forms decode to the same response", () => {
    const expected = decode(body);
    for (const form of [text, bytes]) assert.deepEqual(decode(form), expected);
    assert.deepEqual(JSON.parse(JSON.stringify(expected)), expected);
  });

  test("the input isn't changed", () => {
    process({}, body);
    decode(body);
    assert.equal(JSON.stringify(body), text);
  });

  test("an agent with any members", () => {
    const described = { name: "clerk", inputs: [], tools: [], model: { id: "m", options: {} }, mode: "chat", outputs: [] };
    for (const agent of [{}, null, undefined, { model: null }, { model: "m" }, { model: { apiType: 7 } }, described]) {
      assert.equal(process(agent, body), "Vær så god 🐟");
    }
  });

  test("an invalid agent, or one with a misspelt member", async () => {
    const reads = [
      (agent) => process(agent, body),
      (agent) => processAsync(agent, body),
      (agent) => processStream(agent, [body]).next(),
      (agent) => collect([body], { agent }),
    ];
    for (const read of reads) {
      const refuses = (agent, message) =>
        assert.rejects(async () => read(agent), { name: "RespoolError", code: "invalid-option", message });
      await refuses("gpt-5", /agent must be an object, not "gpt-5"$/);
      await refuses([{ outputs: [1] }], /agent must be an object, not an array$/);
      await refuses({ output: [1] }, /Unknown member `(options\.)?agent\.output`\. Did you mean `(options\.)?agent\.outputs`\? /);
      await refuses({ model: { api_type: "chat" } }, /Did you mean `(options\.)?agent\.model\.apiType`\? /);
    }
  });

  test("invalid UTF-8 becomes the replacement character", () => {
    const broken = Buffer.from(text.replace("🐟", "?")).map((byte) => (byte === 0x3f ? 0xff : byte));
    assert.equal(process({}, broken), "Vær så god \ufffd");
  });
});

describe("a stream given as a body", () => {
  const chunk = '{"choices":[{"delta":{"content":"a"}}]}';
  for (const stream of [`data: ${chunk}\n\n`, `: ping\n\ndata: ${chunk}\n\n`, `${chunk}\n${chunk}\n`, `${chunk}${chunk}`]) {
    test(JSON.stringify(stream), async () => {
      const advice = { code: "invalid-json", message: /It looks like a stream: use `processAsync`, or `collect\(\[text\]\)`$/ };
      assert.throws(() => decode(stream), advice);
      assert.throws(() => process({}, new TextEncoder().encode(stream)), advice);
      assert.match(await processAsync({}, stream), /^aa?$/);
    });
  }

  test("the error for other text has no such advice", () => {
    for (const other of ["<h1>Sorry</h1>", `${chunk} and more`, '{"a":1', "database error"]) {
      assert.throws(
        () => decode(other),
        ({ message }) => !message.includes("stream"),
      );
    }
  });
});

describe("processAsync", () => {
  const FORMS = {
    "a body": () => body,
    "a promise": () => Promise.resolve(text),
    "a fetch Response": () => new Response(text),
    "a promise of a fetch Response": () => Promise.resolve(new Response(bytes)),
  };
  for (const [name, make] of Object.entries(FORMS)) {
    test(name, async () => assert.equal(await processAsync({}, make()), "Vær så god 🐟"));
  }

  test("an error body of a fetch Response", async () => {
    const response = new Response('{"error":{"message":"Wrong key","type":"auth_error"}}', { status: 401 });
    await assert.rejects(processAsync({}, response), {
      name: "ProviderError",
      code: "http-error",
      message: "HTTP status 401: Wrong key",
      status: 401,
      providerType: "auth_error",
    });
  });

  test("a rejected promise", async () => {
    const reason = new Error("ECONNRESET");
    await assert.rejects(processAsync({}, Promise.reject(reason)), { code: "stream-broken", cause: reason });
  });

  test("options", async () => {
    await assert.rejects(processAsync({}, body, { vektors: "float32" }), { code: "invalid-option" });
  });
});
