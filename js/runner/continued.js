/** What the server keeps between the turns of a request, and how the next turn refers to it. */

/** @import { AnnotatedLlmResponse, RequestMessage } from "../types/api.js" */
/** @import { Json } from "./messages/response.js" */

import { isObject } from "./messages/response.js";

/** @typedef {Record<string, unknown> | undefined} Params */

/**
 * The fields of the next request that an answer calls for: Anthropic refuses the results of calls from a container whose
 * id isn't sent.
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
 * Which of the messages that a turn added the server doesn't know; undefined unless it keeps the conversation. It knows its
 * answer, but not the results or the calls that were found in text.
 *
 * @param {string} format
 * @param {Params} params
 * @param {readonly RequestMessage[]} added
 * @param {number} results how many of them, at the end, are results
 * @returns {readonly RequestMessage[] | undefined}
 */
export function unknownToServer(format, params, added, results) {
  if (format !== "openai-responses" || params?.conversation == null) return undefined;
  const end = added.length - results;
  return added.filter((item, index) => {
    const { type, id } = /** @type {Json} */ (item);
    return index >= end || (type === "function_call" && id === undefined);
  });
}
