export * from "./api.js";

/** A `WebAssembly.Module`, even without the DOM types. */
export type WebAssemblyModule = object &
  (typeof globalThis extends { WebAssembly: { Module: { prototype: infer Module } } } ? Module : unknown);

/** The sources of the module that {@link init} accepts. */
export type InitSource = WebAssemblyModule | ArrayBuffer | ArrayBufferView | Response | URL | string;

/**
 * Loads the module, `respool/respool.wasm`. Call it before anything else in this entry. Calling it again does nothing;
 * after a failure it can be called again.
 *
 * @throws {RespoolError} `invalid-option` if `source` isn't one of these kinds, can't be fetched, or isn't the module
 *
 * @example
 * ```ts
 * import { init, processResponse } from "respool/slim";
 *
 * await init(fetch("/assets/respool.wasm")); // copied there from respool/respool.wasm
 * console.log(processResponse({}, { choices: [{ message: { content: "Hello" } }] })); // → Hello
 * ```
 */
export declare function init(source: InitSource | PromiseLike<InitSource>): Promise<void>;

/**
 * Like {@link init}, but synchronous, for a compiled module or its bytes.
 *
 * @throws {RespoolError} `invalid-option` if `source` isn't the module
 *
 * @example
 * ```ts
 * import { initSync, processResponse } from "respool/slim";
 *
 * const response = await fetch("/assets/respool.wasm");
 * initSync(await response.arrayBuffer());
 * console.log(processResponse({}, { choices: [{ message: { content: "Hello" } }] })); // → Hello
 * ```
 */
export declare function initSync(source: WebAssemblyModule | ArrayBuffer | ArrayBufferView): void;
