// What tracing costs: the same body with nobody who listens, and with a backend.
import bodies from "./bodies.mjs";

export default bodies
  .filter(({ name }) => name === "process(bytes), 1 KB")
  .map((benchCase) => ({ ...benchCase, name: "process(bytes), 1 KB, and tracing", takes: "chat body, traced or not" }));
