// `respool/core` where bytes can be compiled. The module is in a separate file, as text: see index.js.
import { packed } from "../../pkg/module-core.js";
import { start } from "./core-library.js";
import { moduleOf } from "./module_text.js";

start(() => moduleOf(packed));

export * from "../core/api.js";
