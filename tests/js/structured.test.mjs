// Structured output: JSON is returned parsed, along with its text.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { process, RAW_JSON } from "respool";
import { chatBody } from "./answers.mjs";

const AGENT = { outputs: [{ name: "answer", kind: "string" }] };
const structured = (content) => process(AGENT, chatBody(content));

describe("structured output", () => {
  test("objects and arrays keep their text", () => {
    for (const json of ['{"port": "Bodø", "n": 90071992547409931}', "[1, [2], {}]", ' {"spaces":\n1} ', "{}", "[]"]) {
      const result = structured(json);
      assert.deepEqual(result, JSON.parse(json));
      assert.equal(result[RAW_JSON], json);
    }
  });

  test("the JSON text isn't enumerable", () => {
    const result = structured('{"a":1}');
    assert.deepEqual(Object.keys(result), ["a"]);
    assert.equal(Object.getOwnPropertyDescriptor(result, RAW_JSON).enumerable, false);
    assert.equal(JSON.stringify(result), '{"a":1}');
    assert.equal(RAW_JSON in { ...result }, false);
  });

  test("scalars", () => {
    for (const [json, value] of [
      ["5", 5],
      ["-1.5e3", -1500],
      ["true", true],
      ["null", null],
      ['"s"', "s"],
    ]) {
      assert.equal(structured(json), value, json);
    }
  });

  test("text that isn't JSON stays text", () => {
    for (const text of ['```json\n{"a":1}\n```', "No.", '{"a":1', '{"a":1} and more', "{'a':1}", "NaN"]) {
      assert.equal(structured(text), text);
    }
  });

  test("prototype names are plain data", () => {
    const json = '{"__proto__":{"admin":true},"constructor":1,"toString":"x"}';
    const result = structured(json);
    assert.deepEqual(Object.keys(result), ["__proto__", "constructor", "toString"]);
    assert.equal(Object.getPrototypeOf(result), Object.prototype);
    assert.equal(result.admin, undefined);
    assert.equal({}.admin, undefined);
  });

  test("only if the agent has outputs", () => {
    const body = chatBody('{"a":1}');
    for (const outputs of [undefined, null, [], {}, "", false, 0]) assert.equal(process({ outputs }, body), '{"a":1}');
    for (const outputs of [[{}], { a: {} }, "schema", true]) assert.deepEqual(process({ outputs }, body), { a: 1 });
  });

  test("tool calls take precedence", () => {
    const body = chatBody('{"a":1}');
    body.choices[0].message.tool_calls = [
      { id: "c", type: "function", function: { name: "f", arguments: '{"n":90071992547409931}' } },
    ];
    assert.deepEqual(process(AGENT, body), [{ id: "c", name: "f", arguments: '{"n":90071992547409931}' }]);
  });

  test("a refusal isn't structured output", () => {
    const body = chatBody(null);
    body.choices[0].message.refusal = "5";
    assert.equal(process(AGENT, body), "5");
  });
});
