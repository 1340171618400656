// A block of a batch result file, read by a worker of the command line, and by a script. Both use one processor.
const decoder = new TextDecoder();
const encoder = new TextEncoder();
const FINISH_REASONS = { stop: "complete", length: "length", tool_calls: "tool_use", content_filter: "content_filter" };

/** @import { Contender } from "./index.mjs" */
/** @import { Body } from "./wire.d.ts" */

/** The reader that the command line bundles. @type {{ BatchReader: new () => { read(block: Uint8Array): { results: Uint8Array } } }} */
const { BatchReader } = await import(new URL("../../pkg/cli/reader.js", import.meta.url).href);

/** @type {InstanceType<typeof BatchReader> | undefined} */
let reader;

/** @param {Uint8Array} block */
function readByModule(block) {
  reader ??= new BatchReader();
  return reader.read(block).results;
}

/** @param {Uint8Array} block */
function readByScript(block) {
  const results = [];
  for (const line of decoder.decode(block).split("\n")) if (line !== "") results.push(JSON.stringify(resultOf(JSON.parse(line))));
  return encoder.encode(results.join("\n"));
}

/** @param {{ custom_id: string, response: { body: Body } }} line */
function resultOf({ custom_id, response }) {
  const { id, model, choices, usage, service_tier } = response.body;
  const [{ message, finish_reason }] = choices;
  const { prompt_tokens_details: prompt, completion_tokens_details: completion } = usage;
  return {
    customId: custom_id,
    id,
    model,
    text: message.content ?? "",
    toolCalls: (message.tool_calls ?? []).map(({ id, function: call }) => ({ id, name: call.name, arguments: call.arguments })),
    finishReason: FINISH_REASONS[finish_reason],
    rawFinishReason: finish_reason,
    usage: {
      inputTokens: usage.prompt_tokens,
      uncachedInputTokens: usage.prompt_tokens - (prompt?.cached_tokens ?? 0),
      outputTokens: usage.completion_tokens,
      promptTokens: usage.prompt_tokens,
      completionTokens: usage.completion_tokens,
      totalTokens: usage.total_tokens,
      reasoningTokens: completion?.reasoning_tokens,
      cacheReadTokens: prompt?.cached_tokens,
      audioTokens: (prompt?.audio_tokens ?? 0) + (completion?.audio_tokens ?? 0),
      serviceTier: service_tier,
    },
  };
}

const outcome = (/** @type {Uint8Array} */ results) => ({
  results: decoder
    .decode(results)
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line)),
});

/** @type {Contender[]} */
export default [
  { name: "respool command line", takes: "batch lines", run: readByModule, outcome },
  { name: "JSON.parse script", takes: "batch lines", run: readByScript, outcome },
];
