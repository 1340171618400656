/** @import { Api } from "../pkg/wasm/respool.js" */

/**
 * The interfaces that can be read, and whether their answers have a message. The compiler checks the names against the
 * module's types.
 *
 * @type {Record<Api, boolean>}
 */
export const INTERFACES = {
  "openai-chat": true,
  "openai-responses": true,
  "anthropic-messages": true,
  gemini: true,
  "gemini-interactions": true,
  "bedrock-converse": true,
  "ollama-chat": true,
  "cohere-chat": true,
  "workers-ai": true,
  "openai-embeddings": false,
  "openai-images": false,
};

/**
 * Whether the answers of an interface or a codec have a message. Answers without one are vectors or images.
 *
 * @param {string | undefined} api
 */
export const hasMessage = (api) => INTERFACES[/** @type {Api} */ (api)] !== false;
