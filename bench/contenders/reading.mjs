// The runtime's work alone: reads a response to its end.
import { bodyOf, responseOf } from "../response.mjs";

/** @import { Contender } from "./index.mjs" */

/** @param {Uint8Array[]} reads */
async function run(reads) {
  let bytes = 0;
  const reader = bodyOf(responseOf(reads)).getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) bytes += read.value.length;
  return { bytes };
}

/** @type {Contender[]} */
export default [{ name: "Response reader", takes: "response", run, outcome: (answer) => answer }];
