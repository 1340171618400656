// The default entry. The module is in a separate file, as text, and ready once this entry is imported.
import { packed } from "../../pkg/module.js";
import { requireWebAssembly } from "./engine.js";
import { moduleOf } from "./module_text.js";
import { initSync } from "./slim.js";

requireWebAssembly();
initSync(moduleOf(packed));

export * from "../api.js";
