/** Finds tool calls and reasoning in a complete text. */

/** @import { Extraction, ReasoningTags, TextToolCalls } from "./types/api.js" */

import { extractToolCalls as extract } from "../pkg/wasm/respool.js";
import { quote } from "./input.js";
import { readTextOptions } from "./options.js";
import { refuse } from "./read_option.js";

/**
 * @param {string} text
 * @param {TextToolCalls & { reasoningTags?: ReasoningTags }} options
 * @returns {Extraction}
 */
export function extractToolCalls(text, options) {
  if (typeof text !== "string") refuse(`The text must be a string, not ${quote(text)}`);
  return extract(text, readTextOptions(options));
}
