// Every recorded stream, encoded in every target interface and read by the clients that applications use: they accept the
// output, and see the same texts, calls, finish reasons and usage as respool's own result.
// A failure prints the seed; ENCODE_SEED repeats it.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { StreamEncoder } from "respool/encode";
import { CLIENTS, readBytes } from "./encode-clients.mjs";
import { cut, recordedStreams } from "./encode-fixtures.mjs";
import { numbersFrom, seedOf } from "./random.mjs";

const SEED = seedOf("ENCODE");
const STREAMS = recordedStreams();

/** Encodes a stream. Returns the output, the result of the stream, and the losses. */
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

/** The clients' finish reasons, by that of the result. */
const FINISH = {
  complete: ["stop", "end_turn", "stop_sequence"],
  tool_use: ["tool_calls", "tool-calls", "tool_use"],
  length: ["length", "max_tokens", "max_output_tokens", "model_context_window_exceeded"],
  content_filter: ["content_filter", "content-filter", "refusal"],
};

/** Returns the finish reasons that a client may report for a result. */
function endOf({ finishReason, toolCalls, refusal }) {
  if (finishReason === "length" || finishReason?.unknown === "pause_turn") return [...FINISH.length, "pause_turn", "other"];
  if (finishReason === "content_filter") return FINISH.content_filter;
  if (toolCalls.length > 0) return FINISH.tool_use;
  return refusal ? [...FINISH.content_filter, ...FINISH.complete] : FINISH.complete;
}

/** Arguments in a comparable form. Anthropic has the input of a custom tool as the only member of an object. */
const compact = (text) => {
  try {
    const value = JSON.parse(text);
    const isWrapped = typeof value?.input === "string" && Object.keys(value).length === 1;
    return JSON.stringify(isWrapped ? value.input : value);
  } catch {
    // The cut-off input of a custom tool, which Responses has without quotes.
    return /^"(?:[^"\\]|\\.)*$/.test(text) ? compact(`${text}"`) : text;
  }
};

/** Returns the differences between what a client sees and the result. */
function differences(to, client, seen, result) {
  // This client doesn't read the reasoning of other servers than OpenAI's.
  const isUnread = client === "@ai-sdk/openai" && to === "openai-chat";
  const found = [];
  const same = (what, one, other) => one !== other && found.push(`${what}: ${JSON.stringify(one)}, not ${JSON.stringify(other)}`);
  same("text", seen.text + seen.refusal, result.text + (result.refusal ?? ""));
  if (!isUnread) same("reasoning", seen.reasoning, result.reasoning);
  same("calls", calls(seen.calls), calls(result.toolCalls));
  // Interfaces that always report usage have 0 if it is unknown.
  const { inputTokens, outputTokens } = result.usage ?? {};
  if (inputTokens !== undefined) same("input", seen.usage?.input, inputTokens);
  if (outputTokens !== undefined) same("output", seen.usage?.output, outputTokens);
  if (!endOf(result).includes(seen.finish)) found.push(`finish: ${seen.finish}, not ${endOf(result)[0]}`);
  return found;
}

const calls = (list) => JSON.stringify(list.map(({ id, name, arguments: text }) => [id, name, compact(text || "{}")]).sort());

/** The AI SDK merges all choices into one, and is slow, so only the providers' own clients read the quirks. */
const isAsked = (client, name, { response }) =>
  !client.startsWith("@ai-sdk/") || (!name.startsWith("quirks/") && (response.choices?.length ?? 1) === 1);

const TOO_LATE = ["second-answer", "resumed-stream", "withdrawn-tool-call"];

/** An encoder can't write a second answer or a late beginning, nor withdraw a call or replace its arguments. */
const isWritable = ({ warnings }) =>
  warnings.every(({ code, message }) => !TOO_LATE.includes(code) && !/replace them$/.test(message));

/** What a client reads wrongly. */
async function faultsOf(to, client, written, result) {
  const seen = await readBytes(to, client, written).catch((error) => ({ error }));
  // Anthropic's clients parse the arguments, and reject invalid ones.
  const isBroken = result.toolCallStatus.some((status) => status !== "complete");
  if (to === "anthropic-messages" && isBroken && result.ending === "complete") return [];
  // The AI SDK throws no error for those of other providers: it reports the finish reason `other`.
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
          // In the same interface, events are passed on unchanged, so a client may reject them or read a failure's finish
          // reason in its own way.
          const isToldByWord = result.finishReason?.unknown !== undefined;
          const isSame = result.response.api === to && (result.ending === "complete" || isToldByWord);
          if (faults.length > 0 && isSame && (await faultsOf(to, client, bytes, result)).length > 0) faults = [];
          assert.deepEqual(faults, [], `${client}; lost: ${lost.map(({ message }) => message).join(", ")}`);
        }
      });
    }
  });
}
