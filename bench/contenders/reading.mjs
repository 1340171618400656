// Nobody's work but the runtime's: a response is read to its end.
import { responseOf } from "../response.mjs";

async function run(reads) {
  let bytes = 0;
  const reader = responseOf(reads).body.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) bytes += read.value.length;
  return { bytes };
}

export default [{ name: "Response, read by its reader", takes: "response", run, outcome: (answer) => answer }];
