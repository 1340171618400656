/** Registers the codecs of the main entry with this entry's module. */

/** @import { Registration } from "../codecs.js" */

import { registerCodec } from "#library";
import { registerCodec as register, unregisterCodec } from "../../pkg/wasm/respool.js";
import { Bridge } from "../codec_bridge.js";
import { onRecovery } from "../guard.js";

/**
 * The codecs registered with the main entry.
 *
 * @type {ReadonlyMap<string, Registration>}
 */
const registered = Reflect.get(registerCodec, Symbol.for("respool.codecs"));

/**
 * The codecs registered with this entry's module.
 *
 * @type {Map<string, Registration>}
 */
const known = new Map();

onRecovery((isNewInstance) => {
  if (isNewInstance) known.clear();
});

/** Registers with the module the codecs that are registered with the main entry now. */
export function adoptCodecs() {
  for (const [name, registration] of known) {
    if (registered.get(name) === registration) continue;
    unregisterCodec(name);
    known.delete(name);
  }
  for (const [name, registration] of registered) {
    if (known.has(name)) continue;
    register(name, new Bridge(registration.codec));
    known.set(name, registration);
  }
}
