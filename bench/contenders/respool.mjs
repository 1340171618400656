// respool, by way of its public interface only.
import { StreamAccumulator, streamDeltas } from "respool";
import { responseOf } from "../response.mjs";

const STREAMS = ["chat reads", "anthropic reads", "responses reads"];

/** How many characters of text and arguments the deltas brought. */
function charactersOf(deltas) {
  let seen = 0;
  for (const delta of deltas) {
    if (delta.type === "text") seen += delta.text.length;
    else if (delta.type === "tool-call-delta") seen += delta.arguments.length;
  }
  return seen;
}

function accumulate(pieces, push) {
  const accumulator = new StreamAccumulator();
  let seen = 0;
  for (const piece of pieces) seen += charactersOf(push(accumulator, piece));
  const result = accumulator.finish();
  accumulator.free();
  return { result, seen };
}

const pushBytes = (reads) => accumulate(reads, (accumulator, read) => accumulator.pushBytes(read));
const pushObjects = (chunks) => accumulate(chunks, (accumulator, chunk) => accumulator.push(chunk));

async function readResponse(reads) {
  const deltas = streamDeltas(responseOf(reads));
  let seen = 0;
  for await (const delta of deltas) seen += charactersOf([delta]);
  return { result: deltas.result, seen };
}

function outcome({ result, seen }) {
  return {
    text: result.text,
    toolCalls: result.toolCalls,
    finishReason: result.rawFinishReason,
    usage: { input: result.usage?.promptTokens, output: result.usage?.completionTokens },
    seen,
  };
}

export default [
  ...STREAMS.flatMap((takes) => [
    { name: "respool pushBytes", takes, run: pushBytes, outcome },
    { name: "respool streamDeltas", takes, over: "Response", run: readResponse, outcome },
  ]),
  ...["chat objects"].map((takes) => ({ name: "respool push", takes, run: pushObjects, outcome })),
];
