// `respool/encode` for Node and other runtimes that use the `node` condition, with the module of the main entry: see node.js.
import { base64 } from "../../pkg/module-fast.js";
import { bytesOf } from "../base64.js";
import { endOwnCode } from "../stack.js";
import { start } from "./start.js";

start(() => bytesOf(base64));

export * from "../encode/api.js";

endOwnCode(new Error("the last statement of the library"));
