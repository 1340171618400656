/** @import { AnnotatedLlmResponse } from "./types/api.js" */

import { decode as decodeBody } from "../pkg/wasm/respool.js";
import { refusePendingBody } from "./pending.js";

/**
 * @param {unknown} response
 * @returns {AnnotatedLlmResponse}
 */
export function decode(response) {
  refusePendingBody(response);
  return decodeBody(response);
}
