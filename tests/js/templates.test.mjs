// `templates` only changes the speed: with and without it, every push returns the same deltas, and the stream has the same
// result.
import assert from "node:assert/strict";
import { afterEach, describe, test } from "node:test";
import { StreamAccumulator, registerCodec } from "respool";
import { sseBytes, sseText } from "./answers.mjs";
import { compare } from "./compare.mjs";
import { INTERFACES, NEAR_REPEATS, UNSTEADY_REPEATS, randomEvents } from "./near-repeats.mjs";
import { numbersFrom } from "./random.mjs";

const copyOf = (event) => () => structuredClone(event);
const encode = (text) => new TextEncoder().encode(text);

describe("near-repeats", () => {
  for (const { name, first, repeated } of INTERFACES) {
    for (const [what, others] of NEAR_REPEATS) {
      test(`${name}, ${what}`, () => {
        for (const make of repeated) {
          for (const other of others(make)) {
            const like = ["a", "b", "c"].map((text) => () => make(text));
            const steps = [...first.map(copyOf), ...like, other, ...like, other, other, like[0]];
            compare(steps);
          }
        }
      });
    }
  }
});

/** respool doesn't promise how often it reads a chunk, so chunks that change at each read have only this invariant. */
describe("chunks that change at each read: the deltas match the result", () => {
  for (const { name, first, repeated } of INTERFACES) {
    for (const [what, others] of UNSTEADY_REPEATS) {
      test(`${name}, ${what}`, () => {
        for (const make of repeated) {
          for (const other of others(make)) {
            for (const templates of [true, false]) {
              const like = ["a", "b", "c"].map((text) => () => make(text));
              const accumulator = new StreamAccumulator({ templates });
              const deltas = [...first.map(copyOf), ...like, other, ...like, other].flatMap((step) => accumulator.push(step()));
              const result = accumulator.finish();
              accumulator.free();
              const emitted = (type) =>
                deltas
                  .filter((delta) => delta.type === type && !delta.choice)
                  .map(({ text }) => text)
                  .join("");
              assert.equal(emitted("text"), result.text);
              assert.equal(emitted("reasoning"), result.reasoning);
              const warned = deltas.filter(({ type }) => type === "warning").map(({ code, message }) => ({ code, message }));
              assert.deepEqual(warned, result.warnings);
            }
          }
        }
      });
    }
  }
});

test("buffered text is in every snapshot and result, and precedes later input", () => {
  for (const end of ["finish", "abort", "snapshot"]) {
    const { first, repeated } = INTERFACES[0];
    const [make] = repeated;
    const accumulator = new StreamAccumulator();
    for (const event of first) accumulator.push(structuredClone(event));
    const before = accumulator.snapshot().text;
    let text = before;
    for (let at = 0; at < 500; at++) {
      const piece = `${at} is a piece of text, `;
      text += piece;
      assert.deepEqual(
        accumulator.push(make(piece)).map((delta) => delta.text ?? delta.arguments),
        [piece],
      );
      if (at % 100 === 99) assert.equal(accumulator.snapshot().text, text);
      if (at === 300) text += accumulator.pushBytes(encode(sseText([make("bytes")])))[0].text;
    }
    assert.equal(accumulator[end]().text, text, end);
    accumulator.free();
  }
});

describe("usage in each chunk", () => {
  const chat = (text, usage) => ({
    id: "chatcmpl-1",
    choices: [{ index: 0, delta: { content: text }, finish_reason: null }],
    usage,
  });
  const gemini = (text, usageMetadata) => ({
    candidates: [{ content: { parts: [{ text }], role: "model" }, index: 0 }],
    usageMetadata,
    responseId: "r",
  });
  const counts = {
    chat: (at) => ({
      prompt_tokens: 5,
      completion_tokens: at,
      total_tokens: 5 + at,
      prompt_tokens_details: { cached_tokens: 2 },
    }),
    gemini: (at) => ({
      promptTokenCount: 5,
      candidatesTokenCount: at,
      promptTokensDetails: [{ modality: "TEXT", tokenCount: 5 }],
    }),
  };
  for (const [name, make] of Object.entries({ chat, gemini })) {
    const usages = [
      ...Array.from({ length: 12 }, (_, at) => counts[name](at)),
      counts[name](11),
      { ...counts[name](12), cost: 0.0001 },
      { ...counts[name](13), cost: 0.00025 },
      { ...counts[name](14), cost: 1e-9 },
      { ...counts[name](15), cost: Number.NaN },
      { ...counts[name](16), note: "\u0000" },
      { ...counts[name](17), note: "\u0000" },
      { ...counts[name](18), when: new Date(0) },
      { ...counts[name](19), when: new Date(0) },
      { ...counts[name](2 ** 40) },
      { ...counts[name](-1) },
      null,
      undefined,
      counts[name](20),
      counts[name](21),
    ];
    for (const coalesce of [true, false]) {
      test(`${name}, ${coalesce ? "joined" : "for each event"}`, () => {
        const steps = usages.map((usage, at) => () => make(`${at} `, usage && { ...usage }));
        const { text, usage } = compare([...steps, ...steps], { coalesce });
        assert.equal(text.split(" ").length, 2 * usages.length + 1);
        assert.equal(usage.outputTokens, 21);
      });
    }
  }
});

describe("random streams", () => {
  for (const { name, first, repeated, between } of INTERFACES) {
    test(`${name}, as objects`, () => {
      for (let seed = 1; seed <= 60; seed++) {
        const events = randomEvents(numbersFrom(seed), repeated, between);
        compare([...first, ...events].map(copyOf), { coalesce: seed % 2 === 0 });
      }
    });

    test(`${name}, as objects and bytes in turn`, () => {
      for (let seed = 1; seed <= 60; seed++) {
        const numbers = numbersFrom(seed);
        const steps = [...first, ...randomEvents(numbers, repeated, between)].flatMap((event) => {
          if (numbers(2) === 0) return [copyOf(event)];
          const bytes = encode(sseText([event])[0]);
          const cut = numbers(3) === 0 ? numbers(bytes.length) : bytes.length;
          return [bytes.subarray(0, cut), bytes.subarray(cut)];
        });
        compare(steps, { coalesce: seed % 2 === 0 });
      }
    });
  }
});

describe("limits", () => {
  const calls = INTERFACES[0].repeated.at(-1);
  for (const limits of [
    { maxToolCalls: 1 },
    { maxTotalBytes: 300 },
    { maxDepth: 5 },
    { maxChoices: 1 },
    { maxEventBytes: 120 },
  ]) {
    test(JSON.stringify(limits), () => {
      const [{ first, repeated }] = INTERFACES;
      const events = [...first, ...["a", "b", "c"].map(calls), ...["a", "b", "c"].map(repeated[0])];
      compare(events.map(copyOf), { limits });
      compare(
        events.map((event) => encode(sseText([event])[0])),
        { limits },
      );
    });
  }
});

test("an end, and input after it", () => {
  const [{ first, repeated }] = INTERFACES;
  const end = { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] };
  const steps = [...first, repeated[0]("a"), repeated[0]("b"), end, repeated[0]("c"), end, repeated[0]("d")].map(copyOf);
  compare([...steps, encode("data: [DONE]\n\n"), ...steps]);
});

describe("a codec", () => {
  let unregister = () => {};
  afterEach(() => unregister());

  test("that pushes to another accumulator", () => {
    const [text] = INTERFACES[0].repeated;
    const inner = (templates) => {
      const other = new StreamAccumulator({ templates });
      other.push(text("-"));
      const collected = ["x", "yz", "é"].flatMap((piece) => [
        ...other.push(text(piece)),
        ...other.pushBytes(sseBytes([text(piece)])),
      ]);
      const result = other.finish();
      other.free();
      return collected.map((delta) => delta.text ?? delta.type).join("") + result.text;
    };
    for (const templates of [true, false]) {
      const nested = {
        name: "nested",
        detect: ({ word }) => word !== undefined,
        decode: ({ word }) => ({ type: "text", text: word + inner(templates) }),
      };
      unregister = registerCodec(nested);
      const events = ["a", "b", "c"].map((word) => ({ word }));
      const result = compare([...events.map(copyOf), sseBytes(events), ...events.map(copyOf)]);
      assert.equal(result.text, ["a", "b", "c", "a", "b", "c", "a", "b", "c"].map((word) => word + inner(false)).join(""));
      unregister();
    }
  });
});

test("a getter that uses another accumulator during the comparison", () => {
  const [text] = INTERFACES[0].repeated;
  const chunk = () => {
    const { choices, ...others } = text("");
    const delta = {
      get content() {
        const other = new StreamAccumulator();
        const deltas = [...other.push(text("in")), ...other.push(text("ner")), ...other.pushBytes(sseBytes([text("!")]))];
        other.free();
        return deltas.map((piece) => piece.text ?? "").join("");
      },
    };
    return { ...others, choices: [{ ...choices[0], delta }] };
  };
  assert.equal(compare([chunk, chunk, chunk]).text, "inner!".repeat(3));
});

describe("a getter after the text", () => {
  const [text] = INTERFACES[0].repeated;
  /** Returns a chunk with this text, whose last member is a getter that calls a function. */
  const chunk = (piece, act) => {
    const { choices } = text(piece);
    return {
      choices,
      get late() {
        act();
        return 1;
      },
    };
  };

  test("that uses another accumulator", () => {
    const other = new StreamAccumulator();
    const push = () => {
      other.push(chunk("other", () => {}));
      other.pushBytes(sseBytes([text("bytes")]));
      other.push(text("object"));
    };
    const result = compare(["a", "b", "c", "d"].map((piece) => () => chunk(piece, push)));
    other.free();
    assert.equal(result.text, "abcd");
  });

  const STEPS = {
    bytes: (own) => own.pushBytes(sseBytes([{ mood: 1, choices: [] }])),
    "an object": (own) => own.push(INTERFACES[0].repeated[3]("thought")),
  };
  for (const [name, step] of Object.entries(STEPS)) {
    test(`that pushes ${name} to its own accumulator loses no text`, () => {
      const own = new StreamAccumulator();
      const pushOrNot = () => {
        try {
          step(own);
        } catch {
          // the accumulator is in use while the module reads the chunk
        }
      };
      const deltas = ["a", "b", "c", "d"].flatMap((piece) => own.push(chunk(piece, pushOrNot)));
      const { text: emitted, reasoning } = own.finish();
      own.free();
      assert.equal(emitted, "abcd");
      assert.equal(
        deltas
          .filter(({ type }) => type === "text")
          .map((delta) => delta.text)
          .join(""),
        "abcd",
      );
      assert.match(reasoning, /^(thought)*$/);
    });
  }
});
