/** @import { Api } from "../pkg/wasm/respool.js" */

/**
 * The interfaces that are read, and whether their answers have a message. The compiler holds the names against those of
 * the module.
 *
 * @type {Record<Api, { hasMessage: boolean }>}
 */
export const INTERFACES = {
  "openai-chat": { hasMessage: true },
  "openai-responses": { hasMessage: true },
  "anthropic-messages": { hasMessage: true },
  gemini: { hasMessage: true },
  "gemini-interactions": { hasMessage: true },
  "bedrock-converse": { hasMessage: true },
  "ollama-chat": { hasMessage: true },
  "cohere-chat": { hasMessage: true },
  "workers-ai": { hasMessage: true },
  "openai-embeddings": { hasMessage: false },
  "openai-images": { hasMessage: false },
};
