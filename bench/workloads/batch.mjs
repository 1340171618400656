// Batch result files of chat completions: https://platform.openai.com/docs/api-reference/batch/request-output
import { Random } from "../random.mjs";
import { NO_PARTS, chatBody } from "./bodies.mjs";
import { proseTokens } from "./tokens.mjs";

const LINES = 600;

/** @import { Case } from "./index.mjs" */

/** @type {Case[]} */
export default [
  { name: "1 KB lines of a batch result", tokens: 70 },
  { name: "4 KB lines of a batch result", tokens: 650 },
  // Reasoning and cached tokens: no line can be read by comparing it with an earlier one.
  { name: "1 KB lines of a batch result, reasoning", tokens: 70, isReasoning: true },
].map(({ name, tokens, isReasoning = false }) => ({
  name,
  takes: "batch lines",
  unit: "line",
  make: (scale) => lines(tokens, isReasoning, Math.ceil(LINES * scale)),
}));

/**
 * A block as a worker receives it. Each line leads to one line of the result.
 *
 * @param {number} tokens
 * @param {boolean} isReasoning
 * @param {number} count
 */
function lines(tokens, isReasoning, count) {
  const random = new Random(8);
  const answers = Array.from({ length: count }, (_, at) => {
    const length = Math.ceil(tokens * (0.5 + random.fraction()));
    const text = proseTokens(random, length).join("");
    const parts = isReasoning ? { reasoning: 1 + Math.floor(random.fraction() * length), cached: 1 + (at % 57) } : NO_PARTS;
    const output = length + parts.reasoning;
    const body = chatBody(random, text, [], output, { parts });
    return { id: `request-${at}`, text, output, parts, body };
  });
  const line = (/** @type {typeof answers[number]} */ { id, body }) => ({
    id: `batch_req_${random.letters(20)}`,
    custom_id: id,
    response: { status_code: 200, request_id: random.letters(24), body },
    error: null,
  });
  const input = new TextEncoder().encode(answers.map((answer) => `${JSON.stringify(line(answer))}\n`).join(""));
  const results = answers.map(({ id, text, output, parts, body }) => ({
    customId: id,
    id: body.id,
    model: "gpt-4o-2024-08-06",
    text,
    toolCalls: [],
    finishReason: "complete",
    rawFinishReason: "stop",
    usage: {
      inputTokens: 57,
      uncachedInputTokens: 57 - parts.cached,
      outputTokens: output,
      promptTokens: 57,
      completionTokens: output,
      totalTokens: output + 57,
      reasoningTokens: parts.reasoning,
      cacheReadTokens: parts.cached,
      audioTokens: 0,
      serviceTier: "default",
    },
  }));
  return { input, expected: { results }, units: count, bytes: input.length };
}
