// llm-stream-assemble: the events of a stream or a body, from its adapter for each interface. It stops at the finish reason,
// so it loses usage that arrives later, and it repeats the text of Responses. It only reads cases in which neither matters.
import { anthropicAdapter, assembleResponse, assembleStream, openaiChatAdapter } from "llm-stream-assemble";
import { bodyOf, responseOf } from "../response.mjs";

/** @import { StreamAdapter, StreamEvent } from "llm-stream-assemble" */
/** @import { Contender } from "./index.mjs" */

/** @typedef {Extract<StreamEvent, { type: "tool_call.done" }>} CallEvent */
/** @typedef {{ input?: number | undefined, output?: number | undefined }} Tokens */
/** @typedef {{ text: string, toolCalls: CallEvent[], finishReason: string | undefined, usage: Tokens, seen: number }} Read */

const decoder = new TextDecoder();

const stream = (/** @type {() => StreamAdapter} */ adapter) => (/** @type {Uint8Array[]} */ reads) =>
  collect(assembleStream(bodyOf(responseOf(reads)), adapter()));
const readBody = (/** @type {Uint8Array} */ bytes) =>
  collect(assembleResponse(JSON.parse(decoder.decode(bytes)), openaiChatAdapter()));

/** @param {Iterable<StreamEvent> | AsyncIterable<StreamEvent>} events */
async function collect(events) {
  /** @type {Read} */
  const answer = { text: "", toolCalls: [], finishReason: undefined, usage: {}, seen: 0 };
  for await (const event of events) addEvent(answer, event);
  return answer;
}

/** @param {Read} answer @param {StreamEvent} event */
function addEvent(answer, event) {
  switch (event.type) {
    case "text.delta":
      answer.text += event.text;
      answer.seen += event.text.length;
      break;
    case "tool_call.args.delta":
      answer.seen += event.delta.length;
      break;
    case "tool_call.done":
      answer.toolCalls.push(event);
      break;
    case "usage":
      // Anthropic's arrives in two events.
      answer.usage.input = event.inputTokens ?? answer.usage.input;
      answer.usage.output = event.outputTokens ?? answer.usage.output;
      break;
    case "finish":
      answer.finishReason = event.reason;
      break;
    case "error":
      throw event.error;
  }
}

/** @param {Read} answer */
const outcome = ({ toolCalls, ...answer }) => ({
  ...answer,
  // Only the parsed arguments are available.
  toolCalls: toolCalls.map(({ id, name, args }) => ({ id, name, arguments: JSON.stringify(args) })),
});

/** Its finish reasons are those of chat completions. @param {Read} answer */
const anthropicOutcome = (answer) =>
  outcome({ ...answer, finishReason: answer.finishReason === "tool_calls" ? "tool_use" : answer.finishReason });

const name = "llm-stream-assemble";

/** @type {Contender[]} */
export default [
  {
    ...{ name, takes: "chat reads", only: "chat text with usage in each chunk", over: "Response" },
    ...{ run: stream(openaiChatAdapter), outcome },
  },
  { name, takes: "anthropic reads", over: "Response", run: stream(anthropicAdapter), outcome: anthropicOutcome },
  { name, takes: "chat body, decoded", run: readBody, outcome },
];
