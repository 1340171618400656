// PartialJson's values share structure: a returned value never changes, and unchanged containers stay the same object.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { PartialJson, StreamAccumulator, parsePartialJson } from "respool";
import { callChunk } from "./answers.mjs";
import { numbersFrom } from "./random.mjs";

/** Returns the json deltas of a text that arrives in pieces of `size` characters, and the text up to each piece. */
function piecesOf(text, size) {
  const accumulator = new StreamAccumulator({ partialJson: true });
  return Array.from({ length: Math.ceil(text.length / size) }, (_, at) => {
    const piece = text.slice(at * size, (at + 1) * size);
    const call = { index: 0, ...(at === 0 && { id: "c" }), function: { ...(at === 0 && { name: "f" }), arguments: piece } };
    const deltas = accumulator.push(callChunk(call)).filter(({ type }) => type === "json");
    return { deltas, soFar: text.slice(0, (at + 1) * size) };
  });
}

const isContainer = (value) => typeof value === "object" && value !== null;

/** Checks that a container of `value` is the same object as in `before` exactly if its content is equal. */
function assertShared(value, before, path = "") {
  if (!isContainer(value) || !isContainer(before)) return;
  const isSame = JSON.stringify(value) === JSON.stringify(before);
  assert.equal(value === before, isSame, `${path || "the value"}: ${JSON.stringify(value)}`);
  if (isSame) return;
  for (const key of Object.keys(value)) {
    if (Object.hasOwn(before, key)) assertShared(value[key], before[key], `${path}/${key}`);
  }
}

const TEXTS = [
  '{"title":"Bodø","days":[{"n":1,"ports":["a","b"]},{"n":2,"ports":[]},{"n":3}],"note":"long text in pieces","last":{"x":{"y":"z"}}}',
  '[[["a","b"],["c"]],[["d"]],[],{"__proto__":{"x":["y","zz"]}}]',
  '{"a":{"b":["c"]},"a":{"d":"e"},"f":"g"}',
  '"a string alone"',
];

describe("values from get", () => {
  for (const text of TEXTS) {
    test(`never change, and share equal containers: ${text.slice(0, 50)}`, () => {
      for (let size = 1; size <= 9; size++) {
        const live = new PartialJson();
        const seen = [];
        for (const { deltas, soFar } of piecesOf(text, size)) {
          for (const delta of deltas) live.apply(delta);
          const value = live.get(0);
          assert.equal(live.get(0), value, "without a delta it is the same");
          assertShared(value, seen.at(-1)?.value);
          seen.push({ value, json: JSON.stringify(value), soFar });
        }
        for (const { value, json, soFar } of seen) {
          assert.equal(JSON.stringify(value), json, `it was handed out after ${soFar}`);
        }
        assert.deepEqual(seen.at(-1).value, JSON.parse(text));
      }
    });
  }

  test("can be read at any time, in any order of calls", () => {
    const random = numbersFrom(20251122);
    for (let round = 0; round < 200; round++) {
      const texts = [TEXTS[random(2)], TEXTS[random(2)]];
      const queues = texts.map((text, index) =>
        piecesOf(text, 1 + random(12)).flatMap(({ deltas }) => deltas.map((delta) => ({ ...delta, index }))),
      );
      const [live, plain] = [new PartialJson(), new PartialJson()];
      const seen = [];
      while (queues.some((queue) => queue.length > 0)) {
        const index = random(2);
        const delta = queues[index].shift();
        if (delta === undefined) continue;
        assert.equal(live.apply(delta), true);
        plain.apply(delta);
        if (random(3) === 0) seen.push({ value: live.get(index), json: JSON.stringify(plain.peek(index)) });
      }
      for (const { value, json } of seen) assert.equal(JSON.stringify(value), json);
      assert.deepEqual(
        [live.get(0), live.get(1)],
        texts.map((text) => JSON.parse(text)),
      );
    }
  });

  test("equal parsePartialJson of the text so far, also for peek", () => {
    const [text] = TEXTS;
    const live = new PartialJson();
    for (const { deltas, soFar } of piecesOf(text, 3)) {
      for (const delta of deltas) live.apply(delta);
      assert.deepEqual(live.peek(0), parsePartialJson(soFar).value);
      if (soFar.length % 2 === 0) assert.deepEqual(live.get(0), parsePartialJson(soFar).value);
    }
  });

  test("a delta that changes nothing leaves the same value", () => {
    const live = new PartialJson();
    live.apply({ type: "json", index: 0, path: [], value: {}, done: false });
    live.apply({ type: "json", index: 0, path: ["a"], value: "b", done: false });
    const value = live.get(0);
    live.apply({ type: "json", index: 0, path: ["a"], done: true });
    live.apply({ type: "json", index: 0, path: [], done: true });
    assert.equal(live.get(0), value);
    assert.equal(live.isDone(0), true);
  });
});

describe("the work for a list of 10,000 items", () => {
  const ITEMS = 10_000;
  const text = JSON.stringify({ items: Array.from({ length: ITEMS }, (_, at) => ({ id: at, name: `item ${at}` })) });
  const deltas = piecesOf(text, 24).flatMap((piece) => piece.deltas);

  /** Counts the array members that are copied while deltas are applied, with a call of `afterEach` after each. */
  function copiedWhile(afterEach) {
    const live = new PartialJson();
    let copied = 0;
    const { slice } = Array.prototype;
    Array.prototype.slice = function (...range) {
      copied += this.length;
      return slice.apply(this, range);
    };
    try {
      for (const [at, delta] of deltas.entries()) {
        live.apply(delta);
        afterEach(live, at);
      }
    } finally {
      Array.prototype.slice = slice;
    }
    assert.equal(live.get(0).items.length, ITEMS);
    return copied;
  }

  test("apply copies nothing by itself, however often the value is peeked at", () => {
    assert.equal(
      copiedWhile((live) => live.peek(0)),
      0,
    );
    const objects = new Set();
    copiedWhile((live) => objects.add(live.peek(0).items));
    assert.ok(objects.size <= 2, `${objects.size} lists`); // at most undefined and one list
  });

  test("get copies the list once per call", () => {
    const frames = 100;
    const every = Math.floor(deltas.length / frames);
    const copied = copiedWhile((live, at) => at % every === 0 && live.get(0));
    assert.ok(copied > 0, "the count counts");
    assert.ok(copied <= (frames + 1) * ITEMS, `${copied} members for ${frames} values`);
  });
});
