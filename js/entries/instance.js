// Takes a compiled module into use. Goes around the glue's own initSync because that asks
// `module instanceof WebAssembly.Module`, which is false for a module from another realm (edge runtimes).
import { getImports, useInstance } from "../../pkg/wasm/respool.js";

export function instantiate(module) {
  useInstance(new WebAssembly.Instance(module, getImports()), module);
}
