// A random stream in every form that a program may have, read to the end, left anywhere, or broken. Each way of reading
// returns the same as an accumulator that gets the pieces directly, and leaks nothing.
// A failure prints the seed; FORMS_SEED repeats it, and FORMS_ROUNDS makes it a long run.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { sseText } from "./answers.mjs";
import { liveObjects, respool } from "./leaks.mjs";
import { numbersFrom, roundsOf, seedOf } from "./random.mjs";
import { BYTE_FORMS, FORMS } from "./random-sources.mjs";
import { RandomStream, encode } from "./random-streams.mjs";

const { RefusalError, StreamAccumulator, StreamDeltas, StreamError, processAsync, processStream, streamDeltas, tracer } = respool;

const SEED = seedOf("FORMS");
const ROUNDS = roundsOf("FORMS", 12);

const rejections = [];
process.on("unhandledRejection", (reason) => rejections.push(reason));

const macrotask = () => new Promise((resolve) => setImmediate(resolve));
const isBytes = (piece) => piece instanceof Uint8Array;

/** A stream in pieces of one kind, the form of its source, and how it ends. */
class Round {
  constructor(seed) {
    const stream = new RandomStream(seed);
    this.below = numbersFrom(seed + 7);
    this.options = stream.options;
    this.pieces = this.pick([
      () => stream.events,
      () => reads(stream),
      () => this.cut(reads(stream)),
      () => this.texts(stream),
    ])();
    const forms = Object.entries({ ...FORMS, ...(this.pieces.every(isBytes) && BYTE_FORMS) });
    [this.form, this.make] = this.pick(forms);
    this.error = this.below(4) === 0 ? new Error("reset") : undefined;
    this.log = [];
  }

  pick(list) {
    return list[this.below(list.length)];
  }

  cut(list) {
    const bytes = Buffer.concat(list);
    const longest = this.pick([20, 90, 900]);
    return slices(bytes.length, () => 1 + this.below(longest)).map(([from, to]) => Uint8Array.from(bytes.subarray(from, to)));
  }

  texts(stream) {
    const text = sseText(stream.events).join("");
    const longest = this.pick([20, 90, 900]);
    return slices(text.length, () => 1 + this.below(longest)).map(([from, to]) => text.slice(from, to));
  }

  source() {
    const wait = () => (this.below(3) === 0 ? this.below(4) : 0);
    return this.make({ pieces: this.pieces, error: this.error, log: this.log, wait });
  }

  /** Pushes the pieces to an accumulator. Returns the deltas of each piece, then those of the end, and the result. */
  byHand(options, count = this.pieces.length, end = (accumulator) => accumulator.finish()) {
    const accumulator = new StreamAccumulator(options);
    const pieces = asBytes(this.pieces).slice(0, count);
    const reads = pieces.map((piece) => (isBytes(piece) ? accumulator.pushBytes(piece) : accumulator.push(piece)));
    const result = end(accumulator);
    reads.push(accumulator.takeDeltas());
    accumulator.free();
    return { reads, result };
  }
}

const reads = (stream) => sseText(stream.events).map(encode);

function slices(length, size) {
  const found = [];
  for (let at = 0; at < length; ) {
    const end = Math.min(at + size(), length);
    found.push([at, end]);
    at = end;
  }
  return found;
}

/** Returns text as bytes, without splitting surrogate pairs. */
function asBytes(pieces) {
  let half = "";
  return pieces.map((piece) => {
    if (typeof piece !== "string") return piece;
    const text = half + piece;
    half = /[\ud800-\udbff]$/.test(text) ? text.at(-1) : "";
    return encode(half ? text.slice(0, -1) : text);
  });
}

/** Ways to leave a loop over deltas after `count` of them. */
const LEAVE = {
  break: async (deltas, count, seen) => {
    for await (const delta of deltas) if (seen.push(delta) === count) break;
  },
  return: async (deltas, count, seen) => {
    await take(deltas, count, seen);
    await deltas.return();
  },
  throw: async (deltas, count, seen) => {
    await take(deltas, count, seen);
    await deltas.throw(REASON);
  },
  abort: async (deltas, count, seen, controller) => {
    for await (const delta of deltas) if (seen.push(delta) === count) controller.abort(REASON);
  },
};

const REASON = new Error("enough");

async function take(deltas, count, seen) {
  while (seen.length < count) seen.push((await deltas.next()).value);
}

/** Returns the error with which a promise rejects, or undefined. */
const thrownBy = (promise) =>
  promise.then(
    () => undefined,
    (error) => error,
  );

/** Where the nth delta comes from: how many pieces were read before it, and whether it belongs to the end. */
function placeOf(readsByHand, nth) {
  let seen = 0;
  const at = readsByHand.findIndex((deltas) => {
    seen += deltas.length;
    return seen >= nth;
  });
  return { count: at + 1, isAtEnd: at === readsByHand.length - 1 };
}

/** Returns the expected output of readers that stop at the first error event: the pieces up to it, then the end. */
function untilError(round) {
  const whole = round.byHand({});
  const at = whole.reads.findIndex((deltas) => deltas.some(({ type }) => type === "error"));
  return at < 0 || at >= round.pieces.length ? whole : round.byHand({}, at + 1);
}

/** Checks an error: one that the stream reported takes precedence over that of the connection. */
function checkThrown(thrown, result, error) {
  const code = result.error?.code ?? (error ? "stream-broken" : "stream-truncated");
  assert.deepEqual([thrown.code, thrown.partial], [code, result]);
}

/** Whether the answer is complete, so that a lost connection doesn't matter. */
const isOver = ({ ending }) => ending === "complete";

const WAYS = {
  async "streamDeltas to the end"(round) {
    const { options, error } = round;
    const expected = round.byHand(options);
    const deltas = streamDeltas(round.source(), { ...options, throwOnError: false });
    const seen = [];
    const thrown = await thrownBy(
      (async () => {
        for await (const delta of deltas) seen.push(delta);
      })(),
    );
    assert.deepEqual(seen, expected.reads.flat());
    assert.deepEqual(deltas.result, expected.result);
    if (error === undefined || isOver(deltas.result)) return assert.equal(thrown, undefined);
    assert.ok(thrown instanceof StreamError);
    assert.deepEqual(
      [thrown.code, thrown.cause, thrown.outcome, thrown.partial],
      ["stream-broken", error, "indeterminate", deltas.result],
    );
  },

  async "streamDeltas, left"(round) {
    round.error = undefined;
    const { options } = round;
    const all = round.byHand(options);
    const total = all.reads.flat().length;
    if (total === 0) return "skip";
    const nth = 1 + round.below(total);
    const { count, isAtEnd } = placeOf(all.reads, nth);
    const [way, leave] = round.pick(Object.entries(LEAVE));
    const controller = new AbortController();
    const deltas = streamDeltas(round.source(), { ...options, signal: controller.signal, throwOnError: false });
    const seen = [];
    const thrown = await thrownBy(leave(deltas, nth, seen, controller));
    const isCompleted = isAtEnd && way === "abort";
    assert.deepEqual(seen, all.reads.flat().slice(0, isCompleted ? total : nth), way);
    const isThrown = way === "throw" || (way === "abort" && !isAtEnd);
    assert.equal(thrown?.cause ?? thrown, isThrown ? REASON : undefined, way);
    const reason = isThrown ? REASON : "The stream was left";
    const expected = isAtEnd ? all : round.byHand(options, count, (accumulator) => accumulator.abort(reason));
    // Inside a span, the reason for a throw is that of the span.
    if (way === "throw" && !isAtEnd) expected.result.error.message = deltas.result.error.message;
    assert.deepEqual(deltas.result, expected.result, way);
  },

  async processStream(round) {
    const { error } = round;
    const { reads, result } = untilError(round);
    const deltas = reads.flat().filter(({ choice }) => !choice);
    const refusal = deltas.findIndex(({ type }) => type === "refusal");
    const texts = (refusal < 0 ? deltas : deltas.slice(0, refusal)).filter(({ type }) => type === "text").map(({ text }) => text);
    const seen = [];
    const thrown = await thrownBy(
      (async () => {
        for await (const item of processStream({}, round.source())) seen.push(item);
      })(),
    );
    assert.deepEqual(
      seen.filter((item) => typeof item === "string"),
      texts,
    );
    const calls = seen.filter((item) => typeof item !== "string");
    if (thrown === undefined) return assert.deepEqual([calls, result.error], [result.toolCalls, undefined]);
    assert.deepEqual(calls, []);
    if (refusal >= 0) return assert.ok(thrown instanceof RefusalError);
    checkThrown(thrown, result, error);
  },

  async processAsync(round) {
    const { error } = round;
    const { result } = untilError(round);
    const { toolCalls, text, refusal } = result;
    const given = await processAsync({}, round.source()).then(
      (value) => ({ value }),
      (thrown) => ({ thrown }),
    );
    if (given.thrown === undefined) {
      assert.equal(result.error, undefined);
      assert.deepEqual(given.value, toolCalls.length > 0 ? toolCalls : text || (refusal ?? ""));
    } else if (given.thrown.code !== "empty-response") {
      checkThrown(given.thrown, result, error);
    } else {
      assert.deepEqual([text, toolCalls, refusal, result.ending], ["", [], undefined, "truncated"]);
    }
  },

  async StreamDeltas(round) {
    const source = await round.source();
    const stream = source.body ?? source;
    if (typeof stream.pipeThrough !== "function") return "skip";
    const { options } = round;
    const { reads, result } = round.byHand(options);
    const error = isOver(result) ? undefined : round.error;
    const deltas = new StreamDeltas(options);
    const reader = stream.pipeThrough(deltas).getReader();
    const expected = (error ? reads.slice(0, -1) : reads).flat();
    const nth = round.below(2) ? Infinity : round.below(expected.length + 1);
    const seen = [];
    const thrown = await thrownBy(
      (async () => {
        while (seen.length < nth) {
          for (let left = round.below(3); left > 0; left--) await macrotask();
          const { done, value } = await reader.read();
          if (done) return;
          seen.push(value);
        }
        await reader.cancel(REASON);
      })(),
    );
    assert.deepEqual(seen, expected.slice(0, seen.length));
    await macrotask();
    if (nth !== Infinity) return assert.ok(["aborted", result.ending].includes(deltas.result?.ending), deltas.result?.ending);
    assert.equal(thrown, error);
    assert.deepEqual(deltas.result, result);
    // A stream that fails drops unread pieces.
    return assert.ok(error || seen.length === expected.length);
  },
};

/** Counts spans: each must end once. */
function follow(spans) {
  tracer.add("fuzz", (name, parent) => {
    const span = { name, parent, keys: [], ends: 0 };
    span.emit = (key) => span.keys.push(key);
    span.end = () => (span.ends += 1);
    spans.push(span);
    return span;
  });
}

test(`streams in every form, to the end and left (seed ${SEED})`, async () => {
  after(() => tracer.clear());
  for (let at = 0; at < ROUNDS; at++) {
    for (const [way, check] of Object.entries(WAYS)) {
      const round = new Round(SEED * 10_000 + at);
      const spans = [];
      const isTraced = round.below(2) === 0;
      if (isTraced) follow(spans);
      try {
        const outcome = await check(round);
        for (let left = 20; left > 0 && round.log.length < 2; left--) await macrotask();
        tracer.clear();
        if (outcome === "skip") continue;
        assert.match(String(round.log), /^opened,(over|closed)$/);
        assert.deepEqual(rejections, []);
        assert.equal(liveObjects(), 0);
        assert.ok(
          spans.every(({ ends }) => ends === 1),
          "spans end once",
        );
        if (isTraced) assert.equal(spans.length, 1);
      } catch (error) {
        const { form, options, pieces } = round;
        const shown = pieces.map((piece) => (isBytes(piece) ? Buffer.from(piece).toString() : piece));
        const context = `FORMS_SEED=${SEED}, round ${at}, ${way} of ${form}, ${JSON.stringify(options)}, ${round.error?.message}, ${round.log}`;
        throw new Error(`${context}\n${JSON.stringify(shown).slice(0, 3000)}\n${error.message}`, { cause: error });
      }
    }
  }
});
