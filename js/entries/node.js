// Node, and what can do as it does. As the default, but the module is carried as base64, which takes more room and is
// decoded at once: on a disk only the time matters.
import text from "../../pkg/respool.wasm?base64";
import { bytesOf } from "./base64.js";
import { instantiate } from "./instance.js";

instantiate(new WebAssembly.Module(bytesOf(text)));

export * from "../api.js";
