// The library of `respool/encode` without the module. encode.js and the entries for workers pass the module to `start`.
// A separate entry, because it loads a larger module, which also writes. Errors are those of the main entry.
import { endOwnCode } from "../stack.js";
import { requireWebAssembly } from "./engine.js";
import { instantiate } from "./instance.js";

export * from "../encode/api.js";

/** @param {Uint8Array<ArrayBuffer> | WebAssembly.Module} module its bytes, or the module where those can't be compiled */
export function start(module) {
  requireWebAssembly();
  // Of another realm in Jest with jsdom, where it is no instance of Uint8Array.
  instantiate(ArrayBuffer.isView(module) ? new WebAssembly.Module(/** @type {BufferSource} */ (module)) : module);
}

endOwnCode(new Error("the last statement of the library"));
