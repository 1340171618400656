// Chat completions, streamed: https://platform.openai.com/docs/api-reference/chat-streaming
import { objectCase, readCases } from "./cases.mjs";
import { argumentText, cjkTokens, cutIntoTokens, proseTokens } from "./tokens.mjs";

/** @import { Random } from "../random.mjs" */
/** @import { Answer, Stream } from "./cases.mjs" */

/** Differences from OpenAI's ordinary chunks. @typedef {{ obfuscated?: boolean, hasUsage?: boolean }} Variant */

const TEXT_EVENTS = 2000;
const CALLS = ["timetable", "weather", "ticket_price", "tide"];
const ARGUMENT_CHARACTERS = 700;

/** Text at each size of reads; the first case has one event per read. */
export const CHAT_TEXT = readCases("chat text", "chat reads", (scale, random) => chatText(random, proseTokens, scale));

export default [
  ...CHAT_TEXT,
  // vLLM with continuous usage, Gemini's OpenAI interface, and gateways: no chunk repeats the one before.
  ...readCases("chat text with usage in each chunk", "chat reads", (scale, random) =>
    chatText(random, proseTokens, scale, { hasUsage: true }),
  ),
  ...readCases("chat text with obfuscation", "chat reads", (scale, random) =>
    chatText(random, proseTokens, scale, { obfuscated: true }),
  ),
  ...readCases("CJK and emoji text", "chat reads", (scale, random) => chatText(random, cjkTokens, scale)),
  ...readCases("parallel tool calls", "chat reads", (scale, random) => toolCalls(random, scale)),
  ...readCases("interleaved tool calls", "chat reads", (scale, random) => toolCalls(random, scale, { interleaved: true })),
  // The same text as the first cases, to measure the search for tool calls and reasoning.
  ...readCases("chat text with search for tool calls", "searched chat reads", (scale, random) =>
    chatText(random, proseTokens, scale),
  ),
  objectCase("chat text with search for tool calls", "searched chat objects", (scale, random) =>
    chatText(random, proseTokens, scale),
  ),
  objectCase("chat text", "chat objects", (scale, random) => chatText(random, proseTokens, scale)),
  // LangChain's chunks lose the text that comes with usage.
  objectCase("chat text with usage in each chunk", "chat objects with usage", (scale, random) =>
    chatText(random, proseTokens, scale, { hasUsage: true }),
  ),
  objectCase("interleaved tool calls", "chat objects", (scale, random) => toolCalls(random, scale, { interleaved: true })),
  objectCase("parallel tool calls", "chat objects", (scale, random) => toolCalls(random, scale)),
];

/** Returns an answer in English with this number of text deltas. @param {Random} random @param {number} count */
export function proseAnswer(random, count) {
  return answerOf(random, proseTokens(random, count));
}

/** @param {Random} random @param {typeof proseTokens} tokensOf @param {number} scale @param {Variant} [options] */
function chatText(random, tokensOf, scale, options) {
  return answerOf(random, tokensOf(random, Math.ceil(TEXT_EVENTS * scale)), options);
}

/** @param {Random} random @param {string[]} tokens @param {Variant} [options] */
function answerOf(random, tokens, options) {
  const deltas = [{ role: "assistant", content: "", refusal: null }, ...tokens.map((content) => ({ content }))];
  const expected = { text: tokens.join(""), toolCalls: [], finishReason: "stop" };
  return chatStream(random, deltas, expected, options);
}

/** Several calls, either in sequence, as OpenAI sends them, or with alternating fragments. @param {Random} random @param {number} scale */
function toolCalls(random, scale, { interleaved = false } = {}) {
  const calls = CALLS.map((name) => ({
    id: `call_${random.letters(24)}`,
    name,
    arguments: argumentText(random, Math.ceil(ARGUMENT_CHARACTERS * scale)),
  }));
  const fragments = calls.map((call, index) => [
    { index, id: call.id, type: "function", function: { name: call.name, arguments: "" } },
    ...cutIntoTokens(random, call.arguments).map((piece) => ({ index, function: { arguments: piece } })),
  ]);
  const ordered = interleaved ? alternating(fragments) : fragments.flat();
  const deltas = [{ role: "assistant", content: null, refusal: null }, ...ordered.map((call) => ({ tool_calls: [call] }))];
  return chatStream(random, deltas, { text: "", toolCalls: calls, finishReason: "tool_calls" });
}

/** @template T @param {T[][]} lists @returns {T[]} */
function alternating(lists) {
  const longest = Math.max(...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1))).flat();
}

/**
 * @param {Random} random
 * @param {object[]} deltas
 * @param {Omit<Answer, "usage">} expected
 * @param {Variant} [options]
 * @returns {Stream<object>}
 */
function chatStream(random, deltas, expected, { obfuscated = false, hasUsage = false } = {}) {
  const head = {
    id: `chatcmpl-${random.letters(29)}`,
    object: "chat.completion.chunk",
    created: 1763680412,
    model: "gpt-4o-2024-08-06",
    service_tier: "default",
    system_fingerprint: `fp_${random.letters(10).toLowerCase()}`,
  };
  // Padding of random length, so that the length of a chunk doesn't reveal its text.
  const tail = () => (obfuscated ? { obfuscation: random.letters(random.integer(1, 16)) } : {});
  const chunk = (
    /** @type {object} */ delta,
    /** @type {string | undefined | null} */ finish_reason,
    /** @type {number} */ at,
  ) => ({
    ...head,
    ...(hasUsage ? { created: head.created + Math.floor(at / 40) } : {}),
    choices: [{ index: 0, delta, logprobs: null, finish_reason }],
    usage: hasUsage ? usageOf(at + 1) : null,
    ...tail(),
  });
  const usageOf = (/** @type {number} */ count) => ({
    prompt_tokens: 57,
    completion_tokens: count,
    total_tokens: count + 57,
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: 0,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  });
  return {
    events: [
      ...deltas.map((delta, at) => chunk(delta, null, at)),
      chunk({}, expected.finishReason, deltas.length - 1),
      { ...head, choices: [], usage: usageOf(deltas.length), ...tail() },
    ],
    wire: (event) => `data: ${JSON.stringify(event)}\n\n`,
    end: "data: [DONE]\n\n",
    expected: { ...expected, usage: { input: 57, output: deltas.length } },
  };
}
