// The SDK of OpenAI: the helper that accumulates a stream, fed by a `fetch` of ours or with objects.
import OpenAI from "openai";
import { ChatCompletionStream } from "openai/lib/ChatCompletionStream";
import { Playback } from "../response.mjs";

const playback = new Playback();
const client = new OpenAI({ apiKey: "none", fetch: playback.fetch, maxRetries: 0 });
const CHAT = { model: "gpt-4o", messages: [{ role: "user", content: "Ferry?" }], stream_options: { include_usage: true } };

function readChat(reads) {
  playback.answerWith(reads);
  return consumeChat(client.chat.completions.stream(CHAT));
}

/** The accumulator alone: what it is given as a client answers with the objects. */
function accumulateChat(chunks) {
  const stream = { controller: new AbortController(), [Symbol.iterator]: () => chunks.values() };
  const source = { chat: { completions: { create: async () => stream } } };
  return consumeChat(ChatCompletionStream.createChatCompletion(source, CHAT));
}

async function consumeChat(stream) {
  let seen = 0;
  stream.on("content.delta", ({ delta }) => (seen += delta.length));
  stream.on("tool_calls.function.arguments.delta", ({ arguments_delta }) => (seen += arguments_delta.length));
  return { completion: await stream.finalChatCompletion(), seen };
}

function chatOutcome({ completion: { choices: [{ message, finish_reason }], usage }, seen }) {
  return {
    text: message.content ?? "",
    toolCalls: (message.tool_calls ?? []).map(({ id, function: { name, arguments: text } }) => ({ id, name, arguments: text })),
    finishReason: finish_reason,
    usage: { input: usage.prompt_tokens, output: usage.completion_tokens },
    seen,
  };
}

export default [
  { name: "openai SDK stream", takes: "chat reads", over: "Response", run: readChat, outcome: chatOutcome },
  { name: "openai SDK accumulator", takes: "chat objects", run: accumulateChat, outcome: chatOutcome },
];
