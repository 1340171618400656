// `respool/encode` for Vercel's edge runtime: see edge-light.js.
import module from "./respool-encode.wasm?module";
import { start } from "./encoder.js";

start(() => module);

export * from "../encode/api.js";
