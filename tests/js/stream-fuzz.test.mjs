// Streams of events that look random, with options that do, and written in many ways: pushed as objects, as reads of
// one event each, as one, cut anywhere, and all of that in turn, each with templates and without. Nothing of it makes
// a difference.
// A failure prints the seed; STREAM_SEED repeats it, and STREAM_ROUNDS makes it a long run.
import assert from "node:assert/strict";
import { test } from "node:test";
import { PartialJson, StreamAccumulator } from "respool";
import { INTERFACES, MARKUP, TEXTS } from "./near-repeats.mjs";
import { numbersFrom } from "./random.mjs";

const SEED = Number(process.env.STREAM_SEED ?? Date.now() % 1_000_000);
const ROUNDS = Number(process.env.STREAM_ROUNDS ?? 150);

const FRAGMENTS = ['{"', "a", '":', "[", "1", ",", "2.5", '"x', '"', "true", "nul", "l", "}", "]", '{"a": "b"}', "\\u00e9", "\\", " "];
const WORDS = ["zoo", " and", " of", " the", "\n", "it ", " goes", ", ", "on."];

/** How an event may be written. */
const WIRE = [
  ...[(json) => `data: ${json}\n\n`, (json) => `data: ${json}\n\n`, (json) => `data:${json}\r\n\r\n`, (json) => `${json}\n`, (json) => `data: ${json} \n\n`],
  ...[(json) => `event: message\ndata: ${json}\n\n`, (json) => `: kept alive\ndata: ${json}\n\n`, (json) => `id: 7\ndata: ${json}\nretry: 9\n\n`],
  (json) => `data: {\ndata: ${json.slice(1)}\n\n`,
];
/** The same with something in it that is none. */
const BROKEN_WIRE = [
  ...[(json) => `data: ${json}\nodd}\n\n`, (json) => `odd\ndata: ${json}\n\n`, (json) => `}data: ${json}\n\n`, (json) => `data: ${json}\n\n{"odd\n`],
  ...[(json) => `${json}}\n`, (json) => `data: ${json}]\n\n`, (json) => `data: ${json}\n\n\n\n`, (json) => `data: ${json.slice(0, -3)}\n\n`],
];

const encode = (text) => new TextEncoder().encode(text);
const SHORT = TEXTS.filter((text) => text.length < 100);
const isCall = (event) => /"(tool_calls|tool_use|function_call)"/.test(JSON.stringify(event));

/** A stream, and what it is read with. */
class RandomStream {
  constructor(seed) {
    this.below = numbersFrom(seed);
    // A stream with tool calls of its own is not searched.
    this.hasCalls = this.chance(3);
    const { first, repeated, between } = this.pick(INTERFACES);
    const start = first.filter((event) => this.hasCalls || !isCall(event));
    const makers = repeated.filter((make) => this.hasCalls || !isCall(make("")));
    this.options = this.pickOptions();
    this.events = JSON.parse(JSON.stringify([...start, ...this.pickEvents(makers, between)]));
    this.isBroken = this.chance(3);
    const styles = Array.from({ length: 1 + this.below(3) }, () => this.pick(this.isBroken && this.chance(2) ? BROKEN_WIRE : WIRE));
    this.wire = this.events.map((event) => this.pick(styles)(JSON.stringify(event)));
  }

  pick(list) {
    return list[this.below(list.length)];
  }

  chance(of) {
    return this.below(of) === 0;
  }

  pickOptions() {
    const formats = this.pick([undefined, ["auto"], ["auto", "xlam", "react", "json-fence"], ["pythonic"], ["llama3-json", "directive"]]);
    const options = {
      coalesce: this.chance(2),
      partialJson: this.chance(4),
      textToolCalls: this.chance(2) ? { tools: [{ name: "f" }], ...(formats && { formats }) } : undefined,
      reasoningTags: this.pick([undefined, undefined, true, { open: true }]),
      loopDetector: this.chance(4) ? { blockLines: 3 } : undefined,
    };
    return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  }

  pickEvents(makers, between) {
    const kinds = Array.from({ length: 1 + this.below(3) }, () => this.pick(makers));
    const texts = Array.from({ length: 2 + this.below(12) }, () => this.pick(this.pick([WORDS, WORDS, MARKUP, MARKUP, FRAGMENTS, SHORT])));
    return Array.from({ length: 5 + this.below(60) }, () => {
      if (this.chance(25)) return this.pick(between);
      const event = this.pick(kinds)(this.pick(texts));
      if (this.chance(8) && "created" in event) event.created = this.below(3);
      if (this.chance(3) && "sequence_number" in event) event.sequence_number = this.below(100);
      return event;
    });
  }

  asObjects() {
    return this.events;
  }

  asReads() {
    return this.wire.map(encode);
  }

  asOne() {
    return [encode(this.wire.join(""))];
  }

  /** Cut anywhere. */
  asPieces() {
    const bytes = encode(this.wire.join(""));
    const pieces = [];
    for (let at = 0; at < bytes.length; ) {
      const size = 1 + this.below(this.pick([3, 60, 400]));
      pieces.push(bytes.subarray(at, at + size));
      at += size;
    }
    return pieces;
  }

  /** Objects and reads of some events, with looks at what is there so far. */
  inTurn() {
    const steps = [];
    for (let at = 0; at < this.events.length; ) {
      const count = this.chance(3) ? 1 + this.below(4) : 1;
      const isObject = this.chance(2);
      const slice = (list) => list.slice(at, at + count);
      steps.push(...(isObject ? slice(this.events) : [encode(slice(this.wire).join(""))]));
      if (this.chance(6)) steps.push("snapshot");
      at += count;
    }
    return steps;
  }
}

function pushTo(accumulator, step) {
  if (step === "snapshot") return accumulator.snapshot();
  return step instanceof Uint8Array ? accumulator.pushBytes(step) : accumulator.push(structuredClone(step));
}

/** What comes of the steps with templates, which is the same as without. */
function readingOf(steps, options) {
  const [on, off] = [true, false].map((templates) => new StreamAccumulator({ ...options, templates }));
  const shown = options.coalesce ? apart : (given) => given;
  const deltas = [];
  steps.forEach((step, at) => {
    const [given, expected] = [on, off].map((accumulator) => pushTo(accumulator, step));
    if (step === "snapshot") return assert.deepEqual(given, expected, `step ${at}`);
    assert.deepEqual(shown(given), shown(expected), `step ${at}`);
    deltas.push(...given);
  });
  const [result, expected] = [on, off].map((accumulator) => accumulator.finish());
  assert.deepEqual(result, expected);
  const late = on.takeDeltas();
  assert.deepEqual(late, off.takeDeltas());
  on.free();
  off.free();
  deltas.push(...late);
  return { result, values: valuesOf(deltas), ...apart(deltas.filter(({ type }) => type !== "json")) };
}

/** What is warned of may come after all text of its read, which then is one. */
function apart(deltas) {
  const isWarning = ({ type }) => type === "warning";
  return { warnings: deltas.filter(isWarning), others: joined(deltas.filter((delta) => !isWarning(delta))) };
}

/** Neighbours that add to the same text as one. */
function joined(deltas) {
  const list = [];
  for (const delta of deltas) {
    const last = list.at(-1);
    const of = ({ text, arguments: added, ...rest }) => JSON.stringify(rest);
    const name = ["text", "arguments"].find((member) => typeof delta[member] === "string" && delta.type !== "tool-call-end");
    if (name && last && typeof last[name] === "string" && of(last) === of(delta)) last[name] += delta[name];
    else list.push({ ...delta });
  }
  return list;
}

/** The values that the deltas of partial JSON tell. */
function valuesOf(deltas) {
  const live = new PartialJson();
  const told = deltas.filter((delta) => live.apply(delta));
  const names = new Map(told.map(({ index, choice }) => [`${choice ?? 0}/${index}`, [index, choice]]));
  return Array.from(names, ([name, value]) => ({ name, value: live.get(...value), isDone: live.isDone(...value) }));
}

test(`streams in every form (seed ${SEED})`, () => {
  for (let round = 0; round < ROUNDS; round++) {
    const stream = new RandomStream(SEED * 10_000 + round);
    const { options } = stream;
    const forms = { reads: stream.asReads(), pieces: stream.asPieces(), one: stream.asOne() };
    if (!stream.isBroken) Object.assign(forms, { objects: stream.asObjects(), inTurn: stream.inTurn() });
    let first;
    for (const [form, steps] of Object.entries(forms)) {
      try {
        const reading = readingOf(steps, options);
        first ??= reading;
        assert.deepEqual(reading, first);
      } catch (error) {
        const context = `STREAM_SEED=${SEED}, round ${round}, ${form}, ${JSON.stringify(options)}\n${JSON.stringify(stream.wire)}`;
        throw new Error(`${context}\n${error.message}`, { cause: error });
      }
    }
  }
});
