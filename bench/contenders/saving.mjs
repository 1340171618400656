// Saves and restores the state of a stream: respool, and a program that keeps the answer in an object.
import { StreamAccumulator } from "respool";

/** @import { Answer } from "../workloads/cases.mjs" */
/** @import { Saving } from "../workloads/saving.mjs" */
/** @import { Contender } from "./index.mjs" */

const STREAMS = ["anthropic stream", "chat stream"];
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Computes a value once per input, in the run before the timed ones. @template Made @param {(input: Saving) => Made} make */
function once(make) {
  /** @type {WeakMap<Saving, Made>} */
  const known = new WeakMap();
  return (/** @type {Saving} */ input) => {
    const made = known.get(input) ?? make(input);
    known.set(input, made);
    return made;
  };
}

const streamOf = once(({ reads }) => {
  const accumulator = new StreamAccumulator();
  for (const read of reads) accumulator.pushBytes(read);
  return accumulator;
});
const savedOf = once((input) => streamOf(input).save());
const toBytes = (/** @type {Answer} */ answer) => encoder.encode(JSON.stringify(answer));
const bytesOf = once(({ answer }) => toBytes(answer));

/** @type {StreamAccumulator | undefined} */
let restored;

/** Restores a stream and frees that of the previous run. @param {Saving} input */
function restore(input) {
  restored?.free();
  restored = StreamAccumulator.restore(savedOf(input));
  return { accumulator: restored, last: input.last };
}

/** Finishes a stream with its last read and returns the answer. @param {StreamAccumulator} accumulator @param {Uint8Array} last */
function endOf(accumulator, last) {
  accumulator.pushBytes(last);
  const { text, toolCalls, rawFinishReason, usage } = accumulator.finish();
  return {
    text,
    toolCalls,
    finishReason: rawFinishReason,
    usage: { input: usage?.promptTokens, output: usage?.completionTokens },
  };
}

const parse = (/** @type {Uint8Array} */ bytes) => JSON.parse(decoder.decode(bytes));
const outcome = (/** @type {object} */ answer) => answer;

/** @type {Contender[]} */
export default STREAMS.flatMap((stream) => [
  {
    name: "respool save",
    takes: `${stream} to save`,
    run: (input) => ({ saved: streamOf(input).save(), last: input.last }),
    outcome: ({ saved, last }) => endOf(StreamAccumulator.restore(saved), last),
  },
  {
    name: "JSON as bytes",
    takes: `${stream} to save`,
    run: ({ answer }) => toBytes(answer),
    outcome: parse,
  },
  { name: "structuredClone", takes: `${stream} to save`, run: ({ answer }) => structuredClone(answer), outcome },
  {
    name: "respool restore",
    takes: `${stream} to restore`,
    run: restore,
    // A stream can finish only once, so this finishes a copy.
    outcome: ({ accumulator, last }) => endOf(StreamAccumulator.restore(accumulator.save()), last),
  },
  { name: "JSON from bytes", takes: `${stream} to restore`, run: (input) => parse(bytesOf(input)), outcome },
  { name: "structuredClone", takes: `${stream} to restore`, run: ({ answer }) => structuredClone(answer), outcome },
]);
