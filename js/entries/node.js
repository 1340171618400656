// The entry for Node and other runtimes that use the `node` condition. Here size doesn't matter, only time: the module is
// optimised for speed and stored as base64, which is larger than the default's text but faster to decode.
import { endOwnCode } from "../stack.js";
import { base64 } from "../../pkg/module-fast.js";
import { bytesOf } from "../base64.js";
import { requireWebAssembly } from "./engine.js";
import { instantiate } from "./instance.js";

requireWebAssembly();
instantiate(new WebAssembly.Module(bytesOf(base64)));

export * from "../api.js";

endOwnCode(new Error("the last statement of the library"));
