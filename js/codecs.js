import { registerCodec as register, unregisterCodec } from "../pkg/wasm/respool.js";
import { RespoolError } from "./errors.js";

/** The registration that is in force, by name. */
const registered = new Map();

/** Updates as the module reads them: a list. */
function list(updates) {
  if (Array.isArray(updates)) return updates;
  return updates === undefined || updates === null ? [] : [updates];
}

function check({ name, detect, decode, stream }) {
  const refuse = (message) => {
    throw new RespoolError("invalid-option", message);
  };
  if (typeof name !== "string" || name === "") refuse("a codec needs a name");
  if (typeof detect !== "function" || typeof decode !== "function") refuse("a codec needs the functions detect and decode");
  if (stream !== undefined && typeof stream !== "function") refuse("the stream of a codec must be a function");
}

export function registerCodec(codec) {
  check(codec ?? {});
  const { name } = codec;
  const registration = Symbol(name);
  const open = () => {
    const read = codec.stream ? codec.stream() : (event) => codec.decode(event);
    return (event) => list(read(event));
  };
  register(name, (value) => Boolean(codec.detect(value)), (body) => list(codec.decode(body)), open);
  registered.set(name, registration);
  return () => {
    if (registered.get(name) !== registration) return; // another one of this name has taken its place
    registered.delete(name);
    unregisterCodec(name);
  };
}
