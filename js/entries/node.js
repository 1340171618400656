// Node, and what can do as it does. As the default, but what it carries the module as is decoded at once: base64, which
// takes more room. On a disk that is no matter, and spares it ten milliseconds at each start.
import text from "../../pkg/respool.wasm?base64";
import { instantiate } from "./instance.js";

// Who bundles for Node need not have all that it has.
const bytes = globalThis.Buffer?.from(text, "base64") ?? Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
instantiate(new WebAssembly.Module(bytes));

export * from "../api.js";
