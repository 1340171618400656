// OpenAI's SDK: the helper that accumulates a stream, which reads from our `fetch` or from objects.
import OpenAI from "openai";
import { ChatCompletionStream } from "openai/lib/ChatCompletionStream";
import { Playback } from "../response.mjs";

const playback = new Playback();
const client = new OpenAI({ apiKey: "none", fetch: playback.fetch, maxRetries: 0 });
const CHAT = { model: "gpt-4o", messages: [{ role: "user", content: "Ferry?" }] };
const RESPONSES = { model: "gpt-4.1-mini", input: "Ferry?" };

function readChat(reads) {
  playback.respondWith(reads);
  return consumeChat(client.chat.completions.stream(CHAT));
}

/** The accumulator alone, with a client that returns the objects. */
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

async function readResponses(reads) {
  playback.respondWith(reads);
  const stream = client.responses.stream(RESPONSES);
  let seen = 0;
  stream.on("response.output_text.delta", ({ delta }) => (seen += delta.length));
  stream.on("response.function_call_arguments.delta", ({ delta }) => (seen += delta.length));
  return { response: await stream.finalResponse(), seen };
}

async function readBody(bytes) {
  playback.respondWith([bytes], "application/json");
  return { completion: await client.chat.completions.create(CHAT) };
}

function chatOutcome({
  completion: {
    choices: [{ message, finish_reason }],
    usage,
  },
  seen,
}) {
  return {
    text: message.content ?? "",
    toolCalls: (message.tool_calls ?? []).map(({ id, function: { name, arguments: text } }) => ({ id, name, arguments: text })),
    finishReason: finish_reason,
    usage: { input: usage.prompt_tokens, output: usage.completion_tokens },
    seen,
  };
}

function responsesOutcome({ response: { output, output_text, status, usage }, seen }) {
  const calls = output.filter(({ type }) => type === "function_call");
  return {
    text: output_text,
    toolCalls: calls.map(({ call_id, name, arguments: text }) => ({ id: call_id, name, arguments: text })),
    finishReason: status,
    usage: { input: usage.input_tokens, output: usage.output_tokens },
    seen,
  };
}

export default [
  { name: "openai SDK stream", takes: "chat reads", over: "Response", run: readChat, outcome: chatOutcome },
  { name: "openai SDK accumulator", takes: "chat objects", run: accumulateChat, outcome: chatOutcome },
  {
    name: "openai SDK responses stream",
    takes: "responses reads",
    over: "Response",
    run: readResponses,
    outcome: responsesOutcome,
  },
  { name: "openai SDK create", takes: "chat body, decoded", over: "Response", run: readBody, outcome: chatOutcome },
];
