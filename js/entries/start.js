import { requireWebAssembly } from "./engine.js";
import { instantiate } from "./instance.js";

/**
 * Starts a library.
 *
 * @param {() => Uint8Array<ArrayBuffer> | WebAssembly.Module} load gives the bytes of the module, or the module where those
 *   can't be compiled
 */
export function start(load) {
  requireWebAssembly();
  const module = load();
  // Of another realm in Jest with jsdom, where it is no instance of Uint8Array.
  instantiate(ArrayBuffer.isView(module) ? new WebAssembly.Module(/** @type {BufferSource} */ (module)) : module);
}
