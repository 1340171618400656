// `respool/encode` for Node and other runtimes that use the `node` condition, with the module of the main entry: see node.js.
import { endOwnCode } from "../stack.js";
import { bytes } from "./module-fast.js";
import { start } from "./start.js";

start(() => bytes);

export * from "../encode/api.js";

endOwnCode(new Error("the last statement of the library"));
