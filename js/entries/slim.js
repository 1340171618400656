// The library without the module: pass the module to `init` or `initSync` before anything else. The other entries do that
// when they are imported.
/** @import { InitSource, WebAssemblyModule } from "../types/slim.js" */

import { endOwnCode } from "../stack.js";
import { setExports } from "../../pkg/wasm/respool.js";
import { settling } from "../abort.js";
import { RespoolError } from "../api.js";
import { messageOf } from "../errors.js";
import { isAbort } from "../failures.js";
import { bytesOf, isBytes, quote } from "../input.js";
import { requireWebAssembly } from "./engine.js";
import { instantiate } from "./instance.js";

export * from "../api.js";

/** Name of an export that only the module of the whole library has. */
const IN_NO_OTHER_MODULE = "requestmachine_new";

let ready = false;
/** The last attempt to load the module. @type {Promise<void> | undefined} */
let attempt;

// Until the module is loaded, any access to it throws an error that says what to do.
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
  const input = /** @type {typeof source} */ (settling(source));
  if (ready) return Promise.resolve();
  attempt = attempt ? attempt.catch(() => start(input)) : start(input);
  return attempt;
}

/** @param {InitSource | PromiseLike<InitSource>} source */
async function start(source) {
  if (!ready) initSync(await compile(source));
}

/**
 * @param {WebAssemblyModule | ArrayBuffer | ArrayBufferView} source
 * @returns {void}
 */
export function initSync(source) {
  if (ready) return;
  requireWebAssembly();
  const module = isBytes(source) ? compileBytes(bytesOf(source)) : requireModule(source, "or its bytes");
  try {
    requireWhole(module);
    instantiate(module);
  } catch (cause) {
    throw invalid(`The module can't start, pass respool/respool.wasm of this version: ${messageOf(cause)}`, cause);
  }
  ready = true;
}

/**
 * @param {InitSource | PromiseLike<InitSource>} source
 * @returns {Promise<WebAssemblyModule>}
 */
async function compile(source) {
  requireWebAssembly();
  const input = await load(source);
  if (!isBytes(input)) return requireModule(input, "its bytes, a URL or a Response");
  const bytes = bytesOf(input);
  return WebAssembly.compile(/** @type {BufferSource} */ (bytes)).catch((cause) => {
    throw notAModule(bytes, cause);
  });
}

/**
 * Returns the module or its bytes.
 *
 * @param {InitSource | PromiseLike<InitSource>} source
 */
async function load(source) {
  let input;
  try {
    input = await source;
    if (typeof input === "string" || isA(input, "URL")) input = await fetch(/** @type {string | URL} */ (input));
    if (!isA(input, "Response")) return input;
    const { ok, status, statusText, url } = /** @type {Response} */ (input);
    if (!ok) throw invalid(`The module couldn't be fetched: ${status} ${statusText} ${url}`.trimEnd());
    // Streaming compilation would reject a response without the media type application/wasm.
    return await /** @type {Response} */ (input).arrayBuffer();
  } catch (cause) {
    if (isAbort(cause) || RespoolError.isInstance(cause)) throw cause;
    // Deno and Bun fetch files, Node doesn't.
    const hint = /^file:/i.test(String(input)) ? ". fetch can't read file: URLs here: pass the file's bytes" : "";
    throw invalid(`The module couldn't be fetched: ${messageOf(cause)}${hint}`, cause);
  }
}

/**
 * Rejects a module that can start but lacks functions: that of `respool/core`, or of `respool/encode`.
 *
 * @param {WebAssembly.Module} module
 */
function requireWhole(module) {
  const isWhole = WebAssembly.Module.exports(module).some(({ name }) => name === IN_NO_OTHER_MODULE);
  if (!isWhole) throw new Error("it lacks functions, as respool-core.wasm does");
}

/** @param {Uint8Array | undefined} bytes */
function compileBytes(bytes) {
  try {
    return new WebAssembly.Module(/** @type {BufferSource} */ (bytes));
  } catch (cause) {
    throw notAModule(bytes, cause);
  }
}

/**
 * @param {Uint8Array | undefined} bytes
 * @param {unknown} cause
 */
function notAModule(bytes, cause) {
  const beginning = String.fromCharCode(...(bytes?.subarray(0, 40) ?? [])).replace(/[^ -~]+/g, "…");
  const problem = beginning.startsWith("…asm")
    ? `couldn't be compiled: ${messageOf(cause)}`
    : `isn't a WebAssembly module: it begins with ${quote(beginning)}`;
  return invalid(`The source ${problem}`, cause);
}

/**
 * @param {unknown} input
 * @param {string} others other inputs that the function accepts
 * @returns {WebAssembly.Module}
 */
function requireModule(input, others) {
  // Compares tags, because instanceof is false for a module from another realm.
  if (isA(input, "WebAssembly.Module")) return /** @type {WebAssembly.Module} */ (input);
  throw invalid(`Expected the module from respool/respool.wasm, as a WebAssembly.Module, ${others}, not ${quote(input)}`);
}

/**
 * @param {unknown} input
 * @param {string} tag
 */
function isA(input, tag) {
  return Object.prototype.toString.call(input) === `[object ${tag}]`;
}

/**
 * @param {string} message
 * @param {unknown} [cause]
 */
function invalid(message, cause) {
  return new RespoolError("invalid-option", message, cause === undefined ? {} : { cause });
}

endOwnCode(new Error("the last statement of the library"));
