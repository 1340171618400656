/**
 * Every call into the WebAssembly module goes through here, so that what comes out of it when it fails is a typed
 * error, and the next call finds it in order. After a panic, which ends a call at a known point, only the object is
 * lost that was called: it stays borrowed. After any other trap nobody knows in which state the memory is: the module
 * is instantiated anew, and the objects of before are stale.
 */

import { LimitError, RespoolError, messageOf } from "./errors.js";

/** How many calls are under way: a getter of the user's may call the module again. */
let depth = 0;
/** What the module says of a panic, before it traps. */
/** @type {string | undefined} */
let panic;
let isToBeRecovered = false;
let isTrusted = true;

/** @type {(() => void)[]} */
const forgets = [];
/** @type {((isNewInstance: boolean) => void)[]} */
const restores = [];
/** @type {(isTrusted: boolean) => void} */
let recoverModule;

/**
 * Calls `forget` after each failed call: it drops what JavaScript has cached of the module's memory.
 *
 * @param {() => void} forget
 */
export function onFailure(forget) {
  forgets.push(forget);
}

/**
 * Calls `restore` after that, once no call is running any more.
 *
 * @param {(isNewInstance: boolean) => void} restore
 */
export function onRecovery(restore) {
  restores.push(restore);
}

/**
 * The module's exports with each function guarded.
 *
 * @param {WebAssembly.Exports} exports
 * @param {(isTrusted: boolean) => void} recover called with whether the module's memory is in order
 */
export function guard(exports, recover) {
  recoverModule = recover;
  return Object.fromEntries(
    Object.entries(exports).map(([name, value]) => [name, typeof value === "function" ? guarded(value) : value]),
  );
}

/** @param {Function} call */
function guarded(call) {
  return (/** @type {unknown[]} */ ...values) => {
    depth += 1;
    try {
      const result = call(...values);
      // A call inside of this one may have trapped: then the result is of a module that is gone.
      if (isTrusted) return result;
      throw stale();
    } catch (error) {
      throw failure(error);
    } finally {
      depth -= 1;
      if (isToBeRecovered && depth === 0) recover();
    }
  };
}

/**
 * Called by the module when it panics.
 *
 * @param {string} message
 */
export function panicked(message) {
  panic = message;
}

/** What a call is answered with whose object was made before the module was instantiated anew. */
export const stale = () => bug("this object was lost when another call failed");

/** @type {(what: string, cause?: unknown) => RespoolError} */
const bug = (what, cause) =>
  new RespoolError(
    "internal-error",
    `respool has failed, which is a bug in it: ${what}. New objects can be used; please report it with its input.`,
    { cause },
  );

/**
 * The typed error for anything that the module threw.
 *
 * @param {unknown} error
 */
function failure(error) {
  isToBeRecovered = true;
  for (const forget of forgets) forget();
  if (panic !== undefined) {
    const why = panic;
    panic = undefined;
    return bug(why, error);
  }
  if (RespoolError.isInstance(error)) return error;
  const message = messageOf(error);
  // What engines say where text would be longer than they allow: a little more than 500 million characters.
  if (/string (longer|length)/i.test(message))
    return new LimitError("limit-exceeded", `the result has more text than this runtime can hold: ${message}`, { cause: error });
  // By name: they may come from another realm.
  if (["RuntimeError", "RangeError", "InternalError"].includes(String(/** @type {{ name?: unknown } | null} */ (error)?.name))) {
    isTrusted = false;
    return bug(message, error);
  }
  // What wasm-bindgen throws when an object is borrowed already: by a call that is under way, or by one that never ended.
  if (!/recursive use/.test(message)) return bug(message, error);
  if (depth === 1) return bug("this object was lost when an earlier call failed", error);
  return new RespoolError(
    "in-use",
    "a getter, a proxy or a codec has used the object that is reading it; wait until that call is over",
  );
}

function recover() {
  const wasTrusted = isTrusted;
  [isToBeRecovered, isTrusted] = [false, true];
  recoverModule(wasTrusted);
  for (const forget of forgets) forget();
  for (const restore of restores) restore(!wasTrusted);
}
