// The AI SDK: streamText with its OpenAI provider, which reads from our `fetch`.
import { createOpenAI } from "@ai-sdk/openai";
import { jsonSchema, streamText, tool } from "ai";
import { Playback } from "../response.mjs";

/** @import { LanguageModel, TextStreamPart, ToolSet } from "ai" */
/** @import { Contender } from "./index.mjs" */

/** @typedef {{ toolCallId: string, toolName: string, input: unknown }} CallPart */
/** @typedef {Extract<TextStreamPart<ToolSet>, { type: "finish" }>} FinishPart */
/** @typedef {{ text: string, calls: CallPart[], end: FinishPart | undefined, seen: number }} Read */

const playback = new Playback();
const openai = createOpenAI({ apiKey: "none", fetch: playback.fetch });
const CHAT = openai.chat("gpt-4o");
const RESPONSES = openai.responses("gpt-4.1-mini");
// The AI SDK rejects calls to unknown tools.
const anything = tool({ inputSchema: jsonSchema({ type: "object" }) });
const TOOLS = { timetable: anything, weather: anything, ticket_price: anything, tide: anything };

/** @param {LanguageModel} model @param {Uint8Array[]} reads */
async function read(model, reads) {
  playback.respondWith(reads);
  const { fullStream } = streamText({ model, prompt: "Ferry?", tools: TOOLS, maxRetries: 0 });
  /** @type {Read} */
  const answer = { text: "", calls: [], end: undefined, seen: 0 };
  for await (const part of fullStream) {
    switch (part.type) {
      case "text-delta":
        answer.text += part.text;
        answer.seen += part.text.length;
        break;
      case "tool-input-delta":
        answer.seen += part.delta.length;
        break;
      case "tool-call":
        answer.calls.push(part);
        break;
      case "finish":
        answer.end = part;
        break;
      case "error":
        throw part.error;
    }
  }
  return answer;
}

/** @param {Read} answer */
function outcome({ text, calls, end, seen }) {
  return {
    text,
    // Only the parsed arguments are available.
    toolCalls: calls.map(({ toolCallId, toolName, input }) => ({
      id: toolCallId,
      name: toolName,
      arguments: JSON.stringify(input),
    })),
    finishReason: end?.rawFinishReason,
    usage: { input: end?.totalUsage.inputTokens, output: end?.totalUsage.outputTokens },
    seen,
  };
}

/** The AI SDK reports no status, so this maps its finish reason. @param {Read} answer */
function responsesOutcome(answer) {
  const reason = answer.end?.finishReason;
  return { ...outcome(answer), finishReason: reason === "tool-calls" ? "completed" : reason };
}

/** @param {string} takes @param {LanguageModel} model @param {Contender["outcome"]} outcome @returns {Contender} */
const entry = (takes, model, outcome) => ({
  name: "AI SDK streamText",
  takes,
  over: "Response",
  run: (reads) => read(model, reads),
  outcome,
});

export default [entry("chat reads", CHAT, outcome), entry("responses reads", RESPONSES, responsesOutcome)];
