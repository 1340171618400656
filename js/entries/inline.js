// The default: the module is part of the file and ready as soon as it is imported.
import text from "../../pkg/respool.wasm";
import { instantiate } from "./instance.js";
import { moduleOf } from "./module_text.js";

instantiate(moduleOf(text));

export * from "../api.js";
