export * from "./api.js";

/** A `WebAssembly.Module`, also where the types of the DOM are not loaded. */
export type WebAssemblyModule = object &
  (typeof globalThis extends { WebAssembly: { Module: { prototype: infer Module } } } ? Module : unknown);

/** What {@link init} can make the module from. */
export type InitSource = WebAssemblyModule | ArrayBuffer | ArrayBufferView | Response | URL | string;

/**
 * Loads the module, `respool/respool.wasm`; everything else in this entry needs it first. Calling it again does
 * nothing; after a failure it can be called again.
 *
 * @throws {RespoolError} `invalid-option` when `source` is none of the kinds, or could not be fetched.
 *
 * @example
 * ```ts
 * import { init, process } from "respool/slim";
 *
 * await init(fetch("/assets/respool.wasm")); // copied there from respool/respool.wasm
 * console.log(process({}, { choices: [{ message: { content: "Hello" } }] })); // → Hello
 * ```
 */
export declare function init(source: InitSource | PromiseLike<InitSource>): Promise<void>;

/**
 * As {@link init}, for a compiled module or its bytes, at once.
 *
 * @example
 * ```ts
 * import { initSync, process } from "respool/slim";
 *
 * const response = await fetch("/assets/respool.wasm");
 * initSync(await response.arrayBuffer());
 * console.log(process({}, { choices: [{ message: { content: "Hello" } }] })); // → Hello
 * ```
 */
export declare function initSync(source: WebAssemblyModule | ArrayBuffer | ArrayBufferView): void;
