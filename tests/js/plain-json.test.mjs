// Objects that are read through their JSON text, and objects that have to be read value by value.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import vm from "node:vm";
import { StreamAccumulator, decode } from "respool";
import { plainJson } from "../../js/plain_json.js";
import { numbersFrom } from "./random.mjs";

const TEXTS = ["", "a", "é😀", '"\\/\n\u0000', "\ud83d", "a\udc00", "x".repeat(50), "__proto__", "toJSON"];
const NUMBERS = [0, -0, 1, -7, 1.5, 1e21, 5e-324, 2 ** 53];

/** Returns random JSON. @param {(limit: number) => number} numbers @param {number} levels @returns {unknown} */
function randomValue(numbers, levels) {
  const kind = numbers(levels > 0 ? 7 : 5);
  if (kind < 2) return TEXTS[numbers(TEXTS.length)];
  if (kind === 2) return NUMBERS[numbers(NUMBERS.length)];
  if (kind === 3) return numbers(2) === 0;
  if (kind === 4) return null;
  const items = Array.from({ length: numbers(5) }, () => randomValue(numbers, levels - 1));
  if (kind === 5) return items;
  return JSON.parse(
    `{${items.map((item) => `${JSON.stringify(TEXTS[numbers(TEXTS.length)])}:${JSON.stringify(item)}`).join(",")}}`,
  );
}

test("is the text that JSON.stringify writes", () => {
  const numbers = numbersFrom(7);
  for (let round = 0; round < 2000; round++) {
    const object = { value: randomValue(numbers, 4), absent: undefined, list: [undefined, 1] };
    assert.equal(plainJson(object), JSON.stringify(object));
  }
});

/** Returns a copy of a value with a few changes. @param {unknown} value @param {(limit: number) => number} numbers @returns {unknown} */
function changed(value, numbers) {
  if (typeof value !== "object" || value === null) return numbers(4) === 0 ? randomValue(numbers, 1) : value;
  if (Array.isArray(value)) return value.map((item) => changed(item, numbers)).slice(numbers(9) === 0 ? 1 : 0);
  const members = Object.entries(value).filter(() => numbers(12) > 0);
  return Object.fromEntries(members.map(([key, member]) => [key, changed(member, numbers)]));
}

test("is that text even for objects that differ little from the previous one", () => {
  const numbers = numbersFrom(11);
  const chunk = (/** @type {unknown} */ rest) => ({
    id: "chunk",
    n: 1,
    choices: [{ index: 0, delta: { content: "" }, end: null }],
    rest,
  });
  for (let round = 0; round < 200; round++) {
    let object = chunk(randomValue(numbers, 3));
    const before = object;
    for (let step = 0; step < 20; step++) {
      assert.equal(plainJson(object), JSON.stringify(object));
      object = numbers(8) === 0 ? before : /** @type {typeof object} */ (changed(object, numbers));
    }
  }
});

test("is that text even for long objects", () => {
  const numbers = numbersFrom(13);
  for (let round = 0; round < 20; round++) {
    const object = {
      text: 'é\ud83d"'.repeat(4000),
      value: randomValue(numbers, 4),
      absent: undefined,
      list: [undefined, null, true, 1],
    };
    assert.equal(plainJson(object), JSON.stringify(object));
    assert.deepEqual(
      decode({ choices: [{ message: { content: object.text } }], object }).extra.object,
      JSON.parse(JSON.stringify(object)),
    );
  }
});

test("a failure leaves nothing of the object behind", () => {
  const object = { id: "a".repeat(90), text: "b", count: 12, list: [{ c: "d" }] };
  const text = JSON.stringify(object);
  for (const broken of [
    { ...object, text: "x".repeat(300_000) },
    { ...object, id: "e".repeat(90), count: 1n },
    { id: Symbol("f") },
  ]) {
    assert.equal(plainJson(object), text);
    assert.equal(plainJson(broken), undefined);
    assert.equal(plainJson(object), text);
  }
});

test("is that text even if members get long one after the other", () => {
  /** @type {Record<string, string>} */
  const object = Object.fromEntries(Array.from({ length: 10 }, (_, nth) => [`member${nth}`, ""]));
  for (let nth = 9; nth >= 0; nth--) {
    object[`member${nth}`] = `${nth}`.repeat(7500);
    assert.equal(plainJson(object), JSON.stringify(object));
  }
});

test("objects of another realm, and without a prototype, are plain", () => {
  for (const object of [vm.runInNewContext("({ a: [1] })"), Object.assign(Object.create(null), { a: [1] })]) {
    assert.equal(plainJson(object), '{"a":[1]}');
  }
});

describe("is undefined for", () => {
  class Chunk {
    id = "chunk";
  }
  const cycle = {};
  cycle.self = cycle;
  let deep = {};
  for (let level = 0; level < 40; level++) deep = { deep };
  const others = {
    "a string": "{}",
    null: null,
    "an instance of a class": new Chunk(),
    "an object that inherits from another": Object.create({ id: "chunk" }),
    bytes: { bytes: new Uint8Array(2) },
    "a date": { date: new Date(0) },
    "a BigInt": { count: 1n },
    "a function": { toJSON: () => "other" },
    "a symbol": { symbol: Symbol("s") },
    NaN: { number: Number.NaN },
    Infinity: [Number.NEGATIVE_INFINITY],
    "a cycle": cycle,
    "deep nesting": deep,
    "a huge text": { text: "x".repeat(300_000) },
    "very many values": { list: Array.from({ length: 300_000 }, () => 1) },
    "a long text with bytes": { text: "x".repeat(10_000), bytes: new Uint8Array(2) },
    "a long text with a function": { text: "x".repeat(10_000), toJSON: () => "other" },
    "a long text with a class": { text: "x".repeat(10_000), chunk: new Chunk() },
    "a long text with a BigInt": { text: "x".repeat(10_000), count: 1n },
    "a long text with NaN": { text: "x".repeat(10_000), number: Number.NaN },
    "a sparse array that claims to be long": { list: Object.assign([], { length: 2 ** 32 - 1 }) },
    "a getter that throws": {
      get id() {
        throw new Error("no");
      },
    },
    "a revoked proxy": (() => {
      const { proxy, revoke } = Proxy.revocable({}, {});
      revoke();
      return { proxy };
    })(),
  };
  for (const [name, value] of Object.entries(others)) test(name, () => assert.equal(plainJson(value), undefined));
});

test("a getter is called once", () => {
  let asked = 0;
  const object = {
    get id() {
      asked += 1;
      return asked;
    },
  };
  assert.equal(plainJson(object), '{"id":1}');
});

test("a getter can't get the JSON text of another object", () => {
  /** @type {unknown} */
  let inner = "";
  const object = {
    id: "before",
    get other() {
      inner = plainJson({ id: "inner", other: "text", more: 1 });
      return "other";
    },
    more: 2,
  };
  for (let time = 0; time < 3; time++) assert.equal(plainJson(object), '{"id":"before","other":"other","more":2}');
  assert.equal(inner, undefined);
});

describe("an object with a class", () => {
  /** A class like @google/genai's, whose getters print warnings. */
  class GeminiResponse {
    constructor(members) {
      Object.assign(this, members);
    }
    get text() {
      throw new Error("asked for its text");
    }
    get data() {
      throw new Error("asked for its data");
    }
  }
  const members = { candidates: [{ content: { parts: [{ text: "Ebb." }] } }], usageMetadata: { promptTokenCount: 5 } };

  test("is read without getters that repeat its members", () => {
    assert.equal(plainJson(new GeminiResponse(members)), JSON.stringify(members));
    const large = { ...members, candidates: [{ content: { parts: [{ text: "Ebb. ".repeat(60_000) }] } }] };
    for (const response of [members, large].map((one) => new GeminiResponse(one))) {
      assert.equal(plainJson(response) === undefined, response.candidates === large.candidates);
      assert.equal(decode(response).warnings, undefined);
      assert.match(decode(response).message, /^(?:Ebb\. ?)+$/);
      const accumulator = new StreamAccumulator();
      accumulator.push(response);
      const { warnings, usage } = accumulator.finish();
      assert.deepEqual([warnings, usage.promptTokens], [[], 5]);
    }
  });

  test("is read with getters for data that its members lack", () => {
    class Chunk {
      choices = [{ index: 0, delta: { content: "Ebb." }, finish_reason: "stop" }];
      get usage() {
        return { prompt_tokens: 7 };
      }
    }
    class Hidden {
      #choices = [{ index: 0, delta: { content: "Ebb." }, finish_reason: "stop" }];
      id = "chunk";
      get choices() {
        return this.#choices;
      }
    }
    for (const chunk of [new Chunk(), new Hidden()]) {
      assert.equal(plainJson(chunk), undefined);
      const accumulator = new StreamAccumulator();
      accumulator.push(chunk);
      const { text, usage } = accumulator.finish();
      assert.deepEqual([text, usage?.promptTokens], ["Ebb.", chunk instanceof Chunk ? 7 : undefined]);
    }
  });
});
