/** What tells deltas from the events of providers, and from each other. */

/** @import { DeltaStream } from "./types/api.js" */

/**
 * The types of deltas that add to an answer.
 *
 * @type {Set<unknown>}
 */
const CONTENT = new Set(["text", "reasoning", "refusal", "tool-call-start", "annotation", "server-tool", "image", "audio"]);

/**
 * All other types but "error", which providers' events have, too.
 *
 * @type {Set<unknown>}
 */
const OTHERS = new Set([
  ...["phase", "tool-call-delta", "tool-call-end", "json", "usage", "finish", "warning"],
  ...["step-start", "tool-result", "step-finish"],
]);

/**
 * The codes of "error" deltas. Providers' events have others.
 *
 * @type {Set<unknown>}
 */
const FAILURES = new Set([
  ...["provider-error", "unknown-response", "stream-broken", "limit-exceeded", "codec-error", "aborted"],
]);

/** Whether a delta adds to an answer. @param {{ type: string }} delta */
export const isContent = ({ type }) => CONTENT.has(type);

/** @param {unknown} value */
export function isDelta(value) {
  const { type, error } = /** @type {{ type?: unknown, error?: { code?: unknown } }} */ (value ?? {});
  return CONTENT.has(type) || OTHERS.has(type) || (type === "error" && FAILURES.has(error?.code));
}

/** Where a stream of `streamDeltas` says how many deltas were taken from it. Each entry has its own copy of this file. */
export const TAKEN = Symbol.for("respool.taken");

/**
 * Whether `streamDeltas` has made an iterator.
 *
 * @param {object} iterator
 * @returns {iterator is DeltaStream}
 */
export const isDeltaStream = (iterator) => "result" in iterator && "finished" in iterator;
