// Vercel's edge runtime: as on Workers, but its bundler wants the query to make the import a module.
import module from "./respool.wasm?module";
import { instantiate } from "./instance.js";

instantiate(module);

export * from "../api.js";
