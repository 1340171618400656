// Incomplete JSON: json deltas, the growing value, and parsePartialJson.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { PartialJson, RespoolError, StreamAccumulator, parsePartialJson } from "respool";
import { callChunk, chunk, sseBytes } from "./answers.mjs";

/** Chunks with the arguments of a call in pieces of `size` characters. */
function callChunks(json, size, index = 0) {
  const pieces = json.match(new RegExp(`[^]{1,${size}}`, "gu")) ?? [];
  return pieces.map((piece, at) =>
    callChunk({ index, ...(at === 0 && { id: `c${index}` }), function: { ...(at === 0 && { name: "f" }), arguments: piece } }),
  );
}

/** Returns the json deltas of chunks, each pushed alone, and those at the end. */
function jsonDeltas(chunks, options) {
  const accumulator = new StreamAccumulator({ partialJson: true, ...options });
  const deltas = chunks.flatMap((each) => accumulator.push(each));
  accumulator.finish();
  return [...deltas, ...accumulator.takeDeltas()].filter(({ type }) => type === "json");
}

const delta = (rest) => ({ type: "json", index: 0, ...rest });

/** Returns the value that PartialJson builds from deltas. */
function grown(deltas, index = 0, choice = undefined) {
  const live = new PartialJson();
  for (const each of deltas) assert.equal(live.apply(each), true);
  return live.get(index, choice);
}

const TEXTS = [
  "{}",
  "[]",
  '"a"',
  "[null, true, false, -0.5e3, 12]",
  '{"a": {"b": [{"c": "d\\n\\u00e9\\"\\\\"}], "": ""}, "\\u0061": 2}',
  '{"__proto__": {"isAdmin": true}, "constructor": {"prototype": {"x": 1}}, "hasOwnProperty": "y"}',
  '{"a": [1], "a": {"b": 2}, "c": 3, "a": "last"}',
  '{"text": "Bodø 😀 \\ud83d\\ude00 end", "😀": "é"}',
  `${"[".repeat(100)}"deep"${"]".repeat(100)}`,
];

describe("json deltas", () => {
  test("report new values", () => {
    assert.deepEqual(jsonDeltas(callChunks('{"port":"Bodø","days":[12,true]}', 11)), [
      delta({ path: [], value: {}, done: false }),
      delta({ path: ["port"], value: "Bo", done: false }),
      delta({ path: ["port"], append: "dø", done: true }),
      delta({ path: ["days"], value: [], done: false }),
      delta({ path: ["days", 0], value: 12, done: true }),
      delta({ path: ["days", 1], value: true, done: true }),
      delta({ path: ["days"], done: true }),
      delta({ path: [], done: true }),
    ]);
  });

  test("are only emitted with partialJson", () => {
    const accumulator = new StreamAccumulator({ partialJson: false });
    const types = callChunks("[1]", 9)
      .flatMap((each) => accumulator.push(each))
      .map(({ type }) => type);
    assert.deepEqual(types, ["tool-call-start", "tool-call-delta"]);
  });

  test("come after the fragment and before the end of the call", () => {
    const accumulator = new StreamAccumulator({ partialJson: true });
    const types = [...callChunks("[1]", 2), chunk(null, "tool_calls")]
      .flatMap((each) => accumulator.push(each))
      .map(({ type }) => type);
    assert.deepEqual(types, [
      "tool-call-start",
      "tool-call-delta",
      "json",
      "tool-call-delta",
      "json",
      "json",
      "tool-call-end",
      "finish",
    ]);
  });

  test("merge the fragments of a string within one read", () => {
    const bytes = sseBytes(callChunks('{"a":"bcdefg\\nhijk', 3));
    const deltas = new StreamAccumulator({ partialJson: true }).pushBytes(bytes).filter(({ type }) => type === "json");
    assert.deepEqual(deltas, [
      delta({ path: [], value: {}, done: false }),
      delta({ path: ["a"], value: "bcdefg\nhijk", done: false }),
    ]);
  });

  test("arguments that arrive as an object are one value", () => {
    const start = {
      type: "content_block_start",
      index: 0,
      content_block: { type: "tool_use", id: "t", name: "f", input: { a: [1] } },
    };
    const deltas = jsonDeltas([start, { type: "content_block_stop", index: 0 }]);
    assert.deepEqual(deltas, [delta({ path: [], value: { a: [1] }, done: true })]);
  });

  test("no arguments are an empty object", () => {
    const deltas = jsonDeltas([callChunk({ id: "c", function: { name: "f", arguments: "" } }, "tool_calls")]);
    assert.deepEqual(deltas, [delta({ path: [], value: {}, done: true })]);
  });

  test("text, if it is expected to be JSON", () => {
    const chunks = [chunk('{"a"'), chunk(":1}"), chunk("", "stop")];
    assert.deepEqual(jsonDeltas(chunks), []);
    const deltas = jsonDeltas(chunks, { agent: { outputs: [{ name: "a" }] } });
    assert.deepEqual(new Set(deltas.map(({ index }) => index)), new Set(["text"]));
    assert.deepEqual(grown(deltas, "text"), { a: 1 });
  });

  test("text that isn't JSON leads to a warning", () => {
    const accumulator = new StreamAccumulator({ partialJson: true, agent: { outputs: [1] } });
    const deltas = accumulator.push(chunk('{"a":1} is the answer'));
    assert.deepEqual(
      deltas.map(({ type, code }) => code ?? type),
      ["text", "json", "json", "json", "invalid-json"],
    );
    assert.deepEqual(accumulator.finish().warnings, []);
  });

  test("arguments that aren't JSON keep their reported values, and the status says so", () => {
    const accumulator = new StreamAccumulator({ partialJson: true });
    const deltas = accumulator.push(callChunk({ id: "c", function: { name: "f", arguments: '{"a":"b",oh' } }, "stop"));
    assert.deepEqual(grown(deltas.filter(({ type }) => type === "json")), { a: "b" });
    assert.equal(deltas.find(({ type }) => type === "tool-call-end").status, "invalid");
  });

  test("keep choices apart", () => {
    const [first] = callChunks("[0]", 9);
    const second = structuredClone(first);
    second.choices[0].index = 1;
    second.choices[0].delta.tool_calls[0].function.arguments = '{"a":"b"}';
    const deltas = jsonDeltas([first, second]);
    assert.deepEqual([grown(deltas), grown(deltas, 0, 1), grown(deltas, 0, 2)], [[0], { a: "b" }, undefined]);
  });
});

describe("PartialJson", () => {
  for (const text of TEXTS) {
    test(`any split leads to the value: ${text.slice(0, 60)}`, () => {
      for (let size = 1; size <= text.length; size++) {
        // An empty object may be a placeholder until the call is over.
        const chunks = [...callChunks(text, size), chunk("", "tool_calls")];
        assert.deepEqual(grown(jsonDeltas(chunks)), JSON.parse(text));
        assert.deepEqual(
          Object.keys(Object(grown(jsonDeltas(chunks)))),
          Object.keys(Object(JSON.parse(text))),
          "the order of keys",
        );
      }
    });
  }

  test("each value equals parsePartialJson of the text so far", () => {
    for (const text of TEXTS.slice(0, -1)) {
      const accumulator = new StreamAccumulator({ partialJson: true });
      const live = new PartialJson();
      let soFar = "";
      for (const each of callChunks(text, 1)) {
        soFar += each.choices[0].delta.tool_calls[0].function.arguments;
        for (const delta of accumulator.push(each)) live.apply(delta);
        assert.deepEqual(live.get(0), parsePartialJson(soFar).value, soFar);
        assert.equal(live.isDone(0), soFar === text);
      }
    }
  });

  test("calls can arrive in any order", () => {
    const [first, second] = [callChunks('{"a":["b","c"]}', 2, 0), callChunks('{"d":{"e":"fgh"}}', 2, 1)];
    const mixed = first
      .flatMap((each, at) => [each, second[at]])
      .concat(second.slice(first.length))
      .filter(Boolean);
    const deltas = jsonDeltas(mixed);
    assert.deepEqual([grown(deltas, 0), grown(deltas, 1)], [{ a: ["b", "c"] }, { d: { e: "fgh" } }]);
  });

  test("doesn't change deltas", () => {
    const deltas = jsonDeltas(callChunks('{"a":[1,"bc"]}', 1));
    const copies = structuredClone(deltas);
    grown(deltas);
    assert.deepEqual(deltas, copies);
    const whole = { a: { b: 1 } };
    grown([delta({ path: [], value: whole, done: true }), delta({ path: ["a", "b"], value: 2, done: true })]);
    assert.deepEqual(whole, { a: { b: 1 } });
  });

  test("__proto__ in a path doesn't change a prototype", () => {
    const value = grown(jsonDeltas(callChunks('{"__proto__":{"__proto__":{"x":"y"}},"a":1}', 3)));
    assert.equal(Object.getPrototypeOf(value), Object.prototype);
    assert.deepEqual(Object.keys(value), ["__proto__", "a"]);
    assert.equal(value.x, undefined);
    assert.equal({}.x, undefined);
    assert.deepEqual(value, JSON.parse('{"__proto__":{"__proto__":{"x":"y"}},"a":1}'));
  });

  test("rejects mismatched deltas without a change", () => {
    const live = new PartialJson();
    for (const each of [undefined, null, 5, { type: "text", text: "a" }]) assert.equal(live.apply(each), false);
    for (const path of [
      ["__proto__", "x"],
      ["constructor", "prototype", "x"],
      [0, 0],
    ]) {
      assert.equal(live.apply(delta({ path, value: 1, done: true })), false);
      live.apply(delta({ path: [], value: {}, done: false }));
      assert.equal(live.apply(delta({ path, value: 1, done: true })), false);
    }
    assert.deepEqual([live.get(0), {}.x, live.get(1), live.isDone(1)], [{}, undefined, undefined, false]);
    live.apply(delta({ path: ["list"], value: [], done: false }));
    live.apply(delta({ path: ["list", 0], value: 7, done: true }));
    const before = live.get(0);
    for (const rest of [
      { path: ["list", 2], value: 1 },
      { path: ["list", 1e9], value: 1 },
      { path: ["list", -1], value: 1 },
      { path: ["list", 0.5], value: 1 },
      { path: ["list", "length"], value: 1 },
      { path: [5], value: 1 },
      { path: ["list", 0], append: "x" },
      { path: ["list", "length"], append: "x" },
      { path: ["list"], append: "x" },
      { path: ["none"], append: "x" },
      { path: ["list", 0, "x"], value: 1 },
    ]) {
      assert.equal(live.apply(delta({ ...rest, done: true })), false, JSON.stringify(rest));
      assert.equal(live.get(0), before);
    }
    assert.deepEqual(before, { list: [7] });
  });
});

describe("parsePartialJson", () => {
  const CASES = [
    ["", undefined, "partial"],
    [" \n", undefined, "partial"],
    ["nul", undefined, "partial"],
    ["-", undefined, "partial"],
    ["12", 12, "complete"],
    ["[1, 2", [1], "partial"],
    ["[1, 2 ", [1, 2], "partial"],
    ['{"a', {}, "partial"],
    ['{"a":', {}, "partial"],
    ['{"a":"b', { a: "b" }, "partial"],
    ['{"a":"b\\', { a: "b" }, "partial"],
    ['{"a":"b\\u00e', { a: "b" }, "partial"],
    ['["\\ud83d', [""], "partial"],
    ['["\\ud83d\\ude00', ["😀"], "partial"],
    ['["a\ud83d', ["a\ud83d"], "partial"],
    ['["é😀", {"😀": "ø', ["é😀", { "😀": "ø" }], "partial"],
    ['{"a":{"b":[1,{"c":tr', { a: { b: [1, {}] } }, "partial"],
    ['{"a":1,"a":2', { a: 1 }, "partial"],
    [' {"a":1} ', { a: 1 }, "complete"],
    ['{"a":1} x', { a: 1 }, "invalid"],
    ['{"a":1,}', { a: 1 }, "invalid"],
    ['{"a":"b\nc"}', { a: "b" }, "invalid"],
    ["oh", undefined, "invalid"],
    ["```json", undefined, "invalid"],
  ];
  for (const [text, value, state] of CASES) {
    test(JSON.stringify(text), () => assert.deepEqual(parsePartialJson(text), { value, state }));
  }

  test("__proto__ is a member", () => {
    assert.deepEqual(Object.keys(parsePartialJson('{"__proto__":{"a":1').value), ["__proto__"]);
  });

  test("deep and long text", () => {
    const depth = 1000;
    let { value } = parsePartialJson("[".repeat(depth));
    for (let level = 1; level < depth; level++) [value] = value;
    assert.deepEqual(value, []);
    const long = JSON.stringify({ list: Array.from({ length: 50_000 }, (_, at) => `é${at}`) });
    assert.deepEqual(parsePartialJson(long), { value: JSON.parse(long), state: "complete" });
    assert.equal(parsePartialJson(long.slice(0, -3)).value.list.at(-1), "é49999");
  });

  test("only accepts strings", () => {
    for (const text of [undefined, null, 5, {}, new Uint8Array(2)]) {
      assert.throws(
        () => parsePartialJson(text),
        (error) => error instanceof RespoolError && error.code === "invalid-option",
      );
    }
  });
});
