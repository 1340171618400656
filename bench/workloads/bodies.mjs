// Complete chat completions: https://platform.openai.com/docs/api-reference/chat/object
import { Random } from "../random.mjs";
import { argumentText, proseTokens } from "./tokens.mjs";

/** @import { Call } from "./cases.mjs" */
/** @import { Case } from "./index.mjs" */

/** @typedef {{ tokens: number, argumentCharacters?: number, alternatives?: number }} Size */
/** @typedef {{ text: string, calls: Call[], output: number }} Contents */

/** @type {(Size & { name: string })[]} */
const SIZES = [
  { name: "1 KB", tokens: 70 },
  { name: "20 KB", tokens: 2400, argumentCharacters: 3500 },
  { name: "1 MB with logprobs", tokens: 2100, alternatives: 5 },
];

/** @type {Case[]} */
export default SIZES.flatMap(({ name, ...size }) => [
  { name: `decode(bytes), ${name}`, takes: "chat body, decoded", unit: "body", make: (scale) => wholeBody(size, scale, decoded) },
  {
    name: `process(bytes), ${name}`,
    takes: "chat body, one value",
    unit: "body",
    make: (scale) => wholeBody(size, scale, oneValue),
  },
]);

/** @param {Contents} contents */
const decoded = ({ text, calls, output }) => ({
  text,
  toolCalls: calls,
  finishReason: calls.length > 0 ? "tool_calls" : "stop",
  usage: { input: 57, output },
});

/** @param {Contents} contents */
const oneValue = ({ text, calls }) => ({ value: calls.length > 0 ? calls : text });

/** @param {Size} size @param {number} scale @param {(contents: Contents) => object} expectedOf */
function wholeBody({ tokens: count, argumentCharacters = 0, alternatives = 0 }, scale, expectedOf) {
  const random = new Random(5);
  const tokens = proseTokens(random, Math.ceil(count * scale));
  const text = tokens.join("");
  const names = argumentCharacters === 0 ? [] : ["timetable", "tide"];
  const calls = names.map((name) => ({
    id: `call_${random.letters(24)}`,
    name,
    arguments: argumentText(random, Math.ceil(argumentCharacters * scale)),
  }));
  const logprobs = alternatives === 0 ? null : logprobsOf(random, tokens, alternatives);
  const body = chatBody(random, text, calls, tokens.length, { logprobs });
  const input = new TextEncoder().encode(JSON.stringify(body));
  return { input, expected: expectedOf({ text, calls, output: tokens.length }), units: 1, bytes: input.length };
}

/** Numbers of tokens that are included in the other counts. */
export const NO_PARTS = { reasoning: 0, cached: 0 };

/**
 * @param {Random} random
 * @param {string} content
 * @param {Call[]} calls
 * @param {number} output
 * @param {{ logprobs?: object | null, parts?: { reasoning: number, cached: number } }} [more]
 */
export function chatBody(random, content, calls, output, { logprobs = null, parts = NO_PARTS } = {}) {
  const tool_calls = calls.map(({ id, ...call }) => ({ id, type: "function", function: call }));
  const message = { role: "assistant", content, ...(calls.length > 0 ? { tool_calls } : {}), refusal: null, annotations: [] };
  return {
    id: `chatcmpl-${random.letters(29)}`,
    object: "chat.completion",
    created: 1763680412,
    model: "gpt-4o-2024-08-06",
    choices: [{ index: 0, message, logprobs, finish_reason: calls.length > 0 ? "tool_calls" : "stop" }],
    usage: {
      prompt_tokens: 57,
      completion_tokens: output,
      total_tokens: output + 57,
      prompt_tokens_details: { cached_tokens: parts.cached, audio_tokens: 0 },
      completion_tokens_details: {
        reasoning_tokens: parts.reasoning,
        audio_tokens: 0,
        accepted_prediction_tokens: 0,
        rejected_prediction_tokens: 0,
      },
    },
    service_tier: "default",
    system_fingerprint: `fp_${random.letters(10).toLowerCase()}`,
  };
}

/** @param {Random} random @param {string[]} tokens @param {number} alternatives */
function logprobsOf(random, tokens, alternatives) {
  const encoder = new TextEncoder();
  const one = (/** @type {string} */ token) => ({ token, logprob: -random.fraction() * 12, bytes: [...encoder.encode(token)] });
  const content = tokens.map((token) => ({ ...one(token), top_logprobs: proseTokens(random, alternatives).map(one) }));
  return { content, refusal: null };
}
