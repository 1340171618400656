// OpenAI's SDK: the helper that accumulates a stream, which reads from our `fetch` or from objects.
import OpenAI from "openai";
import { ChatCompletionStream } from "openai/lib/ChatCompletionStream";
import { Playback } from "../response.mjs";

/** @import { ChatCompletion, ChatCompletionChunk } from "openai/resources/chat/completions" */
/** @import { Response } from "openai/resources/responses/responses" */
/** @import { Contender } from "./index.mjs" */

const playback = new Playback();
const client = new OpenAI({ apiKey: "none", fetch: playback.fetch, maxRetries: 0 });
const CHAT = { model: "gpt-4o", messages: [{ role: /** @type {const} */ ("user"), content: "Ferry?" }] };
const RESPONSES = { model: "gpt-4.1-mini", input: "Ferry?" };

/** @param {Uint8Array[]} reads */
function readChat(reads) {
  playback.respondWith(reads);
  return consumeChat(client.chat.completions.stream(CHAT));
}

/** The accumulator alone, with a client that returns the objects. @param {ChatCompletionChunk[]} chunks */
function accumulateChat(chunks) {
  const stream = { controller: new AbortController(), [Symbol.iterator]: () => chunks.values() };
  const source = { chat: { completions: { create: async () => stream } } };
  const client = /** @type {OpenAI} */ (/** @type {unknown} */ (source));
  return consumeChat(ChatCompletionStream.createChatCompletion(client, CHAT));
}

/** @param {ChatCompletionStream<null>} stream */
async function consumeChat(stream) {
  let seen = 0;
  stream.on("content.delta", ({ delta }) => (seen += delta.length));
  stream.on("tool_calls.function.arguments.delta", ({ arguments_delta }) => (seen += arguments_delta.length));
  return { completion: await stream.finalChatCompletion(), seen };
}

/** @param {Uint8Array[]} reads */
async function readResponses(reads) {
  playback.respondWith(reads);
  const stream = client.responses.stream(RESPONSES);
  let seen = 0;
  stream.on("response.output_text.delta", ({ delta }) => (seen += delta.length));
  stream.on("response.function_call_arguments.delta", ({ delta }) => (seen += delta.length));
  return { response: await stream.finalResponse(), seen };
}

/** @param {Uint8Array} bytes */
async function readBody(bytes) {
  playback.respondWith([bytes], "application/json");
  return { completion: await client.chat.completions.create(CHAT) };
}

/** @param {{ completion: ChatCompletion, seen?: number }} answer */
function chatOutcome({
  completion: {
    choices: [{ message, finish_reason }],
    usage,
  },
  seen,
}) {
  return {
    text: message.content ?? "",
    toolCalls: (message.tool_calls ?? []).flatMap((call) =>
      call.type === "function" ? [{ id: call.id, name: call.function.name, arguments: call.function.arguments }] : [],
    ),
    finishReason: finish_reason,
    usage: { input: usage?.prompt_tokens, output: usage?.completion_tokens },
    seen,
  };
}

/** @param {{ response: Response, seen: number }} answer */
function responsesOutcome({ response: { output, output_text, status, usage }, seen }) {
  return {
    text: output_text,
    toolCalls: output.flatMap((item) =>
      item.type === "function_call" ? [{ id: item.call_id, name: item.name, arguments: item.arguments }] : [],
    ),
    finishReason: status,
    usage: { input: usage?.input_tokens, output: usage?.output_tokens },
    seen,
  };
}

/** @type {Contender[]} */
export default [
  { name: "openai SDK stream", takes: "chat reads", over: "Response", run: readChat, outcome: chatOutcome },
  ...["chat objects", "chat objects with usage"].map((takes) => ({
    name: "openai SDK accumulator",
    takes,
    run: accumulateChat,
    outcome: chatOutcome,
  })),
  {
    name: "openai SDK responses stream",
    takes: "responses reads",
    over: "Response",
    run: readResponses,
    outcome: responsesOutcome,
  },
  { name: "openai SDK create", takes: "chat body, decoded", over: "Response", run: readBody, outcome: chatOutcome },
];
