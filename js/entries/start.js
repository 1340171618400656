import { requireWebAssembly } from "./engine.js";
import { instantiate } from "./instance.js";

/** @param {Uint8Array<ArrayBuffer> | WebAssembly.Module} module its bytes, or the module where those can't be compiled */
export function start(module) {
  requireWebAssembly();
  // Of another realm in Jest with jsdom, where it is no instance of Uint8Array.
  instantiate(ArrayBuffer.isView(module) ? new WebAssembly.Module(/** @type {BufferSource} */ (module)) : module);
}
