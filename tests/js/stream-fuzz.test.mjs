// Streams of events that look random, with options that do, and written in many ways: pushed as objects, as reads of
// one event each, as one, cut anywhere, and all of that in turn, each with templates and without. Nothing of it makes
// a difference.
// A failure prints the seed; STREAM_SEED repeats it, and STREAM_ROUNDS makes it a long run.
import assert from "node:assert/strict";
import { test } from "node:test";
import { PartialJson, StreamAccumulator } from "respool";
import { RandomStream } from "./random-streams.mjs";

const SEED = Number(process.env.STREAM_SEED ?? Date.now() % 1_000_000);
const ROUNDS = Number(process.env.STREAM_ROUNDS ?? 80);

function pushTo(accumulator, step) {
  if (step === "snapshot") return accumulator.snapshot();
  return step instanceof Uint8Array ? accumulator.pushBytes(step) : accumulator.push(structuredClone(step));
}

/** What comes of the steps with templates, which is the same as without. */
function readingOf(steps, options) {
  const [on, off] = [true, false].map((templates) => new StreamAccumulator({ ...options, templates }));
  const deltas = [];
  for (const [index, step] of steps.entries()) {
    const [actual, expected] = [on, off].map((accumulator) => pushTo(accumulator, step));
    assert.deepEqual(actual, expected, `step ${index}`);
    if (step !== "snapshot") deltas.push(...actual);
  }
  const [result, expected] = [on, off].map((accumulator) => accumulator.finish());
  assert.deepEqual(result, expected);
  const late = on.takeDeltas();
  assert.deepEqual(late, off.takeDeltas());
  on.free();
  off.free();
  deltas.push(...late);
  checkEnds(deltas, result);
  const { warnings, others } = apart(deltas.filter(({ type }) => type !== "json"));
  const told = { ...result, warnings: loopsLast(result.warnings) };
  return { result: told, values: valuesOf(deltas), warnings: loopsLast(warnings), others };
}

/** A call of an answer that is whole has ended, at last as it is in the result. */
function checkEnds(deltas, { ending, toolCalls, toolCallStatus }) {
  if (ending !== "complete") return;
  const ends = new Map(
    deltas.filter(({ type, choice }) => type === "tool-call-end" && !choice).map((delta) => [delta.toolCall.id, delta]),
  );
  for (const [at, toolCall] of toolCalls.entries()) {
    const { toolCall: told, status } = ends.get(toolCall.id) ?? {};
    assert.deepEqual({ told, status }, { told: toolCall, status: toolCallStatus[at] });
  }
}

/** A warning may follow all text of its read, which is then joined. Of the usage in a read, only the last is a delta. */
function apart(deltas) {
  const isWarning = ({ type }) => type === "warning";
  const lastUsage = deltas.findLastIndex(({ type }) => type === "usage");
  const isEarlierUsage = ({ type }, at) => type === "usage" && at !== lastUsage;
  const others = deltas.filter((delta, at) => !isWarning(delta) && !isEarlierUsage(delta, at));
  return { warnings: deltas.filter(isWarning), others: joined(others) };
}

/** A loop is looked for at the end of each read: what else the read is warned of comes before. */
function loopsLast(warnings) {
  const isLoop = ({ code }) => code === "repeated-line-loop";
  return [...warnings.filter((warning) => !isLoop(warning)), ...warnings.filter(isLoop)];
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
    const stream = new RandomStream(SEED * 10_000 + round, { mayBreak: true });
    // Where garbage fills the list of warnings, what was read before the end of the read decides if a loop is in it.
    const options = stream.isBroken ? { ...stream.options, loopDetector: undefined } : stream.options;
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
