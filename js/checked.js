/** What a program hands over may have getters that throw, or be a proxy that does: reading it comes to a typed error. */

import { RespoolError, messageOf } from "./errors.js";

/**
 * The same function, which throws nothing but typed errors. `what` it reads is named in the message; `code`: see
 * errors.d.ts.
 */
export const checked =
  (read, what, code = "invalid-option") =>
  (...values) => {
    try {
      return read(...values);
    } catch (error) {
      if (RespoolError.isInstance(error)) throw error;
      throw new RespoolError(code, `${what} can't be read: ${messageOf(error)}`, { cause: error });
    }
  };
