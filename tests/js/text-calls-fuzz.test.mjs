// Tool calls with random arguments, written in each format, are read back unchanged, whole and split at random. A failure
// prints the seed; TEXT_SEED repeats it, and TEXT_ROUNDS makes it a long run.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { StreamAccumulator, extractToolCalls } from "respool";
import { Maker } from "./bodies/leaves.mjs";
import { NAMED, WRITERS, toolAndCall } from "./bodies/text_calls.mjs";
import { roundsOf, seedOf } from "./random.mjs";

const SEED = seedOf("TEXT");
const ROUNDS = roundsOf("TEXT", 12);

/** Returns the result of a stream of these chunks, after a comparison with its deltas. */
function streamed(pieces, textToolCalls) {
  const accumulator = new StreamAccumulator({ textToolCalls });
  const events = [...pieces.map((content) => ({ delta: { content } })), { delta: {}, finish_reason: "stop" }];
  const deltas = events.flatMap((choice) => accumulator.push({ choices: [choice] }));
  const { text, toolCalls, toolCallStatus } = accumulator.finish();
  deltas.push(...accumulator.takeDeltas());
  accumulator.free();
  const joined = (of, member) =>
    deltas
      .filter(of)
      .map((delta) => delta[member])
      .join("");
  assert.equal(
    joined(({ type }) => type === "text", "text"),
    text,
  );
  const emitted = toolCalls.map((_, at) => joined(({ type, index }) => type === "tool-call-delta" && index === at, "arguments"));
  assert.deepEqual(
    emitted,
    toolCalls.map((call) => call.arguments),
  );
  return { text, toolCalls, toolCallStatus };
}

function* cutsOf(text, maker) {
  const characters = Array.from(text);
  yield characters;
  for (let count = 0; count < 4; count++) {
    const at = maker.below(characters.length);
    yield [characters.slice(0, at).join(""), characters.slice(at).join("")];
  }
  const pieces = [];
  while (characters.length > 0) pieces.push(characters.splice(0, 1 + maker.below(9)).join(""));
  yield pieces;
}

/** Writes calls, and reads them back. */
function check(format, write, maker) {
  const calls = Array.from({ length: format === "react" ? 1 : 1 + maker.below(3) }, (_, at) => toolAndCall(maker, at));
  const formats = NAMED.includes(format) || maker.chance(2) ? [format] : ["auto"];
  const options = { tools: calls.map(({ tool }) => tool), formats };
  const before = format === "xlam" ? "" : maker.pick(["", "Let me see.\n", "One, two:\n\n"]);
  const text = before + write(calls, maker);
  try {
    const found = extractToolCalls(text, options);
    const read = found.toolCalls.map((call) => [call.name, JSON.parse(call.arguments)]);
    assert.deepEqual(
      read,
      calls.map(({ name, values }) => [name, values]),
    );
    assert.deepEqual([found.rejected, found.warnings, found.text.trim()], [[], [], before.trim()]);
    const { text: rest, toolCalls, toolCallStatus } = found;
    for (const pieces of cutsOf(text, maker))
      assert.deepEqual(streamed(pieces, options), { text: rest, toolCalls, toolCallStatus });
  } catch (error) {
    throw new Error(`${JSON.stringify(text)}\n${JSON.stringify(options)}\n${error.message}`, { cause: error });
  }
}

describe(`calls in texts (TEXT_SEED=${SEED})`, () => {
  for (const [format, write] of Object.entries(WRITERS)) {
    test(format, () => {
      for (let round = 0; round < ROUNDS; round++) check(format, write, new Maker(SEED * 1000 + round));
    });
  }
});
