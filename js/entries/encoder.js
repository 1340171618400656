// The library of `respool/encode` without the module. encode.js and the entries for workers pass the module to `start`.
// A separate entry, because it loads a larger module, which also writes. Errors are those of the main entry.
import { endOwnCode } from "../stack.js";

export * from "../encode/api.js";
export { start } from "./start.js";

endOwnCode(new Error("the last statement of the library"));
