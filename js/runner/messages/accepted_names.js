/** Replaces tool names that an interface rejects in the calls of an answer: models make up names, such as `functions.weather`. */

const PLAIN = /[^\w-]+/g;

/**
 * The characters that are replaced, and the greatest length. OpenAI accepts only plain names, but other servers of its
 * chat interface have tools with any letters, dots and slashes; its models put their own namespaces in front.
 *
 * @type {Record<string, [RegExp, number]>}
 */
const RULES = {
  "anthropic-messages": [PLAIN, 128],
  "bedrock-converse": [PLAIN, 64],
  "openai-responses": [PLAIN, 128],
  "openai-chat": [/[^\p{L}\p{N}_.:/-]+|(?<=^(functions|multi_tool_use))\./gu, 128],
};

/** The name of a call without one, which every interface rejects. */
export const UNNAMED = "unnamed_tool";

/**
 * @param {string} api
 * @param {unknown} name
 */
export function acceptedName(api, name) {
  const [rejected, length] = RULES[api] ?? [];
  const written = `${name ?? ""}`;
  const accepted = rejected ? written.replace(rejected, "_").slice(0, length) : written;
  return accepted || UNNAMED;
}
