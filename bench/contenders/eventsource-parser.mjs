// The usual way without an SDK: eventsource-parser splits the events, JSON.parse parses them, and a few lines of code
// accumulate. This is its fastest form: no stream objects, deltas used in place, and strings joined with +=.
import { createParser } from "eventsource-parser";
import { addGeminiChunk, emptyAnswer } from "./gemini.mjs";

/** @import { EventSourceMessage } from "eventsource-parser" */
/** @import { Answer, Call } from "../workloads/cases.mjs" */
/** @import { Contender } from "./index.mjs" */
/** @import { Chunk, ToolCall } from "./wire.d.ts" */

const name = "eventsource-parser + JSON.parse";

/** @param {Uint8Array[]} reads @param {(event: EventSourceMessage) => void} onEvent */
function parse(reads, onEvent) {
  const decoder = new TextDecoder();
  const parser = createParser({ onEvent });
  for (const read of reads) parser.feed(decoder.decode(read, { stream: true }));
}

/** @param {Uint8Array[]} reads */
function readChat(reads) {
  const answer = emptyAnswer();
  parse(reads, ({ data }) => {
    if (data !== "[DONE]") addChatChunk(answer, JSON.parse(data));
  });
  return answer;
}

/** @param {Answer & { seen: number }} answer @param {Chunk} chunk */
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

/** @param {Answer & { seen: number }} answer @param {ToolCall & { index: number }} fragment */
function addFragment(answer, { index, id, function: { name, arguments: piece } }) {
  answer.toolCalls[index] ??= { id, name, arguments: "" };
  answer.toolCalls[index].arguments += piece;
  answer.seen += piece.length;
}

/** Reads one event of each stream in turn, until all are over. @param {Uint8Array[][]} streams */
function readInTurn(streams) {
  const open = streams.map(() => {
    const answer = { ...emptyAnswer(), isOver: false };
    const onEvent = (/** @type {EventSourceMessage} */ { data }) => {
      if (data === "[DONE]") answer.isOver = true;
      else addChatChunk(answer, JSON.parse(data));
    };
    return { answer, decoder: new TextDecoder(), parser: createParser({ onEvent }) };
  });
  const longest = Math.max(...streams.map(({ length }) => length));
  for (let turn = 0; turn < longest; turn++) {
    for (let at = 0; at < streams.length; at++) {
      const read = streams[at][turn];
      if (read) open[at].parser.feed(open[at].decoder.decode(read, { stream: true }));
    }
  }
  const answers = open.map(({ answer }) => answer);
  const seen = answers.reduce((sum, answer) => sum + answer.seen, 0);
  return { seen, finished: answers.filter(({ isOver }) => isOver).length };
}

/** @param {Uint8Array[]} reads */
function readAnthropic(reads) {
  const answer = emptyAnswer();
  /** @type {Call[]} */
  const blocks = [];
  /** @type {number | undefined} */
  let input;
  parse(reads, ({ data }) => {
    const event = JSON.parse(data);
    switch (event.type) {
      case "content_block_delta":
        addBlockDelta(answer, blocks[event.index], event.delta);
        break;
      case "content_block_start": {
        const { type, id, name } = event.content_block;
        if (type !== "tool_use") break;
        blocks[event.index] = { id, name, arguments: "" };
        answer.toolCalls.push(blocks[event.index]);
        break;
      }
      case "message_start":
        input = event.message.usage.input_tokens;
        break;
      case "message_delta":
        answer.finishReason = event.delta.stop_reason;
        answer.usage = { input, output: event.usage.output_tokens };
    }
  });
  return answer;
}

/** @typedef {{ type: "text_delta", text: string } | { type: "input_json_delta", partial_json: string }} BlockDelta */

/** @param {Answer & { seen: number }} answer @param {Call} call @param {BlockDelta} delta */
function addBlockDelta(answer, call, delta) {
  if (delta.type === "text_delta") {
    answer.text += delta.text;
    answer.seen += delta.text.length;
  } else if (delta.type === "input_json_delta") {
    call.arguments += delta.partial_json;
    answer.seen += delta.partial_json.length;
  }
}

/** @param {Uint8Array[]} reads */
function readResponses(reads) {
  const answer = emptyAnswer();
  /** @type {Call[]} */
  const items = [];
  parse(reads, ({ data }) => {
    const event = JSON.parse(data);
    switch (event.type) {
      case "response.output_text.delta":
        answer.text += event.delta;
        answer.seen += event.delta.length;
        break;
      case "response.function_call_arguments.delta":
        items[event.output_index].arguments += event.delta;
        answer.seen += event.delta.length;
        break;
      case "response.output_item.added": {
        const { type, call_id, name } = event.item;
        if (type !== "function_call") break;
        items[event.output_index] = { id: call_id, name, arguments: "" };
        answer.toolCalls.push(items[event.output_index]);
        break;
      }
      case "response.completed": {
        const { status, usage } = event.response;
        answer.finishReason = status;
        answer.usage = { input: usage.input_tokens, output: usage.output_tokens };
      }
    }
  });
  return answer;
}

/** @param {Uint8Array[]} reads */
function readGemini(reads) {
  const answer = emptyAnswer();
  parse(reads, ({ data }) => addGeminiChunk(answer, JSON.parse(data)));
  return answer;
}

const outcome = (/** @type {object} */ answer) => answer;

/** @type {Contender[]} */
export default [
  { name, takes: "chat reads", run: readChat, outcome },
  { name, takes: "open chat streams", run: readInTurn, outcome },
  { name, takes: "anthropic reads", run: readAnthropic, outcome },
  { name, takes: "responses reads", run: readResponses, outcome },
  { name, takes: "gemini reads", run: readGemini, outcome },
];
