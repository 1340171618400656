// The library of `respool/core` without the module. core.js and the entries for workers pass the module to `start`.
// A separate entry, because it loads a smaller module. It shares nothing with the main entry.
import { endOwnCode } from "../stack.js";

export * from "../core/api.js";
export { start } from "./start.js";

endOwnCode(new Error("the last statement of the library"));
