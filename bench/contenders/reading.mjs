// The runtime's work alone: reads a response to its end.
import { responseOf } from "../response.mjs";

async function run(reads) {
  let bytes = 0;
  const reader = responseOf(reads).body.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) bytes += read.value.length;
  return { bytes };
}

export default [{ name: "Response reader", takes: "response", run, outcome: (answer) => answer }];
