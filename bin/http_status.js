// Applies the HTTP status in the output of `curl -i`: one that isn't a success is an error, as in a batch.

/** @import { Delta, Failure, StreamResult } from "respool" */

/**
 * Whether a status is known and isn't a success.
 *
 * @param {number | undefined} status
 * @returns {status is number}
 */
export const isFailure = (status) => status !== undefined && (status < 200 || status >= 300);

/**
 * Returns the error of a response whose status isn't a success.
 *
 * @param {Failure | undefined} error the error in the response itself
 * @param {number} status
 * @returns {Failure & { status: number }}
 */
const failureOf = (error, status) => ({ ...(error ?? { code: "provider-error", message: `HTTP status ${status}` }), status });

/**
 * @param {Delta} delta
 * @param {number | undefined} status
 * @returns {Delta}
 */
export const deltaWith = (delta, status) =>
  delta.type === "error" && isFailure(status) ? { ...delta, error: failureOf(delta.error, status) } : delta;

/**
 * @param {StreamResult} result
 * @param {number | undefined} status
 * @returns {StreamResult}
 */
export function resultWith(result, status) {
  if (!isFailure(status) || result.ending === "aborted") return result;
  return { ...result, ending: "failed", error: failureOf(result.error, status) };
}

/**
 * @param {string} row a line of JSON, whose numbers may have more digits than JavaScript keeps
 * @param {number | undefined} status
 */
export function rowWith(row, status) {
  if (!isFailure(status)) return row;
  const { error } = JSON.parse(row);
  const answer = error === undefined ? `${row.trimEnd().slice(0, -1)},` : "{";
  return `${answer}"error":${JSON.stringify(failureOf(error, status))}}\n`;
}
