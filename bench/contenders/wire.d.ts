// The fields that the hand-written contenders read from JSON.parse's values.

export interface Usage {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
  prompt_tokens_details?: { cached_tokens: number; audio_tokens: number };
  completion_tokens_details?: { reasoning_tokens: number; audio_tokens: number };
}

export interface ToolCall {
  id: string;
  function: { name: string; arguments: string };
}

export interface Chunk {
  choices: {
    delta: { content?: string | null; tool_calls?: (ToolCall & { index: number })[] };
    finish_reason: string | null;
  }[];
  usage?: Usage | null;
}

export interface Body {
  id: string;
  model: string;
  service_tier?: string;
  choices: {
    message: { content: string | null; tool_calls?: ToolCall[] };
    finish_reason: "stop" | "length" | "tool_calls" | "content_filter";
    logprobs: object | null;
  }[];
  usage: Usage;
}

export interface Embeddings<Wire> {
  data: { embedding: Wire }[];
}
