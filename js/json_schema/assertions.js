/** Assertions of JSON Schema keywords about a single value. Each returns a message for a value that doesn't match. */

/** @import { OpenSchema } from "./schema.js" */

import { isObject, membersOf } from "./schema.js";

/** @typedef {(value: unknown, expected: unknown, schema: OpenSchema) => string | false | undefined} Assertion */

/** @param {unknown} value */
function typeOf(value) {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value;
}

/**
 * @param {unknown} value
 * @param {unknown} type
 */
const isOfType = (value, type) => (type === "integer" ? Number.isInteger(value) : typeOf(value) === type);

/** @type {Record<string, string>} */
const ARTICLES = { array: "an array", object: "an object", integer: "an integer", null: "null" };

/** @param {unknown} type */
const nameOf = (type) => ARTICLES[String(type)] ?? `a ${type}`;

/**
 * Returns a value as JSON with sorted keys, so that equal values have the same text.
 *
 * @param {unknown} value
 */
const canonical = (value) =>
  JSON.stringify(value, (_, member) => (isObject(member) ? Object.fromEntries(Object.entries(member).sort(byName)) : member));

/** @type {(one: [string, unknown], other: [string, unknown]) => number} */
const byName = ([one], [other]) => (one < other ? -1 : Number(one > other));

/**
 * Returns an assertion about values of one type; others pass.
 *
 * @template T
 * @param {(value: unknown) => value is T} isOne
 * @param {(value: T, expected: never, schema: OpenSchema) => string | false | undefined} assert
 * @returns {Assertion}
 */
const of = (isOne, assert) => (value, expected, schema) =>
  isOne(value) ? assert(value, /** @type {never} */ (expected), schema) : undefined;

/** @type {(value: unknown) => value is number} */
const isNumber = (value) => typeof value === "number";
/** @type {(value: unknown) => value is string} */
const isText = (value) => typeof value === "string";
/** @type {(value: unknown) => value is unknown[]} */
const isList = (value) => Array.isArray(value);

/** Returns the length in code points, as the specification counts it. @param {string} text */
const lengthOf = (text) => Array.from(text).length;

/** @param {{ [name: string]: unknown }} object */
const sizeOf = (object) => Object.keys(object).length;

/**
 * Whether a number is a multiple of another, up to floating-point precision.
 *
 * @param {number} value
 * @param {number} factor
 */
function isMultiple(value, factor) {
  const quotient = value / factor;
  return Math.abs(quotient - Math.round(quotient)) <= Math.abs(quotient) * Number.EPSILON * 2;
}

/**
 * @param {{ [name: string]: unknown }} object
 * @param {readonly string[]} names
 */
const missingIn = (object, names) => names.filter((name) => !Object.hasOwn(object, name));

/** @param {string[]} names */
const needs = (names) => names.length > 0 && `needs ${names.map((name) => `\`${name}\``).join(", ")}`;

/** @type {Record<string, Assertion>} */
export const ASSERTIONS = {
  type(value, expected) {
    const types = Array.isArray(expected) ? expected : [expected];
    const isOne = types.some((type) => isOfType(value, type));
    return !isOne && `must be ${types.map(nameOf).join(" or ")}, not ${nameOf(typeOf(value))}`;
  },
  enum(value, expected) {
    const text = canonical(value);
    const values = /** @type {unknown[]} */ (expected).map(canonical);
    return !values.includes(text) && `must be one of ${values.join(", ")}`;
  },
  const: (value, expected) => canonical(value) !== canonical(expected) && `must be ${canonical(expected)}`,
  minimum: of(isNumber, (value, least) => value < least && `must be ${least} or more`),
  maximum: of(isNumber, (value, most) => value > most && `must be ${most} or less`),
  exclusiveMinimum: of(isNumber, (value, bound) => value <= bound && `must be more than ${bound}`),
  exclusiveMaximum: of(isNumber, (value, bound) => value >= bound && `must be less than ${bound}`),
  multipleOf: of(isNumber, (value, factor) => !isMultiple(value, factor) && `must be a multiple of ${factor}`),
  minLength: of(isText, (value, least) => lengthOf(value) < least && `must have ${least} or more characters`),
  maxLength: of(isText, (value, most) => lengthOf(value) > most && `must have ${most} or fewer characters`),
  pattern: of(isText, (value, pattern, schema) => !schema.expression(pattern).test(value) && `must match ${pattern}`),
  minItems: of(isList, (value, least) => value.length < least && `must have ${least} or more items`),
  maxItems: of(isList, (value, most) => value.length > most && `must have ${most} or fewer items`),
  uniqueItems: of(isList, (value, isUnique) => {
    return isUnique === true && new Set(value.map(canonical)).size < value.length && "must not have equal items";
  }),
  minProperties: of(isObject, (value, least) => sizeOf(value) < least && `must have ${least} or more properties`),
  maxProperties: of(isObject, (value, most) => sizeOf(value) > most && `must have ${most} or fewer properties`),
  required: of(isObject, (value, names) => needs(missingIn(value, names))),
  dependentRequired: of(isObject, (value, rules) => {
    const wanted = membersOf(rules).filter(([name]) => Object.hasOwn(value, name));
    return needs(
      missingIn(
        value,
        wanted.flatMap(([, names]) => /** @type {string[]} */ (names)),
      ),
    );
  }),
};
