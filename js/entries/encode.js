// `respool/encode` where bytes can be compiled. The module is in a separate file, as text: see index.js.
import { packed } from "../../pkg/module-encode.js";
import { start } from "./encoder.js";
import { moduleOf } from "./module_text.js";

start(() => moduleOf(packed));

export * from "../encode/api.js";
