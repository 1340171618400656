// Cloudflare Workers: compiling from bytes is forbidden, an imported .wasm file is already a module.
import module from "./respool.wasm";
import { instantiate } from "./instance.js";

instantiate(module);

export * from "../api.js";
