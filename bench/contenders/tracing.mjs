// respool without a tracing backend, and with one that does nothing.
import { process, tracer } from "respool";

/** @import { Contender } from "./index.mjs" */

const BACKEND = () => ({ emit() {}, end() {} });

/** @param {Uint8Array} bytes */
function runTraced(bytes) {
  tracer.add("bench", BACKEND);
  try {
    return process({}, bytes);
  } finally {
    tracer.clear();
  }
}

const takes = "chat body, tracing";
const outcome = (/** @type {unknown} */ value) => ({ value });

/** @type {Contender[]} */
export default [
  { name: "respool process, untraced", takes, run: (/** @type {Uint8Array} */ bytes) => process({}, bytes), outcome },
  { name: "respool process, traced", takes, run: runTraced, outcome },
];
