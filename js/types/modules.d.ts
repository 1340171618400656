/** Compiled modules, as runtimes and bundlers import them. */
declare module "*.wasm" {
  const module: WebAssembly.Module;
  export default module;
}

declare module "*.wasm?module" {
  const module: WebAssembly.Module;
  export default module;
}

declare module "*.wasm?base64" {
  const base64: string;
  export default base64;
}
