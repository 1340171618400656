// LoopDetector alone, and as an option of the accumulator.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { LoopDetector, RespoolError, StreamAccumulator, streamDeltas } from "respool";
import { collect } from "./sources.mjs";

const LINE = "Let me check that again.\n";

/** Returns a detector that has been fed some texts. */
function fed(pieces, options) {
  const detector = new LoopDetector(options);
  for (const piece of pieces) detector.feed(piece);
  return detector;
}

const chunk = (content) => ({ choices: [{ index: 0, delta: { content } }] });

/** Returns the warnings of a stream of these chunks. */
function warningsOf(chunks, loopDetector, options) {
  const stream = new StreamAccumulator({ loopDetector, ...options });
  const deltas = chunks.flatMap((each) => stream.push(each));
  const { warnings } = stream.finish();
  stream.free();
  assert.deepEqual(
    deltas.filter(({ type }) => type === "warning").map(({ code, message }) => ({ code, message })),
    warnings,
  );
  return { deltas, warnings };
}

describe("LoopDetector", () => {
  test("fires, says why, and starts again", () => {
    const detector = new LoopDetector();
    for (let nth = 1; nth < 25; nth++) assert.equal(detector.feed(LINE), false);
    assert.deepEqual([detector.triggered, detector.reason], [false, undefined]);
    assert.equal(detector.feed(LINE), true);
    assert.equal(detector.feed("Something else."), true);
    assert.equal(detector.reason, 'the line "Let me check that again." came 25 times in a row');
    detector.reset();
    assert.deepEqual([detector.triggered, detector.reason, detector.feed(LINE.repeat(24))], [false, undefined, false]);
    assert.equal(detector.feed(LINE), true);
    detector.free();
    detector.free();
    const uses = [() => detector.feed(""), () => detector.reset(), () => detector.triggered, () => detector.reason];
    for (const use of uses)
      assert.throws(use, { name: "RespoolError", code: "stream-finished", message: /LoopDetector was freed/ });
  });

  test("splits inside a character make no difference", () => {
    const line = "😀 wieder und wieder\n".repeat(25);
    const whole = fed([line]);
    const cut = fed(line.split(""));
    assert.equal(cut.triggered, true);
    assert.equal(cut.reason, whole.reason);
    assert.match(cut.reason, /😀/u);
  });

  test("options", () => {
    const twice = { tiers: [{ length: 0, repeats: 2 }] };
    assert.equal(fed(["a\na\n"], twice).triggered, true);
    assert.equal(fed(["a\nb\na\nb\n"], twice).triggered, true);
    assert.equal(fed(["a\nb\na\nb\n"], { ...twice, blockLines: 1 }).triggered, false);
    assert.equal(fed(["ab".repeat(1000)], twice).triggered, true);
    assert.equal(fed(["ab".repeat(1000)], { ...twice, phrases: false }).triggered, false);
    const tiers = [
      { length: 1, repeats: 9 },
      { length: 5, repeats: 3 },
    ];
    assert.equal(fed(["abcde\n".repeat(3)], { tiers }).triggered, true, "the longest tier counts, in any order");
    assert.equal(fed(["abcd\n".repeat(8)], { tiers }).triggered, false);
  });

  test("invalid options", () => {
    const wrong = [
      5,
      [],
      { tier: [] },
      { tiers: [] },
      { tiers: 5 },
      { tiers: Array(9).fill({ length: 1, repeats: 2 }) },
      { tiers: [5] },
      { tiers: [{ length: -1, repeats: 2 }] },
      { tiers: [{ length: 1, repeats: 1 }] },
      { tiers: [{ length: 1 }] },
      { blockLines: 0 },
      { blockLines: 9 },
      { blockLines: 1.5 },
      { phrases: "no" },
    ];
    for (const options of wrong) {
      assert.throws(() => new LoopDetector(options), { name: "RespoolError", code: "invalid-option" }, JSON.stringify(options));
      const loopDetector = options;
      assert.throws(
        () => new StreamAccumulator({ loopDetector }),
        { code: "invalid-option", message: /loopDetector/ },
        JSON.stringify(options),
      );
    }
    assert.throws(() => new LoopDetector({ tiers: [] }), { message: /tiers must be a list of 1 to 8 .*, not of 0$/ });
    assert.throws(() => new StreamAccumulator({ loopDetector: "yes" }), {
      message: 'options.loopDetector must be true, false or an object, not "yes"',
    });
    for (const text of [undefined, null, 5, {}]) {
      assert.throws(
        () => new LoopDetector().feed(text),
        (error) => RespoolError.isInstance(error) && error.code === "invalid-chunk",
      );
    }
  });
});

describe("loopDetector of a stream", () => {
  const chunks = Array.from({ length: 40 }, () => chunk(LINE));

  test("warns once, after the repeated text", () => {
    for (const templates of [true, false]) {
      const { deltas, warnings } = warningsOf(chunks, true, { templates });
      assert.equal(warnings.length, 1);
      assert.deepEqual(deltas[25], {
        type: "warning",
        code: "repeated-line-loop",
        message: 'The text repeats itself: the line "Let me check that again." came 25 times in a row',
      });
      assert.equal(deltas.length, 41);
    }
  });

  test("bytes lead to the same warning", async () => {
    const pieces = chunks.map((each) => `data: ${JSON.stringify(each)}\n\n`);
    const deltas = await collect(streamDeltas(pieces, { loopDetector: {} }));
    assert.deepEqual(
      deltas.flatMap(({ type, code }) => (type === "warning" ? [code] : [])),
      ["repeated-line-loop"],
    );
  });

  test("options, and disabled", () => {
    assert.equal(warningsOf(chunks, { tiers: [{ length: 0, repeats: 41 }], phrases: false, blockLines: 1 }).warnings.length, 0);
    for (const off of [undefined, null, false]) assert.equal(warningsOf(chunks, off).warnings.length, 0);
  });
});
