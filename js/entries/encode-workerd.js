// `respool/encode` for Cloudflare Workers: see workerd.js.
import module from "./respool-encode.wasm";
import { start } from "./encoder.js";

start(() => module);

export * from "../encode/api.js";
