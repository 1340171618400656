// The default: the module is part of the file and ready as soon as it is imported.
import text from "../../pkg/respool.wasm";
import { instantiate } from "./instance.js";
import { moduleOf } from "./module_text.js";

// The build replaces the module by its text.
instantiate(moduleOf(/** @type {import("./module_text.js").PackedModule} */ (/** @type {unknown} */ (text))));

export * from "../api.js";
