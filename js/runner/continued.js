/** State that the server keeps between the turns of a request, and how the next turn refers to it. */

/** @import { AnnotatedLlmResponse, RequestMessage } from "../types/api.js" */
/** @import { Json } from "./messages/response.js" */

import { isObject } from "./messages/response.js";

/** @typedef {Record<string, unknown> | undefined} Params */

/**
 * Returns the fields of the next request that an answer requires: Anthropic rejects the results of calls from a
 * container whose id isn't sent.
 *
 * @param {string} format
 * @param {Params} params
 * @param {AnnotatedLlmResponse} response
 */
export function continuedFields(format, params, { extra }) {
  const { id } = /** @type {{ container?: Json } | undefined} */ (extra)?.container ?? {};
  if (format !== "anthropic-messages" || typeof id !== "string") return {};
  const { container } = params ?? {};
  if (isObject(container)) return { container: { ...container, id: container.id ?? id } }; // with skills
  return container == null ? { container: id } : {};
}

/**
 * Whether the server keeps the conversation, so that each turn sends only new messages.
 *
 * @param {string} format
 * @param {Params} params
 */
export const keepsConversation = (format, params) => format === "openai-responses" && params?.conversation != null;

/**
 * Returns those of a turn's messages that a server with its own copy of the conversation lacks: the results, what is
 * said about them, and calls that were found in text, but not the server's own answer.
 *
 * @param {readonly RequestMessage[]} added
 * @param {number} results number of results, which are at the end
 * @returns {readonly RequestMessage[]}
 */
export function unknownToServer(added, results) {
  const end = added.length - results;
  return added.filter((item, index) => {
    const { type, id, role } = /** @type {Json} */ (item);
    return index >= end || role === "user" || (type === "function_call" && id === undefined);
  });
}
