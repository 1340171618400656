/** Reads single options, and rejects invalid ones. */

import { isThenable, settling } from "./abort.js";
import { checked } from "./checked.js";
import { RespoolError } from "./errors.js";
import { quote } from "./input.js";
import { unknownName } from "./near_match.js";

/**
 * @param {string} message
 * @returns {never}
 */
export function refuse(message) {
  throw new RespoolError("invalid-option", message);
}

/**
 * @param {string} path of the option, for example "options.limits.maxDepth"
 * @param {string} expected
 * @param {unknown} value the invalid value
 * @returns {never}
 */
export const refuseValue = (path, expected, value) => refuse(`${path} must be ${expected}, not ${quote(value)}`);

/**
 * @template T
 * @param {T} value
 * @returns {value is NonNullable<T>}
 */
export const isSet = (value) => value !== undefined && value !== null;

/**
 * Returns an object; undefined if it isn't set. Strings and arrays are rejected, because they would be spread by index.
 *
 * @template {object} T
 * @param {T | null | undefined} value
 * @param {string} path
 * @param {string} [expected]
 */
export function readObject(value, path, expected = "an object") {
  if (!isSet(value)) return undefined;
  return typeof value === "object" && !Array.isArray(value) ? value : refuseValue(path, expected, value);
}

/** Expected value of an option that is on, off, or on with options. */
export const SWITCH_OR_OPTIONS = "true, false or an object";

/**
 * Checks an object of options; returns `{}` if there is none. A misspelled name is an error, because it would be
 * ignored silently.
 *
 * @template {object} Options
 * @param {Options | null | undefined} options
 * @param {string} path
 * @param {readonly string[]} names
 * @param {string} [expected]
 * @returns {Partial<Options>}
 */
export function openOptions(options, path, names, expected) {
  if (readObject(options, path, expected) === undefined) return {};
  for (const [name, value] of Object.entries(/** @type {Options} */ (options))) {
    if (value !== undefined && !names.includes(name)) {
      refuse(unknownName("option", name, names, `${path}.`.replace(/^options\./, "")));
    }
  }
  return /** @type {Options} */ (options);
}

/**
 * Copies options that are validated elsewhere.
 *
 * @type {<Options extends object>(options: Options | null | undefined) => Options | Partial<Options>}
 */
export const copyOptions = checked((options) => ({ ...readObject(options, "options") }), "The options");

/** Returns the signal among the options, if there is one. */
export const readSignal = checked((/** @type {{ signal?: AbortSignal | undefined } | null | undefined} */ options) => {
  const signal = options?.signal ?? undefined;
  const isSignal = signal === undefined || (typeof signal.throwIfAborted === "function" && typeof signal.aborted === "boolean");
  return isSignal ? signal : refuseValue("options.signal", "an AbortSignal", signal);
}, "The options");

/**
 * @param {unknown} value
 * @param {string} path
 * @param {boolean} fallback
 */
export function readSwitch(value, path, fallback) {
  const isOn = value ?? fallback;
  return typeof isOn === "boolean" ? isOn : refuseValue(path, "true or false", isOn);
}

/**
 * Returns the index of a word in a list; 0 if it isn't set.
 *
 * @param {unknown} value
 * @param {string} path
 * @param {readonly string[]} words
 */
export function readWord(value, path, words) {
  const index = words.findIndex((word) => word === (value ?? words[0]));
  return index < 0 ? refuseValue(path, `one of ${words.join(", ")}`, value) : index;
}

/**
 * @param {unknown} value
 * @param {string} path
 */
export const readId = (value, path) =>
  typeof value === "string" && value !== "" ? value : refuseValue(path, "a string that isn't empty", value);

/**
 * @template {(...args: never[]) => unknown} F
 * @param {F | null | undefined} value
 * @param {string} path
 * @returns {F | undefined}
 */
export function readFunction(value, path) {
  if (!isSet(value)) return undefined;
  return typeof value === "function" ? value : refuseValue(path, "a function", value);
}

/**
 * Returns the result of a synchronous callback. A promise is rejected with an error, and its outcome is ignored.
 *
 * @template T
 * @param {T} value
 * @param {string} path
 * @returns {T}
 */
export const requireSync = (value, path) => refusePromise(value, `${path} can't be asynchronous: it returned a promise`);

/**
 * Returns a value, or throws with this message if it is a promise.
 *
 * @template T
 * @param {T} value
 * @param {string} message
 * @returns {T}
 */
export function refusePromise(value, message) {
  if (!isThenable(value)) return value;
  settling(value);
  return refuse(message);
}

/** The largest number that the module accepts: it counts with 32 bits. */
export const MAX_COUNT = 0xffffffff;

/**
 * @param {unknown} value
 * @param {string} path
 * @param {number} least
 * @param {number} most
 */
export function readCount(value, path, least, most = MAX_COUNT) {
  if (typeof value === "number" && Number.isInteger(value) && value >= least && value <= most) return value;
  return refuseValue(
    path,
    most === MAX_COUNT ? `a whole number, ${least} or more` : `a whole number from ${least} to ${most}`,
    value,
  );
}
