// Vercel's edge runtime: as on Workers, but its bundler wants the query to make the import a module.
import module from "./respool.wasm?module";
import { initSync } from "./slim.js";

initSync(module);

export * from "../api.js";
