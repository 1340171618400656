// LangChain: the stream of its OpenAI model, whose chunks are concatenated, and `invoke` for bodies.
import { ChatOpenAI } from "@langchain/openai";
import { versionOf } from "../machine.mjs";

/** @import { AIMessageChunk, UsageMetadata } from "@langchain/core/messages" */
/** @import { Adapter, Answer } from "../../tests/fixtures/quirks/check.mjs" */

/** @type {Adapter} */
export default {
  name: "LangChain, `@langchain/openai`",
  version: versionOf("@langchain/openai"),
  reads: { "openai-chat": ["stream", "body"], "openai-responses": ["stream", "body"] },
  async read({ api, form, fetch }, answer) {
    const useResponsesApi = api === "openai-responses";
    const configuration = /** @type {const} */ ({ fetch, logLevel: "off" });
    const model = new ChatOpenAI({ model: "gpt-4o", apiKey: "none", maxRetries: 0, useResponsesApi, configuration });
    if (form === "body") return addMessage(await model.invoke("Tides?"), answer);
    /** @type {AIMessageChunk | undefined} */
    let message;
    try {
      for await (const chunk of await model.stream("Tides?")) message = message === undefined ? chunk : message.concat(chunk);
    } finally {
      if (message !== undefined) addMessage(message, answer);
    }
  },
};

/** @param {AIMessageChunk} message @param {Answer} answer */
function addMessage(message, answer) {
  const { tool_calls = [], invalid_tool_calls = [], additional_kwargs, response_metadata } = message;
  const usage = usageOf(message);
  answer.all = message;
  answer.text = message.text;
  answer.toolCalls = [
    ...tool_calls.map(({ id, name, args, ...rest }) => ({ id, name, arguments: "isCustomTool" in rest ? textOf(args) : args })),
    ...invalid_tool_calls.map(({ id, name, args }) => ({ id, name: name ?? "", arguments: args })),
  ];
  if (typeof additional_kwargs.refusal === "string") answer.refusal = additional_kwargs.refusal;
  answer.reasoning = reasoningOf(message);
  const { finish_reason, status } = response_metadata;
  if (finish_reason || status === "completed" || status === "incomplete") answer.ending = "complete";
  if (usage !== undefined) {
    answer.usage = { promptTokens: usage.input_tokens, completionTokens: usage.output_tokens, totalTokens: usage.total_tokens };
  }
}

/** LangChain's type of a chunk has no usage. @param {{ usage_metadata?: UsageMetadata | undefined }} chunk */
const usageOf = ({ usage_metadata }) => usage_metadata;

/** Returns the text of a custom tool call as JSON. @param {Record<string, unknown>} args */
const textOf = ({ input }) => JSON.stringify(input);

/** Chat models put reasoning into `additional_kwargs`, all others into content blocks. @param {AIMessageChunk} message */
function reasoningOf({ additional_kwargs, contentBlocks }) {
  const text = additional_kwargs.reasoning_content;
  if (typeof text === "string") return text;
  return contentBlocks.map((block) => (block.type === "reasoning" ? block.reasoning : "")).join("");
}
