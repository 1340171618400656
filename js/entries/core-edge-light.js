// `respool/core` for Vercel's edge runtime: see edge-light.js.
import module from "./respool-core.wasm?module";
import { start } from "./core-library.js";

start(() => module);

export * from "../core/api.js";
