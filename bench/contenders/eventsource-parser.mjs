// The usual way without an SDK: eventsource-parser frames, JSON.parse reads, a few lines of one's own accumulate. It is
// the fastest form of that: bytes go in directly, deltas are used where they are found, strings are joined with +=.
import { createParser } from "eventsource-parser";

const name = "eventsource-parser + JSON.parse";

function parse(reads, onEvent) {
  const decoder = new TextDecoder();
  const parser = createParser({ onEvent });
  for (const read of reads) parser.feed(decoder.decode(read, { stream: true }));
}

function readChat(reads) {
  const answer = { text: "", toolCalls: [], finishReason: undefined, usage: undefined, seen: 0 };
  parse(reads, ({ data }) => {
    if (data !== "[DONE]") addChatChunk(answer, JSON.parse(data));
  });
  return answer;
}

function addChatChunk(answer, chunk) {
  if (chunk.usage) answer.usage = { input: chunk.usage.prompt_tokens, output: chunk.usage.completion_tokens };
  const choice = chunk.choices[0];
  if (choice === undefined) return;
  if (choice.finish_reason) answer.finishReason = choice.finish_reason;
  const { content, tool_calls } = choice.delta;
  if (content) {
    answer.text += content;
    answer.seen += content.length;
  }
  if (tool_calls) for (const fragment of tool_calls) addFragment(answer, fragment);
}

function addFragment(answer, { index, id, function: { name, arguments: piece } }) {
  const call = (answer.toolCalls[index] ??= { id, name, arguments: "" });
  call.arguments += piece;
  answer.seen += piece.length;
}

const outcome = (answer) => answer;

export default [{ name, takes: "chat reads", run: readChat, outcome }];
