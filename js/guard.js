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
  return Object.fromEntries(
    Object.entries(exports).map(([name, value]) => [name, typeof value === "function" ? guarded(value) : value]),
  );
}

/** @param {Function} call */
function guarded(call) {
  // The call goes through an array, so that V8 doesn't know the export and inline it into the caller. If an assumption
  // of such a caller is invalidated during the call, as when JSON.parse meets a new shape, Node 20 aborts.
  /** @type {[Function]} */
  const calls = [call];
  return (/** @type {unknown[]} */ ...values) => {
    depth += 1;
    try {
      const result = calls[0](...values);
      // A nested call may have trapped: the result then belongs to an abandoned instance.
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
 * Returns the typed error for any value that the module threw.
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
  // Engines reject strings of more than about 500 million characters.
  if (/string (longer|length)/i.test(message))
    return new LimitError("limit-exceeded", `The result's text is longer than this runtime allows: ${message}`, { cause: error });
  // Compares names, because the error may come from another realm.
  if (["RuntimeError", "RangeError", "InternalError"].includes(String(/** @type {{ name?: unknown } | null} */ (error)?.name))) {
    isTrusted = false;
    return bug(message, error);
  }
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
  [isToBeRecovered, isTrusted] = [false, true];
  recoverModule(wasTrusted);
  for (const forget of forgets) forget();
  for (const restore of restores) restore(!wasTrusted);
}
