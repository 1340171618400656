// Random answers, one or several, in every form that adapters for pages read: deltas, events or bytes.
import assert from "node:assert/strict";
import { test } from "node:test";
import { StreamAccumulator, streamDeltas } from "respool";
import { sseText } from "./answers.mjs";
import { numbersFrom, roundsOf, seedOf } from "./random.mjs";
import { FORMS } from "./random-sources.mjs";
import { RandomStream, encode } from "./random-streams.mjs";

/** Invalid base64. */
export const BROKEN = "é!";

/** Other events: audio, images, citations and server tools, some of them invalid. */
const MORE = [
  { choices: [{ delta: { audio: { id: "a", data: "AAAA", transcript: "said" } } }] },
  { choices: [{ delta: { audio: { id: "a", data: "AAA=" } } }] },
  { choices: [{ delta: { audio: { id: "a", data: BROKEN } } }] },
  { choices: [{ delta: { refusal: "No." } }] },
  { choices: [{ delta: { annotations: [{ type: "url_citation", url_citation: { url: "https://a.example/" } }] } }] },
  { choices: [{ delta: { images: [{ image_url: { url: "data:image/png;base64,AAAA" } }] } }] },
];

/** Several answers in sequence, each a list of deltas. */
export class RandomAnswers {
  constructor(seed) {
    this.below = numbersFrom(seed + 3);
    const count = this.below(3) === 0 ? 2 + this.below(2) : 1;
    this.streams = Array.from({ length: count }, (_, at) => new RandomStream(seed * 4 + at));
    for (const { events } of this.streams) {
      if (!events[0].choices || this.below(2)) continue;
      for (let left = 4; left > 0; left--) events.splice(1 + this.below(events.length), 0, MORE[this.below(MORE.length)]);
    }
    this.error = this.below(5) === 0 ? new Error("reset") : undefined;
    this.log = [];
  }

  get deltas() {
    return this.streams.flatMap(({ events, options }, at) => {
      const accumulator = new StreamAccumulator(options);
      const deltas = events.flatMap((event) => accumulator.push(event));
      const { ending } = accumulator.finish();
      deltas.push(...accumulator.takeDeltas());
      accumulator.free();
      // The warning of the runner after a failed attempt.
      const isRepeated = at < this.streams.length - 1 && ending !== "complete";
      return isRepeated ? [...deltas, { type: "warning", code: "turn-retried", message: "again" }] : deltas;
    });
  }

  /** The input, its options, and its deltas. */
  open() {
    const forms = Object.values(FORMS);
    const make = forms[this.below(forms.length)];
    const of = (pieces) => make({ pieces, error: this.error, log: this.log, wait: () => this.below(2) });
    const { deltas } = this;
    const [{ events, options }] = this.streams;
    const kind = this.streams.length > 1 ? "deltas" : ["deltas", "streamed", "events", "bytes"][this.below(4)];
    this.kind = `${kind} of ${make.name}`;
    if (kind === "streamed") return { input: streamDeltas(of(events), { ...options, throwOnError: false }), options: {}, deltas };
    if (kind === "events") return { input: of(events), options, deltas };
    if (kind === "bytes") return { input: of(sseText(events).map(encode)), options, deltas };
    // Deltas that are passed as a body don't count as deltas.
    return {
      input: (async function* () {
        yield* iterate(await of(deltas));
      })(),
      options: {},
      deltas,
    };
  }
}

async function* iterate(source) {
  yield* source[Symbol.asyncIterator] || source[Symbol.iterator] ? source : (source.body ?? readerOf(source));
}

async function* readerOf(stream) {
  const reader = stream.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
  } finally {
    await reader.cancel().catch(() => {});
  }
}

const macrotask = () => new Promise((resolve) => setImmediate(resolve));

/** Tests random answers in each way, with the seed and the rounds of this name. Every source is closed at the end. */
export function testAnswers(title, name, ways) {
  const seed = seedOf(name);
  test(`${title} (seed ${seed})`, async () => {
    for (let at = 0; at < roundsOf(name, 6); at++) {
      for (const [way, check] of Object.entries(ways)) {
        const answers = new RandomAnswers(seed * 10_000 + at);
        try {
          await check(answers);
          for (let left = 20; left > 0 && answers.log.length === 1; left--) await macrotask();
          assert.match(String(answers.log), /^(opened,(over|closed))?$/);
        } catch (error) {
          const shown = JSON.stringify(answers.streams.map(({ events, options }) => ({ options, events })));
          throw new Error(
            `${name}_SEED=${seed}, round ${at}, ${way}, ${answers.kind}, ${answers.error?.message}\n${shown.slice(0, 4000)}\n${error.stack}`,
            { cause: error },
          );
        }
      }
    }
  });
}
