/** The ids of calls that an interface accepts from another one. */

/** @import { AnnotatedLlmResponse } from "../../types/api.js" */

const PLAIN = /^[\w-]{1,64}$/;

/** Which ids an interface accepts, if not any, and how those that replace others begin. @type {Record<string, [RegExp, string]>} */
const RULES = {
  "anthropic-messages": [PLAIN, "toolu_"],
  "bedrock-converse": [PLAIN, "tooluse_"],
  "openai-responses": [/^.{1,64}$/su, "call_"],
};

/**
 * Maps the ids of an answer's calls to those that an interface accepts: one that it refuses becomes a hash of it, as
 * `StreamEncoder` writes it. An answer of the interface itself keeps its ids.
 *
 * @param {string} api
 * @param {AnnotatedLlmResponse} response
 * @returns {(id: string) => string}
 */
export function acceptedIds(api, response) {
  const [accepted, prefix] = RULES[api] ?? [];
  if (!accepted || response.api === api) return (id) => id;
  return (id) => (accepted.test(id) ? id : `${prefix}${hash(id)}`);
}

/** The FNV-1a hash in 16 hexadecimal digits. @param {string} text */
function hash(text) {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash.toString(16).padStart(16, "0");
}
