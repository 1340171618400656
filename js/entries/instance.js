// Takes a compiled module into use. Goes around the glue's own initSync because that asks
// `module instanceof WebAssembly.Module`, which is false for a module from another realm (edge runtimes).
import { getImports, leaveInstance, stackPointer, useInstance } from "../../pkg/wasm/respool.js";
import { guard } from "../guard.js";

/** @param {WebAssembly.Module} module */
export function instantiate(module) {
  const recover = (/** @type {boolean} */ isInOrder) => {
    if (isInOrder) {
      // The calls that never ended have left their frames.
      stackPointer().value = top;
    } else {
      leaveInstance();
      instantiate(module);
    }
  };
  const { exports } = new WebAssembly.Instance(module, getImports());
  useInstance({ exports: guard(exports, recover) }, module);
  const top = stackPointer().value;
}
