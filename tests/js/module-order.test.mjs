// The build puts functions of the module where compression finds what they have in common.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { orderOf, withOrderAsNames } from "../../scripts/build/order.mjs";

/** Bytes that have little in common with those of another seed. */
function code(seed, length) {
  const bytes = Buffer.alloc(length);
  for (let at = 0, state = seed; at < length; at++) {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    bytes[at] = state >>> 24;
  }
  return bytes;
}

test("a function comes after what it resembles, though that was far away", () => {
  const kinds = [1, 2, 3].map((seed) => code(seed, 6000));
  const functions = [...kinds, ...kinds.map((bytes) => bytes.subarray(100, 3000))];
  assert.deepEqual(orderOf(functions), [0, 3, 1, 4, 2, 5]);
});

test("functions that have nothing in common stay in their order, short ones too", () => {
  assert.deepEqual(orderOf([code(4, 50), Buffer.of(1, 2), code(5, 9000), Buffer.alloc(0), code(6, 20)]), [0, 1, 2, 3, 4]);
});

test("each function of a module gets a place of its own", () => {
  const module = readFileSync(new URL("../../pkg/respool.wasm", import.meta.url));
  const named = withOrderAsNames(module);
  assert.deepEqual(named.subarray(0, module.length), module);
  const [section] = WebAssembly.Module.customSections(new WebAssembly.Module(named), "name");
  const places = Buffer.from(section).toString("latin1").match(/\d{4}/g).map(Number);
  assert.ok(places.length > 1000);
  assert.deepEqual(
    places.toSorted((a, b) => a - b),
    [...places.keys()],
  );
});
