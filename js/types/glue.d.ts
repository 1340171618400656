// What scripts/build/ appends to the generated glue, for the entries.
export {};

declare module "../../pkg/wasm/respool.js" {
  /** The functions that the module imports. */
  export function getImports(): WebAssembly.Imports;
  /** Takes an instance into use. */
  export function useInstance(instance: { exports: object }, module: WebAssembly.Module): void;
  /** Makes all objects of the current instance stale. */
  export function leaveInstance(): void;
  /** Uses these exports in place of an instance's. */
  export function setExports(exports: object): void;
  /** The module's stack pointer. */
  export function stackPointer(): { value: number };
}
