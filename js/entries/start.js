import { requireWebAssembly } from "./engine.js";
import { instantiate } from "./instance.js";

/**
 * Starts a library.
 *
 * @param {() => Uint8Array<ArrayBuffer> | WebAssembly.Module} load returns the bytes of the module, or the module where those
 *   can't be compiled
 */
export function start(load) {
  requireWebAssembly();
  const module = load();
  // The bytes are of another realm in Jest with jsdom, and not an instance of this one's Uint8Array.
  instantiate(ArrayBuffer.isView(module) ? new WebAssembly.Module(/** @type {BufferSource} */ (module)) : module);
}
