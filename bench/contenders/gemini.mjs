// Accumulates Gemini's chunks, which have the form of a body, by hand, as a program would.

/** @import { Answer } from "../workloads/cases.mjs" */

/** @typedef {{ text?: string, functionCall?: { id: string, name: string, args: object } }} Part */
/** @typedef {{ promptTokenCount: number, candidatesTokenCount: number }} GeminiUsage */
/**
 * @typedef {object} GeminiChunk
 * @property {{ content?: { parts?: Part[] }, finishReason?: string }[]} [candidates]
 * @property {GeminiUsage} [usageMetadata]
 */

/** @returns {Answer & { seen: number }} */
export const emptyAnswer = () => ({ text: "", toolCalls: [], finishReason: undefined, usage: undefined, seen: 0 });

/** @param {Answer & { seen: number }} answer @param {GeminiChunk} chunk */
export function addGeminiChunk(answer, { candidates, usageMetadata }) {
  if (usageMetadata) {
    answer.usage = { input: usageMetadata.promptTokenCount, output: usageMetadata.candidatesTokenCount };
  }
  const candidate = candidates?.[0];
  if (candidate?.finishReason) answer.finishReason = candidate.finishReason;
  for (const { text, functionCall } of candidate?.content?.parts ?? []) {
    if (text) {
      answer.text += text;
      answer.seen += text.length;
    } else if (functionCall) {
      const call = { id: functionCall.id, name: functionCall.name, arguments: JSON.stringify(functionCall.args) };
      answer.toolCalls.push(call);
      answer.seen += call.arguments.length;
    }
  }
}
