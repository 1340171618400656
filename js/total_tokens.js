/** @import { Usage } from "./types/api.js" */

/**
 * All tokens of an answer. Providers may leave cached tokens out of their own figure, which would then contradict the
 * counts beside it, so it only counts where one of those is missing.
 *
 * @param {Pick<Usage, "inputTokens" | "outputTokens" | "totalTokens">} usage
 */
export const totalTokensOf = ({ inputTokens, outputTokens, totalTokens }) =>
  inputTokens === undefined || outputTokens === undefined ? totalTokens : inputTokens + outputTokens;
