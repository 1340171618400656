// Every recorded stream in every interface that can be written, read by the clients that applications use: they accept
// what is written, and see the same texts, calls, reasons and usage as respool's own result.
// A failure prints the seed; ENCODE_SEED repeats it.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { StreamEncoder } from "respool/encode";
import { CLIENTS, readBytes } from "./encode-clients.mjs";
import { cut, recordedStreams } from "./encode-fixtures.mjs";
import { numbersFrom, seedOf } from "./random.mjs";

const SEED = seedOf("ENCODE");
const STREAMS = recordedStreams();

/** What an encoder writes of a stream, the result of the stream, and what was lost. */
function encoded(to, pieces, options) {
  const encoder = new StreamEncoder(to, { includeUsage: true, ...options });
  try {
    const written = pieces.map((piece) => encoder.pushBytes(piece));
    written.push(encoder.finish());
    return { bytes: Buffer.concat(written), result: encoder.result, lost: encoder.lost };
  } finally {
    encoder.free();
  }
}

/** The end as the clients name it, by what the result says. */
const FINISH = {
  complete: ["stop", "end_turn", "stop_sequence"],
  tool_use: ["tool_calls", "tool-calls", "tool_use"],
  length: ["length", "max_tokens", "max_output_tokens", "model_context_window_exceeded"],
  content_filter: ["content_filter", "content-filter", "refusal"],
};

/** What the end has to be: the reason follows from what was sent. */
function endOf({ finishReason, toolCalls, refusal }) {
  if (finishReason === "length" || finishReason?.unknown === "pause_turn") return [...FINISH.length, "pause_turn", "other"];
  if (finishReason === "content_filter") return FINISH.content_filter;
  if (toolCalls.length > 0) return FINISH.tool_use;
  return refusal ? [...FINISH.content_filter, ...FINISH.complete] : FINISH.complete;
}

/** Arguments to compare. Anthropic has the text of a custom tool as the only member of an object. */
const compact = (text) => {
  try {
    const value = JSON.parse(text);
    const isWrapped = typeof value?.input === "string" && Object.keys(value).length === 1;
    return JSON.stringify(isWrapped ? value.input : value);
  } catch {
    // The text of a custom tool that was cut off, which Responses has without quotes.
    return /^"(?:[^"\\]|\\.)*$/.test(text) ? compact(`${text}"`) : text;
  }
};

/** What a client sees that differs from the result. */
function differences(to, client, seen, result) {
  // This client doesn't read the reasoning of other servers than OpenAI's.
  const isUnread = client === "@ai-sdk/openai" && to === "openai-chat";
  const found = [];
  const same = (what, one, other) => one !== other && found.push(`${what}: ${JSON.stringify(one)}, not ${JSON.stringify(other)}`);
  same("text", seen.text + seen.refusal, result.text + (result.refusal ?? ""));
  if (!isUnread) same("reasoning", seen.reasoning, result.reasoning);
  same("calls", calls(seen.calls), calls(result.toolCalls));
  // An interface that always has the usage has 0 where none is known.
  const { inputTokens, outputTokens } = result.usage ?? {};
  if (inputTokens !== undefined) same("input", seen.usage?.input, inputTokens);
  if (outputTokens !== undefined) same("output", seen.usage?.output, outputTokens);
  if (!endOf(result).includes(seen.finish)) found.push(`finish: ${seen.finish}, not ${endOf(result)[0]}`);
  return found;
}

const calls = (list) => JSON.stringify(list.map(({ id, name, arguments: text }) => [id, name, compact(text || "{}")]).sort());

/** The AI SDK merges all choices into one, and takes long: quirks are read by the providers' own clients. */
const isAsked = (client, name, { response }) =>
  !client.startsWith("@ai-sdk/") || (!name.startsWith("quirks/") && (response.choices?.length ?? 1) === 1);

const TOO_LATE = ["second-answer", "resumed-stream", "withdrawn-tool-call"];

/** What comes after the end, or again, can't be written any more, and a call or its arguments can't be taken back. */
const isWritable = ({ warnings }) =>
  warnings.every(({ code, message }) => !TOO_LATE.includes(code) && !/replace them$/.test(message));

/** What a client sees that is wrong. */
async function faultsOf(to, client, written, result) {
  const seen = await readBytes(to, client, written).catch((error) => ({ error }));
  // Anthropic's clients parse the arguments, and refuse those that the model has got wrong.
  const isBroken = result.toolCallStatus.some((status) => status !== "complete");
  if (to === "anthropic-messages" && isBroken && result.ending === "complete") return [];
  // The AI SDK has no error for one that isn't OpenAI's: it gives another reason than success.
  const isFailure = seen.error !== undefined || seen.finish === "other";
  if (result.ending === "complete" && !seen.error) return differences(to, client, seen, result);
  return isFailure === (result.ending !== "complete") ? [] : [`${seen.error?.message ?? "no error"}, but ${result.ending}`];
}

for (const to of Object.keys(CLIENTS)) {
  describe(`${to} (seed ${SEED})`, () => {
    for (const [name, bytes] of STREAMS) {
      test(name, async () => {
        const below = numbersFrom(SEED);
        const {
          bytes: written,
          result,
          lost,
        } = encoded(
          to,
          cut(bytes, () => 1 + below(200)),
        );
        if (!isWritable(result)) return;
        for (const client of Object.keys(CLIENTS[to]).filter((client) => isAsked(client, name, result))) {
          let faults = await faultsOf(to, client, written, result);
          // In the same interface the events pass as they came, which need not be what a client accepts. A word for a failure
          // is one of theirs.
          const isToldByWord = result.finishReason?.unknown !== undefined;
          const isSame = result.response.api === to && (result.ending === "complete" || isToldByWord);
          if (faults.length > 0 && isSame && (await faultsOf(to, client, bytes, result)).length > 0) faults = [];
          assert.deepEqual(faults, [], `${client}; lost: ${lost.map(({ message }) => message).join(", ")}`);
        }
      });
    }
  });
}
