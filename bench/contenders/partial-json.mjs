// partial-json, which parses the whole text again at each delta.
import { parse } from "partial-json";

/** @import { Growing } from "../workloads/partial.mjs" */
/** @import { Contender } from "./index.mjs" */

/** @param {Growing} input */
function run({ chunks, read }) {
  let text = "";
  let stops = 0;
  for (let at = 0; at < chunks.length; at++) {
    text += chunks[at].choices[0].delta.tool_calls[0].function.arguments;
    stops += read(parse(text), at);
  }
  return { arguments: text, stops };
}

/** @type {Contender[]} */
export default [{ name: "partial-json", takes: "growing arguments", run, outcome: (answer) => answer }];
