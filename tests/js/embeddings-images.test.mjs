// Embeddings as vectors, and images as URLs or base64: one alone, or several as a list.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { DecodeError, process } from "respool";
import { BASE64_VECTOR, embeddings } from "./answers.mjs";
import { numbersFrom } from "./random.mjs";

const EMPTY = { name: "DecodeError", code: "empty-response" };

describe("embeddings", () => {
  test("one, and several", () => {
    assert.deepEqual(process({}, embeddings([1, -2.5, 1e-7])), [1, -2.5, 1e-7]);
    assert.deepEqual(process({}, embeddings([1], [2], [3])), [[1], [2], [3]]);
  });

  test("in the result of SAP's orchestration", () => {
    assert.deepEqual(process({}, { request_id: "r-1", final_result: embeddings([1], [2]) }), [[1], [2]]);
  });

  test("base64", () => {
    assert.deepEqual(process({}, embeddings(BASE64_VECTOR)), [0.5, -2]);
    assert.deepEqual(process({}, JSON.stringify(embeddings(BASE64_VECTOR, [1, 2]))), [
      [0.5, -2],
      [1, 2],
    ]);
  });

  test("numbers of any length equal those of JSON.parse", () => {
    const next = numbersFrom(5);
    const digits = (count) => Array.from({ length: count }, () => next(10)).join("");
    const number = (at) => {
      const [sign, whole] = [next(2) ? "-" : "", next(4) ? "0" : `${1 + next(9)}${digits(next(3))}`];
      const exponent = next(8) ? "" : `${next(2) ? "e" : "E"}${["", "+", "-"][next(3)]}${next(30)}`;
      return `${sign}${whole}.${digits(1 + (at % 20))}${exponent}`;
    };
    const numbers = Array.from({ length: 20_000 }, (_, at) => number(at));
    for (const separator of [",", " , ", ",\n"]) {
      const body = `{"data":[{"embedding":[${numbers.join(separator)}]}]}`;
      const expected = numbers.map((text) => JSON.parse(text));
      assert.deepEqual(process({}, body), expected);
      assert.deepEqual(process({}, body, { vectors: "float32" }), Float32Array.from(expected));
    }
    for (const wrong of ["0.", "-.5", "0.5.5", "00.5", "0.5e", "+0.5", "0.1234567890123456x"]) {
      const body = `{"data":[{"embedding":[${numbers.slice(0, 99)},${wrong}]}]}`;
      assert.throws(() => process({}, body), { code: "invalid-json" }, wrong);
    }
  });

  test("float32", () => {
    for (const vector of [[0.5, -2], BASE64_VECTOR]) {
      assert.deepEqual(process({}, embeddings(vector), { vectors: "float32" }), Float32Array.of(0.5, -2));
      const [first, second] = process({}, embeddings(vector, vector), { vectors: "float32" });
      assert.deepEqual([first, second], [Float32Array.of(0.5, -2), Float32Array.of(0.5, -2)]);
    }
  });

  test("float64", () => {
    for (const vector of [[0.5, -2], BASE64_VECTOR]) {
      for (const body of [embeddings(vector), JSON.stringify(embeddings(vector))]) {
        assert.deepEqual(process({}, body, { vectors: "float64" }), Float64Array.of(0.5, -2));
      }
    }
  });

  test("numbers equal those of JSON.parse, rounded as by a typed array", () => {
    const texts = ["-0.006929283495992422", "1.2345678901234567e-5", "0.1", "-0", "1e400", "123456789012345678901", "5e-324"];
    const vector = Array.from({ length: 70 }, () => texts).flat();
    const body = new TextEncoder().encode(`{"data": [{"embedding": [${vector.join(", ")}]}]}`);
    const expected = vector.map(Number);
    assert.deepEqual(process({}, body), expected);
    assert.deepEqual(process({}, body, { vectors: "float64" }), Float64Array.from(expected));
    assert.deepEqual(process({}, body, { vectors: "float32" }), Float32Array.from(expected));
  });

  test("an array of a parsed object is returned unchanged", () => {
    const vectors = [[1, 2.5], [], [3]];
    const result = process({}, embeddings(...vectors));
    for (const [index, vector] of vectors.entries()) assert.equal(result[index], vector);
    const typed = Float32Array.of(0.5, -2);
    assert.equal(process({}, embeddings(typed), { vectors: "float32" }), typed);
    assert.deepEqual(process({}, embeddings(typed)), [0.5, -2]);
    assert.deepEqual(process({}, embeddings([0.1]), { vectors: "float32" }), Float32Array.of(0.1));
    assert.deepEqual(process({}, embeddings([1n, 2])), [1, 2]);
  });

  test("vectors are sorted by index", () => {
    const body = embeddings([1], [2], [3]);
    body.data.reverse();
    assert.deepEqual(process({}, body), [[1], [2], [3]]);
  });

  test("an empty list", () => {
    assert.throws(() => process({}, embeddings()), { ...EMPTY, message: "Empty embedding response" });
    assert.throws(() => process({ model: { apiType: "embedding" } }, { data: [] }), {
      ...EMPTY,
      message: "Empty embedding response",
    });
  });

  test("an invalid vector", () => {
    // biome-ignore lint/suspicious/noSparseArray: this is about holes
    for (const vector of ["???", "AACA", [1, "2"], [null], [1, , 2], {}, 7]) {
      const read = () => process({}, embeddings([1], vector));
      assert.throws(read, (error) => error instanceof DecodeError && /data\[1\]/.test(error.message), JSON.stringify(vector));
    }
  });
});

describe("images", () => {
  test("one, and several", () => {
    assert.equal(process({}, { data: [{ url: "https://example.test/1.png" }] }), "https://example.test/1.png");
    assert.deepEqual(process({}, { data: [{ url: "a" }, { b64_json: "aGk=" }] }), ["a", "aGk="]);
  });

  test("the URL takes precedence over the bytes", () =>
    assert.equal(process({}, { data: [{ b64_json: "aGk=", url: "a" }] }), "a"));

  test("items with neither are skipped", () => {
    assert.deepEqual(process({}, { data: [{ url: "a" }, { revised_prompt: "a cat" }, { url: "" }, { url: "b" }] }), ["a", "b"]);
  });

  test("no image", () => {
    const agent = { model: { provider: "openai", apiType: "image" } };
    for (const data of [[], [{ url: "" }]]) {
      assert.throws(() => process(agent, { data }), { ...EMPTY, message: "Empty image response" });
    }
    assert.throws(() => process({}, { created: 1, data: [] }), { ...EMPTY, message: "Empty image response" });
  });
});
