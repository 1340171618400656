// Usage in each chunk, which is read, merged and copied differently from usage that is sent once.
import assert from "node:assert/strict";
import test from "node:test";
import { StreamAccumulator } from "respool";

/** Returns a generator of numbers below a limit, the same for each seed. */
function random(seed) {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

/** Usage objects whose numbers can be replaced by position, and others for which that would be wrong. */
const USAGES = [
  (n) => `{"prompt_tokens":57,"completion_tokens":${n},"total_tokens":${57 + n}}`,
  (n) =>
    `{"prompt_tokens":57,"completion_tokens":${n},"total_tokens":${57 + n},"completion_tokens_details":{"reasoning_tokens":${n >> 1}}}`,
  (n) => `{"prompt_tokens": 5, "completion_tokens": ${n}}`,
  (n) => `{"completion_tokens":${n},"2":${n},"1":7,"completion_tokens":${n}}`,
  (n) => `{"completion_tokens":${n},"time":${n}.5,"cost":1.0,"debt":-${n}}`,
  (n) => `{"completion_tokens":${n * 4_000_000_000}}`,
  (n) => `{"completion_tokens":${n},"tier":"\\":${n}","list":[${n},{"a":${n}}]}`,
  (n) => `{"completion_tokens":${n},"tier":"x${n}","list":[${n},{"a":${n}}]}`,
  (n) => `{"completion_tokens":${n},"__proto__":{"a":${n}}}`,
  () => "null",
];

const WORDS = ["a", " word", "é", "\\n", "😀"];

/** Returns the events of a stream, and the JSON of the usage of each. */
function eventsOf(next) {
  let usage = USAGES[next(USAGES.length)];
  let count = 0;
  return Array.from({ length: 2 + next(20) }, () => {
    if (next(8) === 0) usage = USAGES[next(USAGES.length)];
    if (next(4) > 0) count += 1 + next(30);
    const delta = next(6) === 0 ? "{}" : `{"${next(5) ? "content" : "reasoning_content"}":"${WORDS[next(WORDS.length)]}"}`;
    const raw = usage(count);
    return { raw, wire: `data: {"id":"a","choices":[{"index":0,"delta":${delta}}],"usage":${raw}}\n\n` };
  });
}

/** Returns the deltas as one read emits them: text is merged, and only the last usage is kept. */
function joined(deltas) {
  const last = deltas.findLastIndex(({ type }) => type === "usage");
  const list = [];
  for (const [at, delta] of deltas.entries()) {
    if (delta.type === "usage" && at !== last) continue;
    const before = list.at(-1);
    if (before?.type === delta.type && "text" in delta) before.text += delta.text;
    else list.push({ ...delta });
  }
  return list;
}

const encode = (text) => new TextEncoder().encode(text);

test("usage in each chunk is the same however it is read", () => {
  for (let seed = 0; seed < 150; seed++) {
    const next = random(seed);
    // Several streams share the caches of events and of usage.
    const streams = Array.from({ length: 1 + next(3) }, () => ({
      events: eventsOf(next),
      read: new StreamAccumulator(),
      single: new StreamAccumulator({ coalesce: false, templates: false }),
    }));
    while (streams.some(({ events }) => events.length > 0)) {
      for (const { events, read, single } of streams) {
        const taken = events.splice(0, 1 + next(4));
        const deltas = read.pushBytes(encode(taken.map(({ wire }) => wire).join("")));
        const singly = taken.flatMap(({ wire, raw }) => {
          const found = single.pushBytes(encode(wire));
          for (const { type, usage } of found) if (type === "usage") assert.deepEqual(usage.raw, JSON.parse(raw));
          return found;
        });
        assert.deepEqual(deltas, joined(singly), `seed ${seed}`);
      }
    }
    for (const { read, single } of streams) {
      assert.deepEqual(read.finish(), single.finish(), `seed ${seed}`);
      read.free();
      single.free();
    }
  }
});

test("changing a usage delta doesn't change later ones", () => {
  const accumulator = new StreamAccumulator();
  const usages = Array.from({ length: 5 }, (_, at) => {
    const wire = `data: {"choices":[{"delta":{"content":"x"}}],"usage":{"completion_tokens":${at},"details":{"a":${at}}}}\n\n`;
    const { usage } = accumulator.pushBytes(encode(wire)).find(({ type }) => type === "usage");
    const copy = structuredClone(usage);
    usage.raw.details.a = -1;
    usage.raw.details.b = -1;
    return copy;
  });
  assert.deepEqual(
    usages.map(({ raw }) => raw),
    Array.from({ length: 5 }, (_, at) => ({ completion_tokens: at, details: { a: at } })),
  );
  accumulator.free();
});
