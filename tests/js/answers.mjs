// Small answers in the shapes that the providers document.

export const chatBody = (content, finish_reason = "stop") => ({
  id: "chatcmpl-7",
  object: "chat.completion",
  created: 1763680412,
  model: "gpt-4.1-mini",
  choices: [{ index: 0, message: { role: "assistant", content }, finish_reason }],
  usage: { prompt_tokens: 9, completion_tokens: 6, total_tokens: 15 },
});

/** Returns a chunk with text. */
export const chunk = (content, finish_reason = null) => ({ choices: [{ index: 0, delta: { content }, finish_reason }] });

/** Returns a chunk with a fragment of a tool call. */
export const callChunk = (fragment, finish_reason = null) => ({
  choices: [{ index: 0, delta: { tool_calls: [{ index: 0, ...fragment }] }, finish_reason }],
});

export const refusalChunk = (refusal) => ({ choices: [{ index: 0, delta: { refusal } }] });

export const embeddings = (...vectors) => ({
  object: "list",
  data: vectors.map((embedding, index) => ({ object: "embedding", index, embedding })),
});

/** The vector 0.5, -2 as 32-bit floats, little-endian, in base64. */
export const BASE64_VECTOR = "AAAAPwAAAMA=";

export const CHAT_STREAM = [
  chunk("The ferry"),
  chunk(" leaves at 9:35."),
  chunk("", "stop"),
  { choices: [], usage: { prompt_tokens: 9, completion_tokens: 6, total_tokens: 15 } },
];

export { RESPONSES_STREAM } from "../package/bodies.mjs";

export const ANTHROPIC_STREAM = [
  {
    type: "message_start",
    message: { id: "msg_7", type: "message", role: "assistant", content: [], usage: { input_tokens: 9, output_tokens: 1 } },
  },
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "I look it up." } },
  { type: "content_block_stop", index: 0 },
  { type: "content_block_start", index: 1, content_block: { type: "tool_use", id: "toolu_7", name: "timetable", input: {} } },
  { type: "content_block_delta", index: 1, delta: { type: "input_json_delta", partial_json: '{"port":' } },
  { type: "content_block_delta", index: 1, delta: { type: "input_json_delta", partial_json: '"Skjervøy"}' } },
  { type: "content_block_stop", index: 1 },
  { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 20 } },
  { type: "message_stop" },
];

/** Returns each event as a server-sent event. */
export const sseText = (events) => events.map((event) => `data: ${JSON.stringify(event)}\n\n`);

/** Returns events as bytes on the wire, with the end marker of chat completions. */
export const sseBytes = (events) => new TextEncoder().encode(`${sseText(events).join("")}data: [DONE]\n\n`);
