/** Replaces call ids that an interface doesn't accept from another one. */

/** @import { AnnotatedLlmResponse } from "../../types/api.js" */

const PLAIN = /^[\w-]{1,64}$/;

/**
 * The ids that an interface accepts, unless it accepts any, and the prefix of replacements.
 *
 * @type {Record<string, [RegExp, string]>}
 */
const RULES = {
  "anthropic-messages": [PLAIN, "toolu_"],
  "bedrock-converse": [PLAIN, "tooluse_"],
  "openai-responses": [/^.{1,64}$/su, "call_"],
};

/**
 * Returns a function that maps the ids of an answer's calls to ids that an interface accepts: it replaces any other id
 * by its hash, as `StreamEncoder` does. An answer of the same interface keeps its ids.
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

/** Returns the FNV-1a hash as 16 hexadecimal digits. @param {string} text */
function hash(text) {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash.toString(16).padStart(16, "0");
}
