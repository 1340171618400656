// The clients with which applications read these interfaces. Each reads a response from our own fetch, and returns what the
// application sees: texts, calls, finish reason and usage, or an error.
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";

const MESSAGES = [{ role: "user", content: "Ferry?" }];
const PROMPT = [{ role: "user", content: [{ type: "text", text: "Ferry?" }] }];

const join = (texts) => texts.join("");
const textOf = (list, type, member) => join(list.filter((one) => one.type === type).map((one) => one[member] ?? ""));

async function readChat(fetch) {
  const client = new OpenAI({ apiKey: "none", baseURL: "http://model.test/v1", fetch, maxRetries: 0 });
  const stream = client.chat.completions.stream({ model: "m", messages: MESSAGES, stream_options: { include_usage: true } });
  const reasoning = [];
  stream.on("chunk", ({ choices }) => {
    for (const { index, delta } of choices) if (index === 0) reasoning.push(delta.reasoning_content ?? "");
  });
  const { id, model, choices, usage } = await stream.finalChatCompletion();
  const { message, finish_reason } = choices[0];
  return {
    id,
    model,
    text: message.content ?? "",
    refusal: message.refusal ?? "",
    reasoning: join(reasoning),
    calls: (message.tool_calls ?? []).map((call) => ({ id: call.id, ...pick(call.function) })),
    finish: finish_reason,
    usage: usage && {
      input: usage.prompt_tokens,
      output: usage.completion_tokens,
      cached: usage.prompt_tokens_details?.cached_tokens,
      reasoning: usage.completion_tokens_details?.reasoning_tokens,
    },
  };
}

const pick = ({ name, arguments: text }) => ({ name, arguments: text });

async function readResponses(fetch) {
  const client = new OpenAI({ apiKey: "none", baseURL: "http://model.test/v1", fetch, maxRetries: 0 });
  const stream = client.responses.stream({ model: "m", input: "Ferry?" });
  const { id, model, output, usage, status, incomplete_details, error } = await stream.finalResponse();
  if (status === "failed") throw new Error(error.message, { cause: error });
  const contents = output.flatMap((item) => (item.type === "message" ? item.content : []));
  const thoughts = output.flatMap((item) => (item.type === "reasoning" ? [...item.summary, ...(item.content ?? [])] : []));
  const calls = output.flatMap((item) => {
    // respool's own result has the input of a custom tool as a JSON string.
    if (item.type === "custom_tool_call") return [{ ...item, arguments: JSON.stringify(item.input) }];
    return item.type === "function_call" ? [item] : [];
  });
  return {
    id,
    model,
    text: textOf(contents, "output_text", "text"),
    refusal: textOf(contents, "refusal", "refusal"),
    reasoning: join(thoughts.map(({ text }) => text)),
    calls: calls.map((call) => ({ id: call.call_id, ...pick(call) })),
    finish: status === "completed" ? (calls.length > 0 ? "tool_calls" : "stop") : (incomplete_details?.reason ?? status),
    usage: usage && {
      input: usage.input_tokens,
      output: usage.output_tokens,
      cached: usage.input_tokens_details?.cached_tokens,
      reasoning: usage.output_tokens_details?.reasoning_tokens,
    },
  };
}

async function readMessages(fetch) {
  const client = new Anthropic({ apiKey: "none", baseURL: "http://model.test", fetch, maxRetries: 0 });
  const stream = client.messages.stream({ model: "m", max_tokens: 100, messages: MESSAGES });
  const fragments = new Map();
  stream.on("streamEvent", (event) => {
    if (event.type !== "content_block_delta" || event.delta.type !== "input_json_delta") return;
    fragments.set(event.index, (fragments.get(event.index) ?? "") + event.delta.partial_json);
  });
  const { id, model, content, stop_reason, usage } = await stream.finalMessage();
  return {
    id,
    model,
    text: textOf(content, "text", "text"),
    refusal: "",
    reasoning: textOf(content, "thinking", "thinking"),
    signatures: content.flatMap(({ type, signature, data }) => (type === "thinking" ? [signature] : (data ?? []))),
    calls: content.flatMap((block, index) =>
      block.type === "tool_use" ? [{ id: block.id, name: block.name, arguments: fragments.get(index) ?? "{}" }] : [],
    ),
    finish: stop_reason,
    usage: {
      input: usage.input_tokens + (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0),
      output: usage.output_tokens,
      cached: usage.cache_read_input_tokens ?? undefined,
    },
  };
}

/** Returns a model of the AI SDK, called as `streamText` calls it. */
const aiSdk = (modelOf) => async (fetch) => {
  const { stream } = await modelOf(fetch).doStream({ prompt: PROMPT, includeRawChunks: false });
  const parts = [];
  const reader = stream.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) parts.push(read.value);
  const failure = parts.find(({ type }) => type === "error");
  if (failure) throw asError(failure.error);
  const { id, modelId } = parts.find(({ type, id }) => type === "response-metadata" && id) ?? {};
  const { finishReason, usage } = parts.find(({ type }) => type === "finish") ?? {};
  const calls = parts.filter(({ type, providerExecuted }) => type === "tool-call" && !providerExecuted);
  return {
    id,
    model: modelId,
    text: textOf(parts, "text-delta", "delta"),
    refusal: "",
    reasoning: textOf(parts, "reasoning-delta", "delta"),
    calls: calls.map(({ toolCallId, toolName, input }) => ({ id: toolCallId, name: toolName, arguments: input })),
    finish: finishReason?.unified,
    usage: usage && { input: usage.inputTokens.total, output: usage.outputTokens.total, cached: usage.inputTokens.cacheRead },
  };
};

const asError = (error) => (error instanceof Error ? error : new Error(JSON.stringify(error), { cause: error }));

const openai = (fetch) => createOpenAI({ apiKey: "none", baseURL: "http://model.test/v1", fetch });
const compatible = (fetch) =>
  createOpenAICompatible({ name: "other", apiKey: "none", baseURL: "http://model.test/v1", fetch, includeUsage: true });

/** The clients of each interface. */
export const CLIENTS = {
  "openai-chat": {
    openai: readChat,
    "@ai-sdk/openai": aiSdk((fetch) => openai(fetch).chat("m")),
    "@ai-sdk/openai-compatible": aiSdk((fetch) => compatible(fetch)("m")),
  },
  "openai-responses": {
    openai: readResponses,
    "@ai-sdk/openai": aiSdk((fetch) => openai(fetch).responses("m")),
  },
  "anthropic-messages": {
    "@anthropic-ai/sdk": readMessages,
    "@ai-sdk/anthropic": aiSdk((fetch) => createAnthropic({ apiKey: "none", baseURL: "http://model.test/v1", fetch })("m")),
  },
};

/** Reads bytes with a client of an interface. */
export function readBytes(to, client, bytes) {
  return CLIENTS[to][client](
    async () => new Response(bytes, { headers: { "content-type": "text/event-stream; charset=utf-8" } }),
  );
}
