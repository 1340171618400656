/** What ends a run as RUN_ERROR. */

/** @import { Finish } from "./events.js" */

import { RespoolError } from "respool";

/** An answer that ended without an error and still isn't one. @typedef {{ code: string, message: string }} Problem */

/**
 * The messages for the page. Any other error's may be meant for the server alone.
 *
 * @type {Record<string, string>}
 */
const MESSAGES = {
  refusal: "The model refused to answer.",
  "content-filter": "A content filter stopped the answer.",
  "stream-truncated": "The answer broke off.",
};

/**
 * The default of `onError`.
 *
 * @param {unknown} error
 */
export const publicMessage = (error) => MESSAGES[codeOf(error) ?? ""] ?? "An error occurred.";

/**
 * @param {{ refusal: string, finish: Finish | undefined, isTruncated: boolean }} end
 * @returns {Problem | undefined}
 */
export function problemOf({ refusal, finish, isTruncated }) {
  if (refusal) return { code: "refusal", message: `Model refused: ${refusal}` };
  if (finish?.finishReason === "content_filter") {
    const isRefusal = finish.rawFinishReason === "refusal";
    return isRefusal ? problem("refusal") : problem("content-filter");
  }
  return isTruncated ? problem("stream-truncated") : undefined;
}

/**
 * @param {string} code
 * @returns {Problem}
 */
const problem = (code) => ({ code, message: MESSAGES[code] ?? code });

/**
 * The stable code of an error. Codes of other libraries aren't sent.
 *
 * @param {unknown} error
 */
export function codeOf(error) {
  if (error instanceof Error && !RespoolError.isInstance(error)) return undefined;
  const { code } = /** @type {{ code?: unknown }} */ (error ?? {});
  return typeof code === "string" ? code : undefined;
}
