import type { WebAssemblyModule } from "./slim.js";

/** The module, where the runtime or the bundler makes one of an imported `.wasm` file. */
declare const module: WebAssemblyModule;
export default module;
