import { RespoolError } from "../api.js";

/** Called before the first use of WebAssembly, so that an import fails with a message that says what is missing. */
export function requireWebAssembly() {
  if (typeof WebAssembly === "undefined") {
    throw new RespoolError("missing-global", "respool needs the global WebAssembly, which is not defined here");
  }
}
