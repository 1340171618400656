// The default: the module is part of the file and ready as soon as it is imported.
import bytes from "../../pkg/respool.wasm";
import { instantiate } from "./instance.js";

instantiate(new WebAssembly.Module(bytes));

export * from "../api.js";
