// Node, and what can do as it does. As the default, but the module is carried as base64, which takes more room and is
// decoded at once: on a disk only the time matters.
import text from "../../pkg/respool.wasm?base64";
import { instantiate } from "./instance.js";

// Who bundles for Node need not have all that it has.
const bytes = globalThis.Buffer?.from(text, "base64") ?? Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
instantiate(new WebAssembly.Module(bytes));

export * from "../api.js";
