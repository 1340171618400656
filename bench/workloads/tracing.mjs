// The cost of tracing: the same body without a backend, and with one.
import bodies from "./bodies.mjs";

/** @import { Case } from "./index.mjs" */

/** @type {Case[]} */
export default bodies
  .filter(({ name }) => name === "process(bytes), 1 KB")
  .map((benchCase) => ({ ...benchCase, name: "process(bytes), 1 KB, tracing", takes: "chat body, tracing" }));
