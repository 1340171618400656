// A small answer of each API, in the documented shape.

export const CHAT = {
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1763680412,
  model: "gpt-4.1-mini",
  choices: [
    {
      index: 0,
      message: {
        role: "assistant",
        content: null,
        tool_calls: [
          { id: "call_1", type: "function", function: { name: "tide", arguments: '{"port":"Skjervøy","n":90071992547409931}' } },
        ],
      },
      logprobs: null,
      finish_reason: "tool_calls",
    },
  ],
  usage: { prompt_tokens: 9, completion_tokens: 12, total_tokens: 21 },
  tide_table: "2026",
};

export const GEMINI = {
  candidates: [
    {
      content: {
        role: "model",
        parts: [
          { text: "Look it up.", thought: true },
          { functionCall: { id: "fc_1", name: "tide", args: { port: "Skjervøy" } }, thoughtSignature: "c2lnbmVk" },
        ],
      },
      finishReason: "STOP",
      index: 0,
    },
  ],
  usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 7, thoughtsTokenCount: 5, totalTokenCount: 21 },
  modelVersion: "gemini-2.5-flash",
  responseId: "r1",
};

export const RESPONSES = {
  id: "resp_1",
  object: "response",
  status: "completed",
  model: "gpt-4.1-mini",
  output: [
    {
      type: "message",
      id: "msg_1",
      role: "assistant",
      status: "completed",
      content: [{ type: "output_text", text: "High water at noon.", annotations: [] }],
    },
  ],
  usage: { input_tokens: 9, output_tokens: 5, total_tokens: 14 },
};

export const ANTHROPIC = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "claude-sonnet-4-5",
  content: [
    { type: "text", text: "I look it up." },
    { type: "tool_use", id: "toolu_1", name: "tide", input: { port: "Skjervøy" } },
  ],
  stop_reason: "tool_use",
  stop_sequence: null,
  usage: { input_tokens: 9, output_tokens: 12 },
};

/** The vector 0.5, -2, 3 as 32-bit floats, little-endian, in base64. */
export const EMBEDDING_BASE64 = {
  object: "list",
  model: "text-embedding-3-small",
  data: [{ object: "embedding", index: 0, embedding: "AAAAPwAAAMAAAEBA" }],
  usage: { prompt_tokens: 3, total_tokens: 3 },
};

export const EMBEDDINGS = {
  object: "list",
  model: "text-embedding-3-small",
  data: [
    { object: "embedding", index: 0, embedding: [0.5, -2] },
    { object: "embedding", index: 1, embedding: [0.25, 0.001] },
  ],
  usage: { prompt_tokens: 3, total_tokens: 3 },
};

export const IMAGES = { created: 1763680412, data: [{ b64_json: "ZWJi" }, { url: "https://img.example/2.png" }] };

export const NO_RESPONSE = { hello: "world" };

const chunk = (choices, usage = null) => ({
  id: "chatcmpl-2",
  object: "chat.completion.chunk",
  created: 1763680412,
  model: "gpt-4.1-mini",
  choices,
  usage,
});
const delta = (value, finish_reason = null) => chunk([{ index: 0, delta: value, logprobs: null, finish_reason }]);

/** A stream with text beyond ASCII, and two tool calls with interleaved fragments. */
export const CHUNKS = [
  delta({ role: "assistant", content: "" }),
  delta({ content: "Tromsø" }),
  delta({ content: " → Skjervøy ⛴️\n" }),
  delta({ tool_calls: [{ index: 1, id: "call_b", type: "function", function: { name: "wind", arguments: "" } }] }),
  delta({ tool_calls: [{ index: 0, id: "call_a", type: "function", function: { name: "tide", arguments: '{"port"' } }] }),
  delta({ tool_calls: [{ index: 1, function: { arguments: '{"hours":2' } }] }),
  delta({ tool_calls: [{ index: 0, function: { arguments: ':"Skjervøy"}' } }] }),
  delta({ tool_calls: [{ index: 1, function: { arguments: "4}" } }] }),
  delta({}, "tool_calls"),
  chunk([], { prompt_tokens: 9, completion_tokens: 30, total_tokens: 39 }),
];

export const STREAM = {
  text: "Tromsø → Skjervøy ⛴️\n",
  toolCalls: [
    { id: "call_a", name: "tide", arguments: '{"port":"Skjervøy"}' },
    { id: "call_b", name: "wind", arguments: '{"hours":24}' },
  ],
  totalTokens: 39,
};

/** Returns the stream as bytes on the wire. */
export function capture() {
  const events = CHUNKS.map((each) => `data: ${JSON.stringify(each)}\r\n\r\n`);
  return new TextEncoder().encode(`: keep-alive\r\n\r\n${events.join("")}data: [DONE]\r\n\r\n`);
}

/** Returns events as bytes on the wire. */
export function sse(events) {
  return new TextEncoder().encode(events.map((each) => `data: ${JSON.stringify(each)}\n\n`).join(""));
}

export const RESPONSES_STREAM = [
  { type: "response.created", response: { id: "resp_7", object: "response", status: "in_progress", output: [] } },
  { type: "response.output_text.delta", item_id: "msg_7", output_index: 0, content_index: 0, delta: "The ferry" },
  { type: "response.output_text.delta", item_id: "msg_7", output_index: 0, content_index: 0, delta: " leaves at 9:35." },
  {
    type: "response.completed",
    response: {
      id: "resp_7",
      object: "response",
      status: "completed",
      output: [
        {
          type: "message",
          id: "msg_7",
          role: "assistant",
          content: [{ type: "output_text", text: "The ferry leaves at 9:35." }],
        },
      ],
      usage: { input_tokens: 9, output_tokens: 6, total_tokens: 15 },
    },
  },
];

const block = (index, content_block, deltas) => [
  { type: "content_block_start", index, content_block },
  ...deltas.map((each) => ({ type: "content_block_delta", index, delta: each })),
  { type: "content_block_stop", index },
];

export const ANTHROPIC_STREAM = [
  {
    type: "message_start",
    message: { id: "msg_7", type: "message", role: "assistant", content: [], usage: { input_tokens: 9, output_tokens: 1 } },
  },
  ...block(0, { type: "thinking", thinking: "" }, [{ type: "thinking_delta", thinking: "Which port?" }]),
  ...block(1, { type: "text", text: "" }, [{ type: "text_delta", text: "I look it up." }]),
  ...block(2, { type: "tool_use", id: "toolu_7", name: "timetable", input: {} }, [
    { type: "input_json_delta", partial_json: '{"port":' },
    { type: "input_json_delta", partial_json: '"Skjervøy"}' },
  ]),
  { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 20 } },
  { type: "message_stop" },
];
