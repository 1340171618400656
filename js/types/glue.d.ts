// Functions that scripts/build/ appends to the generated glue, for the entries.
export {};

declare module "../../pkg/wasm/respool.js" {
  /** The functions that the module imports. */
  export function getImports(): WebAssembly.Imports;
  /** Makes an instance the current one. */
  export function useInstance(instance: { exports: object }, module: WebAssembly.Module): void;
  /** Makes all objects of the current instance stale. */
  export function leaveInstance(): void;
  /** Replaces the exports of the current instance. */
  export function setExports(exports: object): void;
  /** The module's stack pointer. */
  export function stackPointer(): { value: number };
}
