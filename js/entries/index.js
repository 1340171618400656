// The default: the module is in a file beside this one, as text, and ready as soon as this is imported.
import { packed } from "../../pkg/module.js";
import { moduleOf } from "./module_text.js";
import { initSync } from "./slim.js";

initSync(moduleOf(packed));

export * from "../api.js";
