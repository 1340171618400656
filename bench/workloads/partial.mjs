// Tool call arguments that are shown while they arrive: the value is read after each delta.
import { isDeepStrictEqual } from "node:util";
import { WrongResult } from "../check.mjs";
import { Random } from "../random.mjs";
import { argumentText } from "./tokens.mjs";

const CHARACTERS = 143_000;
const DELTA = 20;

/** @import { Case } from "./index.mjs" */

/** @typedef {{ stops?: unknown[] } | undefined} Value */
/** @typedef {ReturnType<typeof chunk>} Chunk */
/**
 * Chunks with pieces of the arguments, and a function that gets the value after each.
 *
 * @typedef {{ chunks: Chunk[], read: (value: any, at: number) => number }} Growing
 */

/** @type {Case[]} */
export default [
  {
    name: "143,000 characters of arguments, value after each 20-character delta",
    takes: "growing arguments",
    unit: "delta",
    make(scale) {
      const text = argumentText(new Random(7), CHARACTERS * scale);
      const pieces = Array.from({ length: Math.ceil(text.length / DELTA) }, (_, at) => text.slice(at * DELTA, (at + 1) * DELTA));
      // Small inputs are for checking, so each value is compared; large ones are for timing.
      /** @type {Growing["read"]} */
      const read = scale < 1 ? (value, at) => compareAt(text, at, value) : stopsOf;
      const stops = stopsSeen(text, pieces.length);
      return {
        input: { chunks: pieces.map(chunk), read },
        expected: { arguments: text, stops },
        units: pieces.length,
        bytes: text.length,
      };
    },
  },
];

/** @param {string} piece @param {number} at */
function chunk(piece, at) {
  const head = at === 0 ? { id: "call_7", type: "function" } : {};
  const call = { index: 0, ...head, function: { ...(at === 0 ? { name: "timetable" } : {}), arguments: piece } };
  return {
    id: "chatcmpl-7",
    object: "chat.completion.chunk",
    created: 1763680412,
    model: "gpt-4o-2024-08-06",
    choices: [{ index: 0, delta: { tool_calls: [call] }, logprobs: null, finish_reason: null }],
  };
}

/** Makes a small use of the value, as a reader would. @param {Value} value */
function stopsOf(value) {
  return value?.stops?.length ?? 0;
}

/** Counts the stops that have started, which is when their id arrives, summed over all deltas. @param {string} text @param {number} deltas */
function stopsSeen(text, deltas) {
  const begins = Array.from(text.matchAll(/\{"id":/g), ({ index }) => Math.floor(index / DELTA));
  return begins.reduce((sum, delta) => sum + deltas - delta, 0);
}

/** @param {string} text @param {number} at @param {Value} value */
function compareAt(text, at, value) {
  const expected = closed(text.slice(0, (at + 1) * DELTA));
  if (expected !== undefined && !isDeepStrictEqual(value, expected)) {
    throw new WrongResult(`after delta ${at} the value is ${JSON.stringify(value)}, not ${JSON.stringify(expected)}`);
  }
  return stopsOf(value);
}

/** Returns the value of a text that ends inside a string of a stop. Elsewhere, the partial value is a matter of taste. @param {string} head */
function closed(head) {
  if (head.endsWith(" ")) return undefined; // partial-json trims its input
  try {
    return JSON.parse(`${head}"}]}`);
  } catch {
    return undefined;
  }
}
