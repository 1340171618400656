/**
 * Stands in for js/error_classes.js in `respool/encode`: it creates errors of the main entry's classes, so that one
 * `instanceof` serves both entries. Their stack begins at the caller of this entry.
 */

import * as main from "#library";
import { beginStackAtCaller } from "../stack.js";

/**
 * Wraps a class in a proxy that creates the class's objects with a stack from the caller of this entry.
 *
 * @template {abstract new (...args: never[]) => Error} Class
 * @param {Class} Class
 * @returns {Class}
 */
const creating = (Class) =>
  new Proxy(Class, {
    construct(target, values) {
      const error = /** @type {Error} */ (Reflect.construct(target, values));
      beginStackAtCaller(error, error.name);
      return error;
    },
  });

export const RespoolError = creating(main.RespoolError);
export const DecodeError = creating(main.DecodeError);
export const LimitError = creating(main.LimitError);
export const OutputParseError = creating(main.OutputParseError);
export const ProviderError = creating(main.ProviderError);
export const RefusalError = creating(main.RefusalError);
export const StreamError = creating(main.StreamError);
