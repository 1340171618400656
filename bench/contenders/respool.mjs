// respool, through its public interface only.
import * as respool from "respool";
import { responseOf } from "../response.mjs";

/** @import { AnnotatedLlmResponse, Delta, StreamAccumulatorOptions, StreamResult } from "respool" */
/** @import { Growing } from "../workloads/partial.mjs" */
/** @import { Contender } from "./index.mjs" */

const { StreamAccumulator, decode, process, streamDeltas } = respool;
const STREAMS = ["chat reads", "anthropic reads", "responses reads", "gemini reads", "bedrock reads"];

/** Counts the characters of text and arguments in deltas. @param {Iterable<Delta>} deltas */
function charactersOf(deltas) {
  let seen = 0;
  for (const delta of deltas) {
    if (delta.type === "text") seen += delta.text.length;
    else if (delta.type === "tool-call-delta") seen += delta.arguments.length;
  }
  return seen;
}

/** Parses every event, including those that repeat an earlier one. @type {StreamAccumulatorOptions} */
const PARSE_ALL = { templates: false };

/** All tool call formats with markers, and all reasoning tags. @type {StreamAccumulatorOptions} */
const SEARCH = { textToolCalls: { tools: [{ name: "timetable" }] }, reasoningTags: true };

/**
 * @template Piece
 * @param {Piece[]} pieces
 * @param {(accumulator: respool.StreamAccumulator, piece: Piece) => Iterable<Delta>} push
 * @param {StreamAccumulatorOptions} [options]
 */
function accumulate(pieces, push, options) {
  const accumulator = new StreamAccumulator(options);
  let seen = 0;
  for (const piece of pieces) seen += charactersOf(push(accumulator, piece));
  const result = accumulator.finish();
  accumulator.free();
  return { result, seen };
}

/** Pushes reads. @param {StreamAccumulatorOptions} [options] */
const pushesBytes = (options) => (/** @type {Uint8Array[]} */ reads) =>
  accumulate(reads, (accumulator, read) => accumulator.pushBytes(read), options);
/** Pushes chunks. @param {StreamAccumulatorOptions} [options] */
const pushesObjects = (options) => (/** @type {object[]} */ chunks) =>
  accumulate(chunks, (accumulator, chunk) => accumulator.push(chunk), options);

/** @param {Uint8Array[]} reads */
async function readResponse(reads) {
  const deltas = streamDeltas(responseOf(reads));
  let seen = 0;
  for await (const delta of deltas) seen += charactersOf([delta]);
  const { result } = deltas;
  if (result === undefined) throw new Error("the stream has no result");
  return { result, seen };
}

/** Reads the value of a call's arguments after each chunk. @param {Growing} input */
function followArguments({ chunks, read }) {
  const accumulator = new StreamAccumulator({ partialJson: true });
  const live = new respool.PartialJson();
  let stops = 0;
  for (let at = 0; at < chunks.length; at++) {
    for (const delta of accumulator.push(chunks[at])) if (delta.type === "json") live.apply(delta);
    stops += read(live.get(0), at);
  }
  const [call] = accumulator.finish().toolCalls;
  accumulator.free();
  return { arguments: call.arguments, stops };
}

/** Reads one event of each stream in turn, until all are over. @param {Uint8Array[][]} streams @param {StreamAccumulatorOptions} [options] */
function readInTurn(streams, options) {
  const open = streams.map(() => new StreamAccumulator(options));
  const longest = Math.max(...streams.map(({ length }) => length));
  let seen = 0;
  for (let turn = 0; turn < longest; turn++) {
    for (let at = 0; at < streams.length; at++) {
      const read = streams[at][turn];
      if (read) seen += charactersOf(open[at].pushBytes(read));
    }
  }
  let finished = 0;
  for (const accumulator of open) {
    if (accumulator.finish().ending === "complete") finished++;
    accumulator.free();
  }
  return { seen, finished };
}

/** @param {{ result: StreamResult, seen: number }} answer */
function outcome({ result, seen }) {
  return {
    text: result.text,
    toolCalls: result.toolCalls,
    finishReason: result.rawFinishReason,
    usage: { input: result.usage?.promptTokens, output: result.usage?.completionTokens },
    seen,
  };
}

/** @param {AnnotatedLlmResponse} response */
function decodedOutcome({ message, toolCalls, rawFinishReason, usage }) {
  return {
    text: message,
    toolCalls: (toolCalls ?? []).map(({ id, name, arguments: value }) => ({ id, name, arguments: JSON.stringify(value) })),
    finishReason: rawFinishReason,
    usage: { input: usage?.promptTokens, output: usage?.completionTokens },
  };
}

const processBytes = (/** @type {Uint8Array} */ bytes) => process({}, bytes);
const float32 = (/** @type {Uint8Array} */ bytes) => process({}, bytes, { vectors: "float32" });

/** @type {Contender[]} */
export default [
  ...STREAMS.flatMap((takes) => [
    { name: "respool pushBytes", takes, run: pushesBytes(), outcome },
    { name: "respool, templates: false", takes, run: pushesBytes(PARSE_ALL), outcome },
    { name: "respool streamDeltas", takes, over: /** @type {const} */ ("Response"), run: readResponse, outcome },
  ]),
  ...["chat objects", "chat objects with usage", "anthropic objects", "responses objects", "gemini objects"].flatMap((takes) => [
    { name: "respool push", takes, run: pushesObjects(), outcome },
    { name: "respool, templates: false", takes, run: pushesObjects(PARSE_ALL), outcome },
  ]),
  { name: "respool pushBytes", takes: "open chat streams", run: readInTurn, outcome: (answer) => answer },
  {
    name: "respool, templates: false",
    takes: "open chat streams",
    run: (streams) => readInTurn(streams, PARSE_ALL),
    outcome: (answer) => answer,
  },
  { name: "respool pushBytes", takes: "searched chat reads", run: pushesBytes(SEARCH), outcome },
  { name: "respool push", takes: "searched chat objects", run: pushesObjects(SEARCH), outcome },
  { name: "respool decode", takes: "chat body, decoded", run: decode, outcome: decodedOutcome },
  { name: "respool process", takes: "chat body, one value", run: processBytes, outcome: (value) => ({ value }) },
  ...["embeddings to Float32Array", "base64 embeddings to Float32Array"].map((takes) => ({
    name: "respool process",
    takes,
    run: float32,
    outcome: (/** @type {unknown} */ vectors) => ({ vectors }),
  })),
  {
    name: "respool process",
    takes: "embeddings to arrays",
    run: processBytes,
    outcome: (vectors) => ({ vectors }),
  },
  // Older builds, which can be measured too, don't have this class.
  ...("PartialJson" in respool
    ? [
        {
          name: "respool PartialJson",
          takes: "growing arguments",
          run: followArguments,
          outcome: (/** @type {object} */ answer) => answer,
        },
      ]
    : []),
];
