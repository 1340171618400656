/** Distinguishes deltas from the events of providers, and streams of deltas from other sources. */

/** @import { DeltaStream } from "./types/api.js" */

/**
 * Types of deltas that add to an answer.
 *
 * @type {Set<unknown>}
 */
const CONTENT = new Set(["text", "reasoning", "refusal", "tool-call-start", "annotation", "server-tool", "image", "audio"]);

/**
 * All other types, except for "error", which providers' events have, too.
 *
 * @type {Set<unknown>}
 */
const OTHERS = new Set([
  ...["phase", "tool-call-delta", "tool-call-end", "json", "usage", "finish", "warning"],
  ...["step-start", "tool-result", "step-finish"],
]);

/**
 * Codes of "error" deltas. Providers' events have other codes.
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

/** The property in which a stream of `streamDeltas` counts the deltas read. Each entry has its own copy of this file. */
export const TAKEN = Symbol.for("respool.taken");

/**
 * Whether `streamDeltas` created an iterator.
 *
 * @param {object} iterator
 * @returns {iterator is DeltaStream}
 */
export const isDeltaStream = (iterator) => "result" in iterator && "finished" in iterator;
