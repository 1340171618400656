/** Tool calls and reasoning in a text that is there as a whole. */

import { extractToolCalls as extract } from "../pkg/wasm/respool.js";
import { RespoolError } from "./errors.js";
import { describe } from "./input.js";
import { readTextOptions } from "./options.js";

export function extractToolCalls(text, options) {
  if (typeof text !== "string") throw new RespoolError("invalid-option", `the text must be a string, not ${describe(text)}`);
  return extract(text, readTextOptions(options));
}
