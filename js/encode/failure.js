/** Converts errors to the failures that the module writes. */

import { messageOf } from "../errors.js";

/** @typedef {{ providerType?: unknown, providerCode?: unknown, status?: unknown, retryAfter?: unknown, message?: unknown }} AnyError */

/**
 * Returns the failure as JSON, the HTTP status (or 0), and the seconds to wait before a retry. Never throws.
 *
 * @param {unknown} error
 */
export function readFailure(error) {
  // Clients name the status in their own messages.
  const message = messageOf(error).replace(/^HTTP status \d+: /, "") || "An error without a message";
  const { providerType, providerCode, status, retryAfter } = detailsOf(error);
  const isStatus = typeof status === "number" && Number.isInteger(status) && status >= 100 && status <= 599;
  return {
    failure: JSON.stringify({ message, providerType: wordOf(providerType), providerCode: wordOf(providerCode) }),
    status: isStatus ? status : 0,
    retryAfter: typeof retryAfter === "number" ? Math.ceil(retryAfter) : undefined,
  };
}

/** @param {unknown} error @returns {AnyError} */
function detailsOf(error) {
  try {
    const { providerType, providerCode, status, retryAfter } = /** @type {AnyError} */ (error ?? {});
    return { providerType, providerCode, status, retryAfter };
  } catch {
    return {}; // a getter throws
  }
}

/** @param {unknown} value */
const wordOf = (value) => (typeof value === "string" ? value : undefined);

/**
 * Whether an error page has all fields of another error body with the same values, so that it can be passed on
 * unchanged. A field that is null in `body` may have any value.
 *
 * @param {string} page
 * @param {string} body
 */
export function hasAllFields(page, body) {
  try {
    return contains(JSON.parse(page), JSON.parse(body));
  } catch {
    return false; // not JSON
  }
}

/** @param {unknown} whole @param {unknown} part @returns {boolean} */
const contains = (whole, part) =>
  isObject(part)
    ? isObject(whole) &&
      Object.entries(part).every(([name, value]) => name in whole && (value === null || contains(whole[name], value)))
    : whole === part;

/** @param {unknown} value @returns {value is Record<string, unknown>} */
const isObject = (value) => typeof value === "object" && value !== null;
