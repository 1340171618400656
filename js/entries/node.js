// Node, and the runtimes that take its condition. Like the default, but the module is compiled for speed and carried as
// base64, which is larger and decoded at once: on a disk only the time matters.
import { endOwnCode } from "../stack.js";
import { base64 } from "../../pkg/module-fast.js";
import { bytesOf } from "../base64.js";
import { requireWebAssembly } from "./engine.js";
import { instantiate } from "./instance.js";

requireWebAssembly();
instantiate(new WebAssembly.Module(bytesOf(base64)));

export * from "../api.js";

endOwnCode(new Error("the last statement of the library"));
