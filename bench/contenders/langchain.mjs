// LangChain: the stream of its OpenAI model, and the concatenation of chunks, which is how LangChain accumulates.
import { AIMessageChunk } from "@langchain/core/messages";
import { ChatOpenAI } from "@langchain/openai";
import { Playback } from "../response.mjs";

/** @import { UsageMetadata } from "@langchain/core/messages" */
/** @import { Contender } from "./index.mjs" */
/** @import { Chunk } from "./wire.d.ts" */

const playback = new Playback();
const model = new ChatOpenAI({ model: "gpt-4o", apiKey: "none", maxRetries: 0, configuration: { fetch: playback.fetch } });

/** @param {AIMessageChunk} chunk */
function charactersOf({ content, tool_call_chunks }) {
  let seen = content.length;
  for (const fragment of tool_call_chunks ?? []) seen += fragment.args?.length ?? 0;
  return seen;
}

/** @param {Uint8Array[]} reads */
async function readResponse(reads) {
  playback.respondWith(reads);
  /** @type {AIMessageChunk | undefined} */
  let message;
  let seen = 0;
  for await (const chunk of await model.stream("Ferry?")) {
    seen += charactersOf(chunk);
    message = message === undefined ? chunk : message.concat(chunk);
  }
  return { message, seen };
}

/** @param {Chunk[]} chunks */
function concatObjects(chunks) {
  let message = new AIMessageChunk({ content: "" });
  let seen = 0;
  for (const chunk of chunks) {
    const piece = messageChunk(chunk);
    seen += charactersOf(piece);
    message = message.concat(piece);
  }
  return { message, seen };
}

/** Converts a chunk as LangChain's model does, with only the fields that the benchmark reads. @param {Chunk} chunk */
function messageChunk({ choices: [choice], usage }) {
  if (usage) {
    const { prompt_tokens: input_tokens, completion_tokens: output_tokens, total_tokens } = usage;
    return Object.assign(new AIMessageChunk(""), { usage_metadata: { input_tokens, output_tokens, total_tokens } });
  }
  const { delta, finish_reason } = choice;
  return new AIMessageChunk({
    content: delta.content ?? "",
    tool_call_chunks: (delta.tool_calls ?? []).map(({ index, id, function: call }) => ({
      index,
      id,
      name: call.name,
      args: call.arguments,
    })),
    response_metadata: { ...(finish_reason === null ? {} : { finish_reason }) },
  });
}

/** LangChain's type of a chunk has no usage. @param {{ usage_metadata?: UsageMetadata | undefined }} chunk */
const usageOf = ({ usage_metadata }) => usage_metadata;

/** @param {{ message: AIMessageChunk | undefined, seen: number }} answer */
function outcome({ message, seen }) {
  if (message === undefined) throw new Error("the stream is empty");
  const usage = usageOf(message);
  return {
    text: message.content,
    // Only the parsed arguments are available.
    toolCalls: (message.tool_calls ?? []).map(({ id, name, args }) => ({ id, name, arguments: JSON.stringify(args) })),
    finishReason: message.response_metadata.finish_reason,
    usage: { input: usage?.input_tokens, output: usage?.output_tokens },
    seen,
  };
}

/** @type {Contender[]} */
export default [
  { name: "LangChain ChatOpenAI stream", takes: "chat reads", over: "Response", run: readResponse, outcome },
  { name: "LangChain concat", takes: "chat objects", run: concatObjects, outcome },
];
