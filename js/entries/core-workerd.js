// `respool/core` for Cloudflare Workers: see workerd.js.
import module from "./respool-core.wasm";
import { start } from "./core-library.js";

start(() => module);

export * from "../core/api.js";
