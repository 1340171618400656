// Arguments of a tool call that are shown while they are written: their value is read after each delta.
import { isDeepStrictEqual } from "node:util";
import { WrongAnswer } from "../check.mjs";
import { Random } from "../random.mjs";
import { argumentText } from "./tokens.mjs";

const CHARACTERS = 143_000;
const DELTA = 20;

export default [
  {
    name: "143 k characters of arguments in 20-character deltas, partial value at each",
    takes: "growing arguments",
    unit: "delta",
    make(scale) {
      const text = argumentText(new Random(7), CHARACTERS * scale);
      const pieces = Array.from({ length: Math.ceil(text.length / DELTA) }, (_, at) => text.slice(at * DELTA, (at + 1) * DELTA));
      // A small input is there to be checked, so each value is looked into; a large one is there to be timed.
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

/** What a reader does with a value: something small that needs it. */
function stopsOf(value) {
  return value?.stops?.length ?? 0;
}

/** The stops that have begun, each of them with its id, added up over all deltas. */
function stopsSeen(text, deltas) {
  const begins = Array.from(text.matchAll(/\{"id":/g), ({ index }) => Math.floor(index / DELTA));
  return begins.reduce((sum, delta) => sum + deltas - delta, 0);
}

function compareAt(text, at, value) {
  const expected = closed(text.slice(0, (at + 1) * DELTA));
  if (expected !== undefined && !isDeepStrictEqual(value, expected)) {
    throw new WrongAnswer(`after delta ${at} the value is ${JSON.stringify(value)}, not ${JSON.stringify(expected)}`);
  }
  return stopsOf(value);
}

/** The value of a text that ends within a string of a stop; elsewhere there may be more than one opinion. */
function closed(head) {
  if (head.endsWith(" ")) return undefined; // partial-json trims what it is given
  try {
    return JSON.parse(`${head}"}]}`);
  } catch {
    return undefined;
  }
}
