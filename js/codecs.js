/** @import { Codec } from "./types/api.js" */

import { registerCodec as register, unregisterCodec } from "../pkg/wasm/respool.js";
import { checked } from "./checked.js";
import { Bridge } from "./codec_bridge.js";
import { onRecovery } from "./guard.js";
import { quote } from "./input.js";
import { refuse } from "./read_option.js";

/** @typedef {{ codec: Codec, bridge: Bridge }} Registration */

/**
 * The registered codecs by name.
 *
 * @type {Map<string, Registration>}
 */
const registered = new Map();

onRecovery((isNewInstance) => {
  if (isNewInstance) for (const [name, { bridge }] of registered) register(name, bridge);
});

/** Checks a codec and returns its name. */
const readName = checked((/** @type {Codec} */ { name, detect, decode, stream }) => {
  if (typeof name !== "string" || name === "") refuse(`A codec needs a name, not ${quote(name)}`);
  if (typeof detect !== "function") refuse(`The codec's detect must be a function, not ${quote(detect)}`);
  if (typeof decode !== "function") refuse(`The codec's decode must be a function, not ${quote(decode)}`);
  if (stream !== undefined && typeof stream !== "function") {
    refuse(`The codec's stream must be a function, not ${quote(stream)}`);
  }
  return name;
}, "The codec");

export const hasCodecs = () => registered.size > 0;

/** Whether any codec reads events otherwise than complete bodies. */
export const hasStreams = () => [...registered.values()].some(({ codec }) => codec.stream !== undefined);

/**
 * Whether a codec of this name reads events otherwise than complete bodies.
 *
 * @param {string | undefined} name
 */
export const hasStream = (name) => name !== undefined && registered.get(name)?.codec.stream !== undefined;

/** @param {string} name */
export const isRegistered = (name) => registered.has(name);

/**
 * @param {Codec} codec
 * @returns {() => void}
 */
export function registerCodec(codec) {
  const name = readName(codec ?? {});
  const registration = { codec, bridge: new Bridge(codec) };
  if (name === "litellm" || !register(name, registration.bridge))
    refuse(`\`${name}\` is a reserved codec name: choose another one`);
  registered.set(name, registration);
  return () => {
    if (registered.get(name) !== registration) return; // replaced by another codec of this name
    registered.delete(name);
    unregisterCodec(name);
  };
}

// `respool/encode` has its own module, which uses the same codecs.
Object.defineProperty(registerCodec, Symbol.for("respool.codecs"), { value: registered });
