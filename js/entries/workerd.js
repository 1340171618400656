// Cloudflare Workers forbid compiling bytes, but an imported .wasm file is already a module.
import module from "./respool.wasm";
import { initSync } from "./slim.js";

initSync(module);

export * from "../api.js";
