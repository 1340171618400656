// Reads of one event each, most of which differ from the last only in their text. That text is emitted before the stream
// accounts for it, which must only change the speed.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { StreamAccumulator } from "respool";
import { sseText } from "./answers.mjs";
import { compare } from "./compare.mjs";
import { INTERFACES, MARKUP, NEAR_REPEATS, randomEvents } from "./near-repeats.mjs";
import { numbersFrom } from "./random.mjs";

const encode = (text) => new TextEncoder().encode(text);
const readOf = (event) => encode(sseText([event])[0]);

/** Returns an event as a read; undefined if it can't be written as JSON. */
function readOrNone(make) {
  try {
    return readOf(make());
  } catch {
    return undefined;
  }
}

describe("near-repeats", () => {
  for (const { name, first, repeated } of INTERFACES) {
    for (const [what, others] of NEAR_REPEATS) {
      const cases = repeated.map((make) => ({ make, reads: others(make).map(readOrNone).filter(Boolean) }));
      if (cases.every(({ reads }) => reads.length === 0)) continue;
      test(`${name}, ${what}`, () => {
        for (const { make, reads } of cases) {
          const like = ["a", "b", "c", "d"].map((text) => readOf(make(text)));
          for (const other of reads) compare([...first.map(readOf), ...like, other, ...like, other, other, ...like]);
        }
      });
    }

    test(`${name}, another byte anywhere`, () => {
      for (const make of repeated) {
        const like = ["a", "b", "c"].map((text) => readOf(make(text)));
        for (const [nth, byte] of [...'\n"\\7 }\x80'].map((letter) => letter.charCodeAt(0)).entries()) {
          for (let at = nth % 3; at < like[0].length; at += 3) {
            const other = like[0].slice();
            other[at] = byte;
            compare([...first.map(readOf), ...like, other, ...like]);
          }
        }
      }
    });

    test(`${name}, cut anywhere, and more than one event`, () => {
      for (const make of repeated) {
        const [one, two, three] = ["a", '"b\n', "日本"].map((text) => readOf(make(text)));
        for (let at = 0; at <= one.length; at++) {
          const [head, tail] = [one.subarray(0, at), one.subarray(at)];
          compare([
            ...first.map(readOf),
            one,
            one,
            two,
            head,
            tail,
            one,
            Buffer.concat([three, one]),
            two,
            Buffer.concat([one, head]),
            tail,
            one,
          ]);
        }
      }
    });
  }
});

const SEARCH = { textToolCalls: { tools: [{ name: "f" }] }, reasoningTags: true };
const OPTIONS = [
  {},
  { coalesce: false },
  { partialJson: true },
  { loopDetector: true },
  SEARCH,
  { limits: { maxTotalBytes: 3000 } },
];

describe("random streams", () => {
  for (const { name, first, repeated, between } of INTERFACES) {
    for (const options of OPTIONS) {
      test(`${name}, ${JSON.stringify(options)}`, () => {
        for (let seed = 1; seed <= 40; seed++) {
          const events = [...first, ...randomEvents(numbersFrom(seed), repeated, between)];
          compare(events.map(readOf), options);
        }
      });
    }
  }
});

const EACH_FORMAT = { tools: [{ name: "f" }], formats: ["auto", "xlam", "react", "json-fence", "pythonic", "llama3-json"] };

/** Streams with structured tool calls aren't searched. */
const isCall = (event) => /"(tool_calls|tool_use|function_call)"/.test(JSON.stringify(event));

describe("searched text in chunks that may start a marker", () => {
  for (const { name, first, repeated } of INTERFACES) {
    const start = first.filter((event) => !isCall(event));
    for (const options of [SEARCH, { textToolCalls: EACH_FORMAT }, { reasoningTags: { open: true } }]) {
      for (const form of [readOf, (event) => () => event]) {
        test(`${name}, ${form === readOf ? "bytes" : "objects"}, ${JSON.stringify(options)}`, () => {
          for (let seed = 1; seed <= 40; seed++) {
            const next = numbersFrom(seed);
            // Only a few kinds, so that equal ones follow each other.
            const kinds = Array.from({ length: 2 + next(8) }, () => MARKUP[next(MARKUP.length)]);
            const piece = () => kinds[next(kinds.length)];
            const pieces = Array.from({ length: 60 }, piece);
            compare([...start, ...pieces.map((text) => repeated[0](text))].map(form), options);
          }
        });
      }
    }
  }
});

test("maxTotalBytes is exact to the byte", () => {
  const [{ repeated }] = INTERFACES;
  const reads = ["a", "b", "c", "d", "e"].map((text) => readOf(repeated[0](text)));
  const size = reads.reduce((sum, { length }) => sum + length, 0);
  for (let maxTotalBytes = 1; maxTotalBytes <= size; maxTotalBytes++) compare(reads, { limits: { maxTotalBytes } });
});

/** Pieces of all kinds, more than are buffered at once. */
const PIECES = Array.from(
  { length: 700 },
  (_, at) => [`${at} `, "12345678", "and so on, for more than eight bytes", "é", "日本語", "👩‍🚀", '"\\\n'][at % 7],
);

describe("buffered text", () => {
  for (const { name, first, repeated } of INTERFACES) {
    test(`is in every snapshot and result: ${name}`, () => {
      for (const make of repeated) {
        for (const end of ["finish", "abort", "snapshot"]) {
          const [accumulator, other] = [true, false].map((templates) => new StreamAccumulator({ templates }));
          const both = (read) => [accumulator, other].map((one) => one.pushBytes(read));
          for (const event of first) both(readOf(event));
          PIECES.forEach((piece, at) => {
            const [deltas, expected] = both(readOf(make(piece)));
            assert.deepEqual(deltas, expected);
            assert.equal(deltas.at(-1).text ?? deltas.at(-1).arguments, piece);
            if (at % 97 === 96) assert.deepEqual(accumulator.snapshot(), other.snapshot());
          });
          assert.deepEqual(accumulator[end](), other[end](), end);
          accumulator.free();
          other.free();
        }
      }
    });
  }

  test("keeps its place between chunk objects", () => {
    const [{ first, repeated }] = INTERFACES;
    const steps = ["a", "b", "c", "d", "e", "f"].flatMap((piece) => [
      ...[1, 2, 3, 4].map((nth) => readOf(repeated[0](`${piece}${nth}`))),
      ...[5, 6, 7].map((nth) => () => repeated[0](`${piece}${nth}`)),
    ]);
    assert.match(compare([...first.map((event) => () => event), ...steps]).text, /^(\w[1-7]){42}$/);
  });

  test("has the type of its delta, even if that object was changed", () => {
    const [{ first, repeated }] = INTERFACES;
    for (const make of repeated) {
      const [kept, changed] = [new StreamAccumulator(), new StreamAccumulator()];
      for (const event of [...first, ...["a", "b", "c", "d", "e"].map(make)]) {
        const given = changed.pushBytes(readOf(event));
        assert.deepEqual(given, kept.pushBytes(readOf(event)));
        for (const delta of given) Object.assign(delta, { type: "odd", text: "odd", index: 9, id: "odd", choice: 9 });
      }
      assert.deepEqual(changed.finish(), kept.finish());
    }
  });

  test("has the type of the last chunk, from bytes or objects", () => {
    for (const { first, repeated } of INTERFACES) {
      const [text, ...others] = repeated;
      for (const make of others) {
        const pieces = (of) => ["a", "b", "c", "d"].map((piece) => readOf(of(piece)));
        compare([
          ...first.map(readOf),
          ...pieces(text),
          ...pieces(make).map(({ buffer }) => buffer),
          ...pieces(make),
          ...pieces(text),
        ]);
      }
    }
  });

  test("of two alternating streams", () => {
    const [{ repeated }] = INTERFACES;
    const streams = ["one", "two"].map((name) => ({ name, text: "", accumulator: new StreamAccumulator() }));
    for (const piece of PIECES) {
      for (const stream of streams) {
        const [delta] = stream.accumulator.pushBytes(readOf(repeated[0](stream.name + piece)));
        assert.equal(delta.text, stream.name + piece);
        stream.text += delta.text;
      }
    }
    for (const { accumulator, text } of streams) assert.equal(accumulator.finish().text, text);
  });
});
