/** An error as the module writes it. */

import { messageOf } from "../errors.js";

/** @typedef {{ providerType?: unknown, providerCode?: unknown, status?: unknown, retryAfter?: unknown, message?: unknown }} AnyError */

/**
 * The JSON of a failure, the HTTP status, or 0, and after how many seconds the request may be repeated. Never throws.
 *
 * @param {unknown} error
 */
export function readFailure(error) {
  // Clients name the status themselves.
  const message = messageOf(error).replace(/^HTTP status \d+: /, "");
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
 * Whether an error body has all that another one says in the same members, so that it may stay as it came. What is null
 * there may be anything.
 *
 * @param {string} page
 * @param {string} body
 */
export function saysAll(page, body) {
  try {
    return contains(JSON.parse(page), JSON.parse(body));
  } catch {
    return false; // no JSON
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
