// The AI SDK with its OpenAI-compatible provider: streamText, and generateText for bodies.
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, jsonSchema, streamText, tool } from "ai";
import { versionOf } from "../machine.mjs";

/** @import { LanguageModel, LanguageModelUsage, ToolSet } from "ai" */
/** @import { Adapter, Answer } from "../../tests/fixtures/quirks/check.mjs" */

const anything = tool({ inputSchema: jsonSchema({ type: "object" }) });

/** @type {Adapter} */
export default {
  name: "AI SDK, `@ai-sdk/openai-compatible`",
  version: `${versionOf("@ai-sdk/openai-compatible")} with ai ${versionOf("ai")}`,
  reads: { "openai-chat": ["stream", "body"] },
  // Its parts are text, reasoning and tool calls.
  lacks: ["refusal"],
  async read({ form, tools, fetch }, answer) {
    const provider = createOpenAICompatible({ name: "server", baseURL: "http://localhost/v1", includeUsage: true, fetch });
    const declared = Object.fromEntries(tools.map((name) => [name, anything]));
    await (form === "stream" ? stream : generate)(provider("model"), declared, answer);
  },
};

/** @param {LanguageModel} model @param {ToolSet} tools @param {Answer} answer */
async function stream(model, tools, answer) {
  const { fullStream } = streamText({ model, prompt: "Tides?", tools, maxRetries: 0, onError() {} });
  /** @type {unknown[]} */
  const parts = [];
  answer.all = parts;
  for await (const part of fullStream) {
    parts.push(part);
    switch (part.type) {
      case "text-delta":
        answer.text += part.text;
        break;
      case "reasoning-delta":
        answer.reasoning += part.text;
        break;
      case "tool-call":
        addCall(part, answer);
        break;
      case "error":
        answer.error ??= part.error;
        break;
      case "finish":
        addEnd(part.rawFinishReason, part.totalUsage, answer);
    }
  }
}

/** @param {LanguageModel} model @param {ToolSet} tools @param {Answer} answer */
async function generate(model, tools, answer) {
  const result = await generateText({ model, prompt: "Tides?", tools, maxRetries: 0 });
  answer.all = result.steps;
  answer.text = result.text;
  answer.reasoning = result.reasoningText ?? "";
  for (const call of result.toolCalls) addCall(call, answer);
  addEnd(result.rawFinishReason, result.usage, answer);
}

/** @param {{ toolCallId: string, toolName: string, input: unknown }} call @param {Answer} answer */
function addCall({ toolCallId, toolName, input }, answer) {
  answer.toolCalls.push({ id: toolCallId, name: toolName, arguments: input });
}

/** @param {string | undefined} finishReason @param {LanguageModelUsage} usage @param {Answer} answer */
function addEnd(finishReason, { inputTokens, outputTokens, totalTokens }, answer) {
  if (finishReason !== undefined) answer.ending = "complete";
  answer.usage = { promptTokens: inputTokens, completionTokens: outputTokens, totalTokens };
}
