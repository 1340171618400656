/** @import { Usage } from "./types/api.js" */

/**
 * Returns all tokens of an answer. The provider's own total may omit cached tokens and contradict the other counts, so
 * it is used only if one of them is missing.
 *
 * @param {Pick<Usage, "inputTokens" | "outputTokens" | "totalTokens">} usage
 */
export const totalTokensOf = ({ inputTokens, outputTokens, totalTokens }) =>
  inputTokens === undefined || outputTokens === undefined ? totalTokens : inputTokens + outputTokens;
