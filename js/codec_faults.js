/** The errors that codecs throw. The module only keeps their messages. */

import { messageOf } from "./errors.js";

/** The last one. @type {unknown} */
let fault;

/**
 * Keeps an error that a codec has thrown, and returns its message.
 *
 * @param {unknown} error
 */
export function keepFault(error) {
  fault = error;
  return messageOf(error);
}

/**
 * Returns the cause of an error that the module reports.
 *
 * @param {string} code
 * @param {string} message
 */
export const causeOf = (code, message) =>
  code === "codec-error" && fault !== undefined && message.endsWith(`failed: ${messageOf(fault)}`) ? fault : undefined;
