// Instantiates a compiled module. Bypasses the glue's own initSync, which checks `module instanceof
// WebAssembly.Module`: that is false for a module from another realm, as in edge runtimes.
import { getImports, leaveInstance, stackPointer, useInstance } from "../../pkg/wasm/respool.js";
import { guard } from "../guard.js";

/** @param {WebAssembly.Module} module */
export function instantiate(module) {
  const recover = (/** @type {boolean} */ isTrusted) => {
    if (isTrusted) {
      // Calls that never returned have left their stack frames behind.
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
