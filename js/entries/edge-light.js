// Vercel's edge runtime: like Workers, but its bundler needs the query to import a module.
import module from "./respool.wasm?module";
import { initSync } from "./slim.js";

initSync(module);

export * from "../api.js";
