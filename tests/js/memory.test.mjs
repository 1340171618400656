// The memory of the module: little per accumulator, all of it released, and no growth over time.
import assert from "node:assert/strict";
import { test } from "node:test";
import { callChunk, chunk, sseBytes } from "./answers.mjs";
import { StreamAccumulator, memoryBytes } from "./memory.mjs";

const BYTES = sseBytes([chunk("The ferry"), chunk(" leaves")]).subarray(0, -14);

const open = (count, options) => Array.from({ length: count }, () => new StreamAccumulator(options));
const close = (accumulators) => {
  for (const accumulator of accumulators) accumulator.free();
};

// This test comes first, because memory that others released would hide a leak.
test("100,000 accumulators in sequence need no more memory than the first ones", () => {
  const call = callChunk({ id: "c", function: { name: "f", arguments: "{" } });
  const uses = [
    (accumulator) => [accumulator.push(chunk("a")), accumulator.push(chunk("b")), accumulator.push(chunk("é"))],
    (accumulator) => [accumulator.pushBytes(BYTES), accumulator.pushBytes(BYTES.subarray(0, 40))],
    (accumulator) => [accumulator.push(call), accumulator.pushBytes(BYTES), accumulator.push(chunk("c"))],
    (accumulator) => [accumulator.pushBytes(BYTES), accumulator.finish()],
    (accumulator) => [accumulator.push({ odd: 1 }), accumulator.snapshot(), accumulator.abort("enough")],
  ];
  const run = (count) => {
    let given = 0;
    for (let nth = 0; nth < count; nth++) {
      const accumulator = new StreamAccumulator({ coalesce: nth % 3 > 0, templates: nth % 7 > 0 });
      given += uses[nth % uses.length](accumulator).flat().length;
      accumulator.free();
    }
    return given;
  };
  assert.ok(run(1000) >= 1000, "all have given something");
  const after = memoryBytes();
  run(100_000);
  assert.equal(memoryBytes(), after);
});

test("10,000 open accumulators take less than 4 KB each, and release it", () => {
  const before = memoryBytes();
  const accumulators = open(10_000);
  const grown = memoryBytes() - before;
  assert.ok(grown > 0, "it is the memory of the module that is looked at");
  assert.ok(grown / 10_000 < 4096, `${grown / 10_000} bytes each`);
  close(accumulators);
  const after = memoryBytes();
  for (let round = 0; round < 3; round++) close(open(10_000));
  assert.equal(memoryBytes(), after, "opened again");
});

test("10,000 streams take less than 4 KB each after 60 events", () => {
  const events = Array.from({ length: 60 }, (_, nth) => sseBytes([chunk(` ${"word".slice(nth % 4)}`)]).subarray(0, -14));
  const before = memoryBytes();
  const accumulators = open(10_000);
  const sizes = new Set();
  for (const event of events) {
    for (const accumulator of accumulators) {
      accumulator.pushBytes(event);
      sizes.add(memoryBytes());
    }
  }
  assert.ok(sizes.size > 1 && sizes.size < 10, `it grows in ${sizes.size} steps`);
  const grown = memoryBytes() - before;
  assert.equal(accumulators[9999].snapshot().text.length, 210);
  close(accumulators);
  assert.ok(grown / 10_000 < 4096, `${grown / 10_000} bytes each`);
});

test("10,000 open accumulators that have read an event release their memory", () => {
  const fill = (accumulators) => {
    for (const [at, accumulator] of accumulators.entries()) {
      if (at % 2 === 0) accumulator.push(chunk("The ferry"));
      else accumulator.pushBytes(BYTES);
    }
    return accumulators;
  };
  close(fill(open(10_000)));
  const after = memoryBytes();
  for (let round = 0; round < 3; round++) close(fill(open(10_000)));
  assert.equal(memoryBytes(), after);
});

/** Streams with a text or an argument of various sizes, and the size of their reads. */
function* streams() {
  for (let nth = 0; nth < 200; nth++) {
    const size = nth === 100 ? 30 << 20 : (nth * 7919) % 60_000;
    const piece = "x".repeat(nth === 100 ? 1 << 20 : 50);
    const event = (text) => (nth % 2 === 0 ? callChunk({ id: "c", function: { arguments: text } }) : chunk(text));
    const events = [callChunk({ id: "c", function: { name: "f", arguments: '["' } })];
    for (let at = 0; at < size; at += piece.length) events.push(event(piece));
    yield { bytes: sseBytes(events), read: nth === 100 ? 8 << 20 : [64, 1000, 1 << 16][nth % 3] };
  }
}

test("200 streams, one of them of 30 MB: reading all again needs no more memory", () => {
  const readAll = () => {
    let largest = 0;
    for (const { bytes, read } of streams()) {
      const accumulator = new StreamAccumulator();
      for (let at = 0; at < bytes.length; at += read) accumulator.pushBytes(bytes.subarray(at, at + read));
      largest = Math.max(largest, accumulator.finish().toolCalls[0].arguments.length);
      accumulator.free();
    }
    assert.ok(largest > 30 << 20, "the large one was read");
  };
  readAll();
  const after = memoryBytes();
  readAll();
  assert.equal(memoryBytes(), after);
});
