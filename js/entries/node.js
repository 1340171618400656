// The entry for Node and other runtimes that use the `node` condition. Here size doesn't matter, only time: the module is
// optimised for speed, and Node reads it from a file.
import { endOwnCode } from "../stack.js";
import { bytes } from "./module-fast.js";
import { start } from "./start.js";

start(() => bytes);

export * from "../api.js";

endOwnCode(new Error("the last statement of the library"));
