/** The errors that end a run with RUN_ERROR. */

/** @import { Problem } from "../delta_source.js" */
/** @import { Finish } from "./events.js" */

import { RespoolError } from "respool";
import { TRUNCATED } from "../delta_source.js";

/**
 * Messages for the page, by code. Those of other errors may be meant for the server alone.
 *
 * @type {Record<string, string>}
 */
const MESSAGES = {
  refusal: "The model refused to answer.",
  "content-filter": "A content filter stopped the answer.",
  [TRUNCATED.code]: TRUNCATED.message,
};

/**
 * The default of `onError`: returns a public message.
 *
 * @param {unknown} error
 */
export const publicMessage = (error) => MESSAGES[codeOf(error) ?? ""] ?? "An error occurred.";

/**
 * @param {{ refusal: string, finish: Finish | undefined, isCut: boolean }} end
 * @returns {Problem | undefined}
 */
export function problemOf({ refusal, finish, isCut }) {
  if (refusal) return { code: "refusal", message: `Model refused: ${refusal}` };
  if (finish?.finishReason === "content_filter") {
    const isRefusal = finish.rawFinishReason === "refusal";
    return isRefusal ? problem("refusal") : problem("content-filter");
  }
  return isCut ? TRUNCATED : undefined;
}

/**
 * @param {string} code
 * @returns {Problem}
 */
const problem = (code) => ({ code, message: MESSAGES[code] ?? code });

/**
 * Returns the stable code of an error. Codes of other libraries aren't sent.
 *
 * @param {unknown} error
 */
export function codeOf(error) {
  if (error instanceof Error && !RespoolError.isInstance(error)) return undefined;
  const { code } = /** @type {{ code?: unknown }} */ (error ?? {});
  return typeof code === "string" ? code : undefined;
}
