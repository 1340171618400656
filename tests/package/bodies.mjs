// One answer as each API gives it, small but of the documented shape.

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

/** A stream with text that is more than ASCII and two tool calls whose fragments are interleaved. */
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

/** The same stream as it is on the wire. */
export function capture() {
  const events = CHUNKS.map((each) => `data: ${JSON.stringify(each)}\r\n\r\n`);
  return new TextEncoder().encode(`: keep-alive\r\n\r\n${events.join("")}data: [DONE]\r\n\r\n`);
}
