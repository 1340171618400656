// The end markers of each interface, for the sentence about what is missing.

/** @type {Record<string, string[]>} */
const MARKERS = {
  "openai-chat": ["finish reason", "[DONE]"],
  "openai-responses": ["response.completed"],
  "anthropic-messages": ["stop reason", "message_stop"],
  gemini: ["finishReason"],
  "gemini-interactions": ["interaction.completed"],
  "bedrock-converse": ["messageStop"],
  "ollama-chat": ["line with done: true"],
  "cohere-chat": ["message-end"],
  "workers-ai": ["[DONE]"],
};

/** For example "no finish reason, no [DONE]". @param {string | undefined} api */
export const missingEnd = (api = "") => (MARKERS[api] ?? ["finish reason"]).map((marker) => `no ${marker}`).join(", ");
