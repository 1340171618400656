/** Recognises class instances, and copies those whose accessors hide the interface's own fields. */

/**
 * Whether an object has no class of its own, only `Object` of any realm or no prototype.
 *
 * @param {object} object
 */
export function hasNoClass(object) {
  const prototype = Object.getPrototypeOf(object);
  if (prototype === Object.prototype || prototype === null) return true;
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, "isPrototypeOf");
}

/** The fields that hold the whole answer, and the fields beside them. */
const HOLDERS = ["choices", "candidates"];
const BESIDE = ["id", "model", "created", "usage", "error", "usageMetadata", "modelVersion", "responseId", "promptFeedback"];

/**
 * Whether the accessors of a class are only derived from its objects' own fields, by prototype.
 *
 * @type {WeakMap<object, boolean>}
 */
const classes = new WeakMap();

/**
 * Copies the own fields of an object whose class has derived accessors, such as the `text` of @google/genai's
 * responses: these would be read instead of the interface's own fields, and some print warnings. Any other object is
 * returned unchanged.
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
