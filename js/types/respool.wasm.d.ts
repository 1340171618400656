import type { WebAssemblyModule } from "./slim.js";

/** The module, if the runtime or the bundler compiles an imported `.wasm` file. */
declare const module: WebAssemblyModule;
export default module;
