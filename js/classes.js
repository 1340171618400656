/** Whether objects have a class, and what its accessors give. */

/**
 * Whether an object inherits nothing but what all objects do, also those of another realm.
 *
 * @param {object} object
 */
export function hasNoClass(object) {
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
