// Odd values, passed to each public function: it returns a result or throws a typed error, and works afterwards. A failure
// prints the seed; BOUNDARY_SEED repeats it.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  PartialJson,
  SseDecoder,
  StreamAccumulator,
  StreamDeltas,
  decode,
  detectApi,
  parsePartialJson,
  process as processBody,
  processAsync,
  processStream,
  streamDeltas,
} from "respool";
import { callChunk, chunk, sseBytes } from "./answers.mjs";
import { NAMES, Oddities, typedOrFine } from "./oddities.mjs";
import { numbersFrom, roundsOf, seedOf } from "./random.mjs";

const SEED = seedOf("BOUNDARY");
const ROUNDS = roundsOf("BOUNDARY", 300);

/** Resolves with the result of a promise, or with nothing after 100 turns of the event loop: a thenable may never settle. */
async function inTime(promise) {
  let isOver = false;
  const over = promise.finally(() => (isOver = true));
  const turns = async () => {
    for (let turn = 0; turn < 100 && !isOver; turn++) await new Promise((resolve) => setImmediate(resolve));
  };
  return Promise.race([over, turns()]);
}

async function typedOrFineAsync(run) {
  try {
    return await inTime(run());
  } catch (error) {
    return typedOrFine(() => {
      throw error;
    });
  }
}

/** Errors from reading a caller's source are the caller's own, and are rethrown. */
function isSource(value) {
  try {
    return (
      typeof value === "object" &&
      value !== null &&
      (Symbol.iterator in value || Symbol.asyncIterator in value || "getReader" in value)
    );
  } catch {
    return true;
  }
}

/** Errors from awaiting a caller's value are the caller's own, and are rethrown. */
const canBeAwaited = (value) =>
  inTime(
    Promise.resolve()
      .then(() => value)
      .then(
        () => true,
        () => false,
      ),
  );

function checkWorks(context) {
  const accumulator = new StreamAccumulator();
  const deltas = [
    ...accumulator.push(chunk("a")),
    ...accumulator.push(chunk("b")),
    ...accumulator.pushBytes(sseBytes([chunk("c")])),
  ];
  assert.deepEqual(
    deltas.map((delta) => delta.text),
    ["a", "b", "c"],
    context,
  );
  assert.equal(accumulator.finish().text, "abc", context);
  accumulator.free();
}

const nth = (round) => `BOUNDARY_SEED=${SEED}, round ${round}`;

/** Runs many rounds, each with its own random numbers, and reports the round that failed. */
async function rounds(count, run) {
  for (let round = 0; round < count; round++) {
    try {
      await run(new Oddities(numbersFrom(SEED * 10_000 + round)), round);
    } catch (error) {
      throw new Error(`${nth(round)}: ${error.message}`, { cause: error });
    }
  }
  checkWorks(`BOUNDARY_SEED=${SEED}, at the end`);
}

test(`chunks and bytes that are pushed (seed ${SEED})`, () =>
  rounds(ROUNDS, (odd, round) => {
    const options = { coalesce: round % 2 === 0, templates: round % 3 > 0, partialJson: round % 5 === 0 };
    const accumulator = new StreamAccumulator(options);
    odd.subject = accumulator;
    for (let count = 1 + odd.below(6); count > 0; count--) {
      const act = odd.pick([
        () => accumulator.push(odd.value()),
        () => accumulator.push(odd.shaped(0)),
        () => accumulator.push(chunk("x")),
        () => accumulator.push(callChunk({ id: "c", function: { name: "f", arguments: "{" } })),
        () => accumulator.pushBytes(odd.bytes()),
        () => accumulator.pushBytes(odd.value()),
        () => accumulator.snapshot(),
        () => accumulator.abort(odd.value()),
        () => accumulator.takeDeltas(),
      ]);
      const given = typedOrFine(act);
      if (Array.isArray(given)) for (const delta of given) assert.equal(typeof delta.type, "string");
    }
    const result = typedOrFine(() => accumulator.finish());
    if (result) JSON.stringify(result);
    accumulator.free();
    if (round % 100 === 0) checkWorks(nth(round));
  }));

test(`complete bodies (seed ${SEED})`, () =>
  rounds(ROUNDS, async (odd) => {
    const body = odd.below(2) ? odd.shaped(0) : odd.value();
    typedOrFine(() => decode(body));
    typedOrFine(() => detectApi(body));
    typedOrFine(() => processBody(odd.pick([{}, odd.value(), { outputs: [1] }]), body));
    if (!isSource(body) && (await canBeAwaited(body))) await typedOrFineAsync(() => processAsync({}, body));
  }));

test(`options and small functions (seed ${SEED})`, () =>
  rounds(ROUNDS, (odd) => {
    typedOrFine(() => new StreamAccumulator(odd.value()).free());
    typedOrFine(() => processBody({}, chunk("x"), odd.value()));
    typedOrFine(() => parsePartialJson(odd.value()));
    const decoder = new SseDecoder();
    typedOrFine(() => decoder.push(odd.value()));
    typedOrFine(() => decoder.push(odd.bytes()));
    typedOrFine(() => decoder.finish());
    decoder.free();
    const live = new PartialJson();
    typedOrFine(() => live.apply({ type: "json", index: 0, path: [odd.pick(NAMES), odd.below(3)], value: 1, done: true }));
  }));

test(`sources (seed ${SEED})`, () =>
  rounds(150, async (odd) => {
    const pieces = Array.from({ length: odd.below(4) }, () =>
      odd.pick([odd.value(), odd.bytes(), chunk("x"), sseBytes([chunk("y")])]),
    );
    await typedOrFineAsync(async () => {
      for await (const delta of streamDeltas(pieces)) assert.equal(typeof delta.type, "string");
    });
    await typedOrFineAsync(async () => {
      for await (const item of processStream(
        {},
        (async function* () {
          yield* pieces;
        })(),
      ))
        assert.ok(item !== undefined);
    });
    const source = new ReadableStream({
      start(controller) {
        for (const piece of pieces) controller.enqueue(piece);
        controller.close();
      },
    });
    await typedOrFineAsync(async () => {
      for await (const delta of source.pipeThrough(new StreamDeltas())) assert.equal(typeof delta.type, "string");
    });
  }));
