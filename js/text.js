/** Tool calls and reasoning in a text that is there as a whole. */

import { extractToolCalls as extract } from "../pkg/wasm/respool.js";
import { describe } from "./input.js";
import { readTextOptions, refuse } from "./options.js";

export function extractToolCalls(text, options) {
  if (typeof text !== "string") refuse(`the text must be a string, not ${describe(text)}`);
  return extract(text, readTextOptions(options));
}
