/** An error as the module writes it. */

import { messageOf } from "../errors.js";

/** @typedef {{ providerType?: unknown, providerCode?: unknown, status?: unknown, message?: unknown }} AnyError */

/**
 * The JSON of a failure, and the HTTP status, or 0. Never throws.
 *
 * @param {unknown} error
 */
export function readFailure(error) {
  // Clients name the status themselves.
  const message = messageOf(error).replace(/^HTTP status \d+: /, "");
  const { providerType, providerCode, status } = detailsOf(error);
  const isStatus = typeof status === "number" && Number.isInteger(status) && status >= 100 && status <= 599;
  return {
    failure: JSON.stringify({ message, providerType: wordOf(providerType), providerCode: wordOf(providerCode) }),
    status: isStatus ? status : 0,
  };
}

/** @param {unknown} error @returns {AnyError} */
function detailsOf(error) {
  try {
    const { providerType, providerCode, status } = /** @type {AnyError} */ (error ?? {});
    return { providerType, providerCode, status };
  } catch {
    return {}; // a getter throws
  }
}

/** @param {unknown} value */
const wordOf = (value) => (typeof value === "string" ? value : undefined);
