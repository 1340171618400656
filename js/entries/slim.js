// The library without the module: pass the module to `init` or `initSync` before anything else. The other entries do that
// when they are imported.
/** @import { InitSource, WebAssemblyModule } from "../types/slim.js" */

import { endOwnCode } from "../stack.js";
import { setExports } from "../../pkg/wasm/respool.js";
import { RespoolError } from "../api.js";
import { requireWebAssembly } from "./engine.js";
import { instantiate } from "./instance.js";

export * from "../api.js";

let ready = false;
/** @type {Promise<void> | undefined} */
let pending;

// Until then, any access to the module throws an error that says what to do.
setExports(
  new Proxy(
    {},
    {
      get() {
        throw new RespoolError(
          "not-initialised",
          "respool/slim isn't initialised: await init(…) or call initSync(…) before anything else",
        );
      },
    },
  ),
);

/**
 * @param {InitSource | PromiseLike<InitSource>} source
 * @returns {Promise<void>}
 */
export function init(source) {
  if (ready) return Promise.resolve();
  // A failed attempt can be repeated.
  pending ??= compile(source)
    .then(initSync)
    .finally(() => {
      pending = undefined;
    });
  return pending;
}

/**
 * @param {WebAssemblyModule | ArrayBuffer | ArrayBufferView} source
 * @returns {void}
 */
export function initSync(source) {
  if (ready) return;
  requireWebAssembly();
  instantiate(isBytes(source) ? new WebAssembly.Module(bytesOf(source)) : requireModule(source));
  ready = true;
}

/**
 * @param {InitSource | PromiseLike<InitSource>} source
 * @returns {Promise<WebAssemblyModule>}
 */
async function compile(source) {
  requireWebAssembly();
  let input = await source;
  if (typeof input === "string" || isA(input, "URL")) input = await fetch(/** @type {string | URL} */ (input));
  if (isA(input, "Response")) return compileResponse(/** @type {Response} */ (input));
  return isBytes(input) ? WebAssembly.compile(bytesOf(input)) : requireModule(input);
}

/** @param {Response} response */
async function compileResponse(response) {
  if (!response.ok) {
    throw invalid(`the module couldn't be fetched: ${response.status} ${response.statusText} ${response.url}`.trimEnd());
  }
  // Streaming compilation would reject a response without the media type application/wasm.
  return WebAssembly.compile(await response.arrayBuffer());
}

/**
 * @param {unknown} input
 * @returns {WebAssembly.Module}
 */
function requireModule(input) {
  // By tag, because instanceof is false for a module from another realm.
  if (isA(input, "WebAssembly.Module")) return /** @type {WebAssembly.Module} */ (input);
  throw invalid("init expects the module from respool/respool.wasm: a WebAssembly.Module, its bytes, a URL or a Response");
}

/**
 * @param {unknown} input
 * @returns {input is ArrayBuffer | ArrayBufferView}
 */
function isBytes(input) {
  return ArrayBuffer.isView(input) || isA(input, "ArrayBuffer") || isA(input, "SharedArrayBuffer");
}

/**
 * The bytes in a form that engines compile, which a DataView isn't.
 *
 * @param {ArrayBuffer | ArrayBufferView} input
 * @returns {BufferSource}
 */
function bytesOf(input) {
  return ArrayBuffer.isView(input)
    ? new Uint8Array(/** @type {ArrayBuffer} */ (input.buffer), input.byteOffset, input.byteLength)
    : input;
}

/**
 * @param {unknown} input
 * @param {string} tag
 */
function isA(input, tag) {
  return Object.prototype.toString.call(input) === `[object ${tag}]`;
}

/** @param {string} message */
function invalid(message) {
  return new RespoolError("invalid-option", message);
}

endOwnCode(new Error("the last statement of the library"));
