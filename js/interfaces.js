/** @import { Api } from "../pkg/wasm/respool.js" */

/**
 * The interfaces that are read, and whether their answers have a message. The compiler holds the names against those of
 * the module.
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
 * Whether the answers of an interface, or of a codec, have a message. Without one they are vectors or images.
 *
 * @param {string | undefined} api
 */
export const hasMessage = (api) => INTERFACES[/** @type {Api} */ (api)] !== false;
