/** Validates a JSON value with a JSON Schema. https://json-schema.org/draft/2020-12/json-schema-validation */

/** @import { OutputIssue } from "../types/api.js" */
/** @import { OpenSchema, Schema } from "./schema.js" */

import { ASSERTIONS } from "./assertions.js";
import { isObject, membersOf } from "./schema.js";

/** Maximum number of issues. More don't help, and a long array could have one per item. */
const MAX_ISSUES = 20;

/**
 * Returns the ways in which a value doesn't match a schema.
 *
 * @param {OpenSchema} schema
 * @param {unknown} value
 * @returns {OutputIssue[]}
 */
export function issuesOf(schema, value) {
  const check = new Check(schema);
  check.value(schema.root, value, []);
  return check.issues;
}

/** A check of one value, with the issues found. */
class Check {
  /** @type {OutputIssue[]} */
  issues = [];
  #schema;
  /** The references followed at the current value: following one again would never end, and adds nothing. */
  #followed = new Set();
  /**
   * The issues of values with alternative schemas, by value and schema. Without this cache, alternatives of a recursive
   * schema would validate the inner values again and again. @type {Map<unknown, Map<unknown, OutputIssue[]>>}
   */
  #tries = new Map();

  /** @param {OpenSchema} schema */
  constructor(schema) {
    this.#schema = schema;
  }

  /**
   * @param {Schema} schema
   * @param {unknown} value
   * @param {PropertyKey[]} path
   */
  value(schema, value, path) {
    if (schema === true || this.issues.length >= MAX_ISSUES) return;
    if (schema === false) {
      this.#report(path, "isn't allowed");
      return;
    }
    // A keyword of OpenAPI, which Gemini's schemas have, too.
    if (value === null && schema.nullable === true) return;
    for (const [keyword, expected] of membersOf(schema)) {
      const message = Object.hasOwn(ASSERTIONS, keyword) && ASSERTIONS[keyword]?.(value, expected, this.#schema);
      if (message) this.#report(path, message);
    }
    this.#follow(schema.$ref, value, path);
    this.#combine(schema, value, path);
    if (Array.isArray(value)) this.#items(schema, value, path);
    else if (isObject(value)) this.#members(schema, value, path);
  }

  /**
   * @param {PropertyKey[]} path
   * @param {string} message
   */
  #report(path, message) {
    if (this.issues.length < MAX_ISSUES) this.issues.push({ path, message });
  }

  /**
   * @param {unknown} reference
   * @param {unknown} value
   * @param {PropertyKey[]} path
   */
  #follow(reference, value, path) {
    if (reference === undefined || this.#followed.has(reference)) return;
    this.#followed.add(reference);
    this.value(this.#schema.target(reference), value, path);
    this.#followed.delete(reference);
  }

  /**
   * Checks a value inside the current one.
   *
   * @param {unknown} schema
   * @param {unknown} value
   * @param {PropertyKey[]} path
   */
  #inner(schema, value, path) {
    const outer = this.#followed;
    this.#followed = new Set();
    this.value(/** @type {Schema} */ (schema), value, path);
    this.#followed = outer;
  }

  /**
   * Returns the issues of a value with another schema, without reporting them.
   *
   * @param {unknown} schema
   * @param {unknown} value
   */
  #tried(schema, value) {
    const tries = this.#tries.get(value) ?? new Map();
    const known = tries.get(schema);
    if (known !== undefined) return known;
    const check = new Check(this.#schema);
    check.#followed = new Set(this.#followed);
    check.#tries = this.#tries.set(value, tries);
    check.value(/** @type {Schema} */ (schema), value, []);
    tries.set(schema, check.issues);
    return check.issues;
  }

  /**
   * @param {{ [keyword: string]: unknown }} schema
   * @param {unknown} value
   * @param {PropertyKey[]} path
   */
  #combine({ allOf, anyOf, oneOf, not, if: condition, then, else: otherwise }, value, path) {
    for (const schema of listOf(allOf)) this.value(schema, value, path);
    if (anyOf !== undefined) this.#choose(listOf(anyOf), true, value, path);
    if (oneOf !== undefined) this.#choose(listOf(oneOf), false, value, path);
    if (not !== undefined && this.#tried(not, value).length === 0) this.#report(path, "matches a schema that it must not match");
    if (condition === undefined) return;
    const branch = this.#tried(condition, value).length === 0 ? then : otherwise;
    if (branch !== undefined) this.value(/** @type {Schema} */ (branch), value, path);
  }

  /**
   * @param {Schema[]} alternatives
   * @param {boolean} mayMatchSeveral
   * @param {unknown} value
   * @param {PropertyKey[]} path
   */
  #choose(alternatives, mayMatchSeveral, value, path) {
    const found = alternatives.map((schema) => this.#tried(schema, value));
    const matches = found.filter((issues) => issues.length === 0).length;
    if (matches === 1 || (matches > 1 && mayMatchSeveral)) return;
    if (matches > 1) {
      this.#report(path, `matches ${matches} of the alternatives, not exactly one`);
      return;
    }
    // The alternative that the value nearly matches describes best what is wrong.
    const [nearest = []] = [...found].sort((one, other) => depthOf(other) - depthOf(one) || one.length - other.length);
    const isOfOne = found.length === 1 || depthOf(nearest) > 0;
    if (isOfOne) for (const { path: rest, message } of nearest) this.#report([...path, ...rest], message);
    else this.#report(path, [...new Set(found.flat().map(({ message }) => message))].join(", or "));
  }

  /**
   * @param {{ [keyword: string]: unknown }} schema
   * @param {unknown[]} list
   * @param {PropertyKey[]} path
   */
  #items({ prefixItems, items, additionalItems, contains, minContains = 1, maxContains = Infinity }, list, path) {
    const first = Array.isArray(items) ? items : listOf(prefixItems);
    const rest = Array.isArray(items) ? additionalItems : items;
    for (const [index, item] of list.entries()) {
      const schema = index < first.length ? first[index] : rest;
      if (schema !== undefined) this.#inner(schema, item, [...path, index]);
      if (this.issues.length >= MAX_ISSUES) return;
    }
    if (contains === undefined) return;
    const count = list.filter((item) => this.#tried(contains, item).length === 0).length;
    const [least, most] = [Number(minContains), Number(maxContains)];
    if (count < least || count > most) this.#report(path, `has ${count} of the items that it must contain`);
  }

  /**
   * @param {{ [keyword: string]: unknown }} schema
   * @param {{ [name: string]: unknown }} object
   * @param {PropertyKey[]} path
   */
  #members({ properties, patternProperties, additionalProperties, propertyNames, dependentSchemas }, object, path) {
    const known = new Map(membersOf(properties));
    const patterns = membersOf(patternProperties);
    for (const [name, value] of Object.entries(object)) {
      const place = [...path, name];
      const matching = patterns.filter(([pattern]) => this.#schema.expression(pattern).test(name));
      if (known.has(name)) this.#inner(known.get(name), value, place);
      for (const [, schema] of matching) this.#inner(schema, value, place);
      if (propertyNames !== undefined && this.#tried(propertyNames, name).length > 0) this.#report(place, "has an invalid name");
      const isOther = matching.length === 0 && !known.has(name);
      if (isOther && additionalProperties === false)
        this.#report(place, `isn't a property; properties: ${[...known.keys()].join(", ")}`);
      else if (isOther && additionalProperties !== undefined) this.#inner(additionalProperties, value, place);
      if (this.issues.length >= MAX_ISSUES) return;
    }
    for (const [name, schema] of membersOf(dependentSchemas)) {
      if (Object.hasOwn(object, name)) this.value(/** @type {Schema} */ (schema), object, path);
    }
  }
}

/** @type {(list: unknown) => Schema[]} */
const listOf = (list) => (Array.isArray(list) ? list : []);

/** Returns the depth of the deepest issue inside a value. @param {OutputIssue[]} issues */
const depthOf = (issues) => Math.max(0, ...issues.map(({ path }) => path.length));
