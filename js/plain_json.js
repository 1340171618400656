/**
 * Objects that are nothing but JSON, as those are that a parser has made. The module reads their text several times
 * faster than it asks for one value after the other.
 */

/** What a value costs besides its characters. */
const VALUE = 8;

/** Larger objects are read value by value: most of what is in them may never be asked for. */
const BUDGET = 8192;

/** The module accepts twice as many levels, unless a limit says otherwise. */
const MAX_DEPTH = 32;

let left = 0;

/**
 * The JSON text of a small object that has nothing that JSON doesn't have; undefined for any other value. For such small
 * ones this is faster than `JSON.stringify` behind a check, and a getter is asked once.
 *
 * @param {unknown} object
 */
export function plainJson(object) {
  if (typeof object !== "object" || object === null) return undefined;
  left = BUDGET;
  try {
    return jsonOf(withoutAccessors(object), MAX_DEPTH);
  } catch {
    return undefined; // a getter that throws
  }
}

/**
 * @param {unknown} value
 * @param {number} levels how many more there may be
 * @returns {string | undefined}
 */
function jsonOf(value, levels) {
  left -= VALUE;
  if (typeof value === "string") {
    left -= value.length;
    return left < 0 ? undefined : quoted(value);
  }
  if (left < 0) return undefined;
  if (typeof value === "number") return value - value === 0 ? `${value}` : undefined;
  if (value === null || typeof value === "boolean") return `${value}`;
  if (typeof value !== "object" || levels === 0) return undefined;
  return Array.isArray(value) ? listJson(value, levels - 1) : objectJson(value, levels - 1);
}

/**
 * @param {unknown[]} list
 * @param {number} levels
 */
function listJson(list, levels) {
  let json = "[";
  for (let at = 0; at < list.length; at++) {
    const item = jsonOf(list[at] ?? null, levels);
    if (item === undefined) return undefined;
    json += at === 0 ? item : `,${item}`;
  }
  return `${json}]`;
}

/**
 * @param {object} object
 * @param {number} levels
 */
function objectJson(object, levels) {
  if (!hasNoClass(object)) return undefined;
  let json = "";
  // biome-ignore lint/suspicious/useGuardForIn: no class adds members
  for (const key in object) {
    const value = /** @type {Record<string, unknown>} */ (object)[key];
    if (value === undefined) continue;
    const member = jsonOf(value, levels);
    if (member === undefined) return undefined;
    json += json === "" ? nameOf(key) + member : `,${nameOf(key)}${member}`;
  }
  return `{${json}}`;
}

/**
 * Whether an object inherits nothing but what all objects do, also those of another realm.
 *
 * @param {object} object
 */
function hasNoClass(object) {
  const prototype = Object.getPrototypeOf(object);
  if (prototype === Object.prototype || prototype === null) return true;
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, "isPrototypeOf");
}

/** The members that hold all of an answer, and those beside them. */
const HOLDERS = ["choices", "candidates"];
const BESIDE = ["id", "model", "created", "usage", "error", "usageMetadata", "modelVersion", "responseId", "promptFeedback"];

/** Whether the accessors of a class give nothing but what its objects have in members, by prototype. @type {WeakMap<object, boolean>} */
const classes = new WeakMap();

/**
 * The members of an object whose class has accessors for parts of them, as the `text` of the responses of @google/genai:
 * those would be read in place of the interface's own members, and some print warnings. Any other object is returned as
 * it is.
 *
 * @param {object} object
 * @returns {object}
 */
export function withoutAccessors(object) {
  if (Array.isArray(object) || hasNoClass(object) || !HOLDERS.some((name) => Object.hasOwn(object, name))) return object;
  const prototype = /** @type {object} */ (Object.getPrototypeOf(object));
  let isDerived = classes.get(prototype);
  if (isDerived === undefined) {
    isDerived = ![...HOLDERS, ...BESIDE].some((name) => name in prototype);
    classes.set(prototype, isDerived);
  }
  return isDerived ? { ...object } : object;
}

/** What can't stand in a string as it is, or only in pairs. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON escapes them
const SPECIAL = /["\\\u0000-\u001f\ud800-\udfff]/;

/** @param {string} text */
const quoted = (text) => (SPECIAL.test(text) ? JSON.stringify(text) : `"${text}"`);

/** How many names are kept, and how long they may be: tools name the members of their arguments as they like. */
const MAX_NAMES = 1000;
const MAX_NAME = 40;

/** Names as they stand before a value. @type {Map<string, string>} */
const names = new Map();

/** @param {string} key */
function nameOf(key) {
  const known = names.get(key);
  if (known !== undefined) return known;
  left -= key.length;
  const name = `${quoted(key)}:`;
  if (names.size < MAX_NAMES && key.length <= MAX_NAME) names.set(key, name);
  return name;
}
