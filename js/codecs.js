import { registerCodec as register, unregisterCodec } from "../pkg/wasm/respool.js";
import { RespoolError } from "./errors.js";

/** Updates as the module reads them: a list. */
function list(updates) {
  if (Array.isArray(updates)) return updates;
  return updates === undefined || updates === null ? [] : [updates];
}

export function registerCodec(codec) {
  const { name, detect, decode, stream } = codec ?? {};
  const isRight = typeof name === "string" && name !== "" && typeof detect === "function" && typeof decode === "function";
  if (!isRight) throw new RespoolError("invalid-option", "a codec needs a name and the functions detect and decode");
  const open = () => {
    const read = stream ? stream.call(codec) : (event) => decode.call(codec, event);
    return (event) => list(read(event));
  };
  register(name, (value) => Boolean(detect.call(codec, value)), (body) => list(decode.call(codec, body)), open);
  return () => unregisterCodec(name);
}
