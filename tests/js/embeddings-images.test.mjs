// Embeddings come as vectors, images as their addresses or bytes: one by itself, several as a list.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { DecodeError, process } from "respool";
import { BASE64_VECTOR, embeddings } from "./answers.mjs";

const EMPTY = { name: "DecodeError", code: "empty-response" };

describe("embeddings", () => {
  test("one, and several", () => {
    assert.deepEqual(process({}, embeddings([1, -2.5, 1e-7])), [1, -2.5, 1e-7]);
    assert.deepEqual(process({}, embeddings([1], [2], [3])), [[1], [2], [3]]);
  });

  test("base64", () => {
    assert.deepEqual(process({}, embeddings(BASE64_VECTOR)), [0.5, -2]);
    assert.deepEqual(process({}, JSON.stringify(embeddings(BASE64_VECTOR, [1, 2]))), [[0.5, -2], [1, 2]]);
  });

  test("float32", () => {
    for (const vector of [[0.5, -2], BASE64_VECTOR]) {
      assert.deepEqual(process({}, embeddings(vector), { vectors: "float32" }), Float32Array.of(0.5, -2));
      const [first, second] = process({}, embeddings(vector, vector), { vectors: "float32" });
      assert.deepEqual([first, second], [Float32Array.of(0.5, -2), Float32Array.of(0.5, -2)]);
    }
  });

  test("the order is that of the indices", () => {
    const body = embeddings([1], [2], [3]);
    body.data.reverse();
    assert.deepEqual(process({}, body), [[1], [2], [3]]);
  });

  test("none", () => {
    assert.throws(() => process({}, embeddings()), { ...EMPTY, message: "Empty embedding response" });
    assert.throws(() => process({ model: { apiType: "embedding" } }, { data: [] }), { ...EMPTY, message: "Empty embedding response" });
  });

  test("no vector", () => {
    for (const vector of ["???", "AACA", [1, "2"], [null], {}, 7]) {
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

  test("the address goes before the bytes", () => assert.equal(process({}, { data: [{ b64_json: "aGk=", url: "a" }] }), "a"));

  test("items with neither are skipped", () => {
    assert.deepEqual(process({}, { data: [{ url: "a" }, { revised_prompt: "a cat" }, { url: "" }, { url: "b" }] }), ["a", "b"]);
  });

  test("none", () => {
    const agent = { model: { provider: "openai", apiType: "image" } };
    for (const data of [[], [{ url: "" }]]) {
      assert.throws(() => process(agent, { data }), { ...EMPTY, message: "Empty image response" });
    }
  });
});
