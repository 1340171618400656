// The default: the module is part of the file and ready as soon as it is imported.
import text from "../../pkg/respool.wasm";
import { instantiate } from "./instance.js";
import { bytesOf } from "./module_text.js";

instantiate(new WebAssembly.Module(bytesOf(text)));

export * from "../api.js";
