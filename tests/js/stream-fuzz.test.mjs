// Random streams with random options, pushed as objects, as one read per event, as one read, split anywhere, and mixed, each
// with and without templates. All of them give the same deltas and result.
// A failure prints the seed; STREAM_SEED repeats it, and STREAM_ROUNDS makes it a long run.
import assert from "node:assert/strict";
import { test } from "node:test";
import { PartialJson, StreamAccumulator } from "respool";
import { RandomStream } from "./random-streams.mjs";
import { roundsOf, seedOf } from "./random.mjs";

const SEED = seedOf("STREAM");
const ROUNDS = roundsOf("STREAM", 80);

function pushTo(accumulator, step) {
  if (step === "snapshot") return accumulator.snapshot();
  return step instanceof Uint8Array ? accumulator.pushBytes(step) : accumulator.push(structuredClone(step));
}

/** Runs the steps with and without templates, checks that the output is the same, and returns it. */
function readingOf(steps, options) {
  const [on, off] = [true, false].map((templates) => new StreamAccumulator({ ...options, templates }));
  const deltas = [];
  for (const [index, step] of steps.entries()) {
    const [actual, expected] = [on, off].map((accumulator) => pushTo(accumulator, step));
    assert.deepEqual(...[actual, expected].map((value) => (step === "snapshot" ? value : joined(value))), `step ${index}`);
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
  const emitted = { ...result, warnings: loopsLast(result.warnings) };
  return { result: emitted, values: valuesOf(deltas), warnings: loopsLast(warnings), others };
}

/** Checks that every call of a complete answer ends, and that its last end equals the result. */
function checkEnds(deltas, { ending, toolCalls, toolCallStatus }) {
  if (ending !== "complete") return;
  const ends = new Map(
    deltas.filter(({ type, choice }) => type === "tool-call-end" && !choice).map((delta) => [delta.toolCall.id, delta]),
  );
  for (const [at, toolCall] of toolCalls.entries()) {
    const { toolCall: emitted, status } = ends.get(toolCall.id) ?? {};
    assert.deepEqual({ emitted, status }, { emitted: toolCall, status: toolCallStatus[at] });
  }
}

/** Separates warnings, which may follow all text of their read, and drops all usage but the last, as one read does. */
function apart(deltas) {
  const isWarning = ({ type }) => type === "warning";
  const lastUsage = deltas.findLastIndex(({ type }) => type === "usage");
  const isEarlierUsage = ({ type }, at) => type === "usage" && at !== lastUsage;
  const others = deltas.filter((delta, at) => !isWarning(delta) && !isEarlierUsage(delta, at));
  return { warnings: deltas.filter(isWarning), others: joined(others) };
}

/** Moves warnings about loops to the end: loops are detected at the end of each read, after its other warnings. */
function loopsLast(warnings) {
  const isLoop = ({ code }) => code === "repeated-line-loop";
  return [...warnings.filter((warning) => !isLoop(warning)), ...warnings.filter(isLoop)];
}

/** Merges deltas of the same text, skipping deltas of other choices and calls, whose relative order may differ. */
function joined(deltas) {
  const list = [];
  for (const delta of deltas) {
    const known = isPiece(delta) && sameText(list, delta);
    if (known) known[memberOf(delta)] += delta[memberOf(delta)];
    else list.push({ ...delta });
  }
  return list;
}

const memberOf = ({ type }) => (type === "tool-call-delta" ? "arguments" : "text");
const isPiece = (delta) => ["text", "reasoning", "refusal", "tool-call-delta"].includes(delta.type);

/** Returns the delta in a list into which a piece can be merged. */
function sameText(list, piece) {
  const of = ({ text, arguments: added, ...rest }) => JSON.stringify(rest);
  for (const delta of list.toReversed()) {
    if (!isPiece(delta)) return undefined;
    if (of(delta) === of(piece)) return delta;
    const areCalls = delta.type === "tool-call-delta" && piece.type === "tool-call-delta";
    if (delta.choice === piece.choice && !areCalls) return undefined;
  }
  return undefined;
}

/** Returns the values that PartialJson assembles from the json deltas. */
function valuesOf(deltas) {
  const live = new PartialJson();
  const emitted = deltas.filter((delta) => live.apply(delta));
  const names = new Map(emitted.map(({ index, choice }) => [`${choice ?? 0}/${index}`, [index, choice]]));
  return Array.from(names, ([name, value]) => ({ name, value: live.get(...value), isDone: live.isDone(...value) }));
}

test(`streams in every form (seed ${SEED})`, () => {
  for (let round = 0; round < ROUNDS; round++) {
    const stream = new RandomStream(SEED * 10_000 + round, { mayBreak: true });
    // If garbage fills the list of warnings, the splits decide whether a loop is still in it.
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
