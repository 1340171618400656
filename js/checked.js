/** Objects that users pass may have getters that throw, or be proxies that do. Reading them must throw a typed error. */

import { messageOf, RespoolError } from "./errors.js";

/**
 * Wraps `read` so that it throws only typed errors. `subject` names the value in the message.
 *
 * @template {unknown[]} Args
 * @template Result
 * @param {(...values: Args) => Result} read
 * @param {string} subject
 * @param {string} [code]
 * @returns {(...values: Args) => Result}
 */
export const checked =
  (read, subject, code = "invalid-option") =>
  (...values) => {
    try {
      return read(...values);
    } catch (error) {
      if (RespoolError.isInstance(error)) throw error;
      throw new RespoolError(code, `${subject} can't be read: ${messageOf(error)}`, { cause: error });
    }
  };
