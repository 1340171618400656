/**
 * Guards every call into the WebAssembly module: a failed call throws a typed error, and the next call works. A panic
 * ends a call at a known point, so only the object that was called is lost: it stays borrowed. After any other trap the
 * state of the memory is unknown, so the module is instantiated again, and all existing objects become stale.
 */

import { LimitError, RespoolError, messageOf } from "./errors.js";

/** Depth of nested calls: a user's getter may call the module again. */
let depth = 0;
/**
 * The message of a panic, which the module reports before it traps.
 *
 * @type {string | undefined}
 */
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
 * The guarded exports of the instance in use.
 *
 * @type {WebAssembly.Exports}
 */
let current = {};

/**
 * Registers a function to call after each failed call, to drop data that JavaScript has cached from the module's
 * memory.
 *
 * @param {() => void} forget
 */
export function onFailure(forget) {
  forgets.push(forget);
}

/**
 * Registers a function to call after the recovery from a failed call, once no call is running.
 *
 * @param {(isNewInstance: boolean) => void} restore
 */
export function onRecovery(restore) {
  restores.push(restore);
}

/**
 * Returns the module's exports with all functions guarded.
 *
 * @param {WebAssembly.Exports} exports
 * @param {(isTrusted: boolean) => void} recover receives whether the state of the module's memory is known
 */
export function guard(exports, recover) {
  recoverModule = recover;
  current = Object.fromEntries(
    Object.entries(exports).map(([name, value]) => [name, typeof value === "function" ? guarded(name, value) : value]),
  );
  return current;
}

/**
 * @param {string} name
 * @param {Function} call
 */
function guarded(name, call) {
  // The call goes through an array, so that V8 doesn't know the export and inline it into the caller. If an assumption
  // of such a caller is invalidated during the call, as when JSON.parse meets a new shape, Node 20 aborts.
  /** @type {[Function]} */
  const calls = [call];
  return function guardedCall(/** @type {unknown[]} */ ...values) {
    if (isToBeRecovered && depth === 0) {
      recover();
      const latest = /** @type {Function} */ (current[name]);
      if (latest !== guardedCall) {
        // Objects and addresses of the previous instance are lost; functions and constructors have none.
        if (!/^[a-zA-Z]+(_new)?$/.test(name)) throw stale();
        return latest(...values);
      }
    }
    depth += 1;
    try {
      const result = calls[0](...values);
      // A nested call may have trapped: the result then belongs to an abandoned instance.
      if (isTrusted) return result;
      throw stale();
    } catch (error) {
      // Noted before any call: if the stack is full, calls fail, and the next call into the module recovers it.
      const wasTrusted = isTrusted;
      isToBeRecovered = true;
      isTrusted = false;
      throw failure(error, wasTrusted);
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

/** Returns the error for an object that was created before the module was instantiated again. */
export const stale = () => bug("this object was lost when another call failed");

/** @type {(what: string, cause?: unknown) => RespoolError} */
const bug = (what, cause) =>
  new RespoolError(
    "internal-error",
    `Internal error (a bug in respool): ${what}. Create new objects to continue, and please report this with its input.`,
    { cause },
  );

/**
 * Returns the typed error for any value that the module threw, and restores the trust in the module unless it trapped.
 *
 * @param {unknown} error
 * @param {boolean} wasTrusted
 */
function failure(error, wasTrusted) {
  for (const forget of forgets) forget();
  const typed = typedError(error);
  isTrusted = wasTrusted && typed !== undefined;
  return typed ?? bug(messageOf(error), error);
}

/**
 * Returns the typed error for any value that the module threw, or undefined for a trap.
 *
 * @param {unknown} error
 */
function typedError(error) {
  if (panic !== undefined) {
    const why = panic;
    panic = undefined;
    return bug(why, error);
  }
  if (RespoolError.isInstance(error)) return error;
  const message = messageOf(error);
  // Engines reject strings of more than about 500 million characters.
  if (/string (longer|length)/i.test(message))
    return new LimitError("limit-exceeded", `The result's text is longer than this runtime allows: ${message}`, { cause: error });
  // Compares names, because the error may come from another realm.
  const { name } = /** @type {{ name?: unknown }} */ (error ?? {});
  if (["RuntimeError", "RangeError", "InternalError"].includes(String(name))) return undefined;
  // wasm-bindgen throws this if the object is already borrowed: by a running call, or by one that never ended.
  if (!/recursive use/.test(message)) return bug(message, error);
  if (depth === 1) return bug("this object was lost when an earlier call failed", error);
  return new RespoolError(
    "in-use",
    "A getter, a proxy or a codec used the object that is reading it; use the object after that call has returned",
  );
}

function recover() {
  const wasTrusted = isTrusted;
  depth += 1; // so that calls in between don't recover
  isTrusted = true;
  try {
    recoverModule(wasTrusted);
    for (const forget of forgets) forget();
    for (const restore of restores) restore(!wasTrusted);
    isToBeRecovered = false;
  } catch (error) {
    isTrusted = wasTrusted;
    throw error;
  } finally {
    depth -= 1;
  }
}
