/**
 * Schemas that the validator supports: draft 2020-12 and 7, with references inside the schema. Anything else is
 * rejected when a schema is opened, so that no keyword is silently ignored.
 */

import { refuse, refuseValue } from "../read_option.js";

/** @typedef {boolean | { [keyword: string]: unknown }} Schema */

/** Keywords whose value is a schema. */
const WITH_SCHEMA = ["additionalProperties", "propertyNames", "contains", "additionalItems", "not", "if", "then", "else"];
/** Keywords whose value is a list of schemas. */
const WITH_LIST = ["allOf", "anyOf", "oneOf", "prefixItems"];
/** Keywords whose value is an object with a schema for each name. */
const WITH_NAMES = ["properties", "patternProperties", "dependentSchemas", "$defs", "definitions"];
/** Keywords that affect which values are valid, but that the validator doesn't support. */
const UNSUPPORTED = ["$dynamicRef", "$recursiveRef", "unevaluatedItems", "unevaluatedProperties", "dependencies"];

const TYPES = ["string", "number", "integer", "boolean", "null", "array", "object"];

/** @type {(value: unknown) => boolean} */
const isType = (value) => /** @type {string[]} */ ([value].flat()).every((type) => TYPES.includes(type));
/** @type {(value: unknown) => boolean} */
const areNames = (value) => Array.isArray(value) && value.every((name) => typeof name === "string");
/** @type {(value: unknown) => boolean} */
const isCount = (value) => typeof value === "number" && value >= 0;
/** @type {(value: unknown) => boolean} */
const isNumber = (value) => typeof value === "number";

/**
 * The types that the values of keywords must have.
 *
 * @type {[keywords: string[], expected: string, isValid: (value: unknown) => boolean][]}
 */
const KINDS = [
  [["type"], `one of ${TYPES.join(", ")}, or a list of them`, isType],
  [["enum"], "a list", Array.isArray],
  [["required"], "a list of names", areNames],
  [
    ["dependentRequired"],
    "an object with lists of names",
    (value) => isObject(value) && membersOf(value).every(([, names]) => areNames(names)),
  ],
  [["pattern"], "a string", (value) => typeof value === "string"],
  [["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"], "a number", isNumber],
  [["multipleOf"], "a number above 0", (value) => typeof value === "number" && value > 0],
  [["minLength", "maxLength", "minItems", "maxItems"], "a number, 0 or more", isCount],
  [["minProperties", "maxProperties", "minContains", "maxContains"], "a number, 0 or more", isCount],
];

/**
 * @param {unknown} value
 * @returns {value is { [keyword: string]: unknown }}
 */
export const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Returns an object's members as JSON has them: those that are `undefined` are left out.
 *
 * @param {unknown} value
 */
export const membersOf = (value) => Object.entries(isObject(value) ? value : {}).filter(([, member]) => member !== undefined);

/** A schema whose references and patterns are valid. */
export class OpenSchema {
  /** @type {Schema} */
  root;
  /** @type {Map<unknown, Schema>} */
  #targets = new Map();
  /** @type {Map<string, RegExp>} */
  #patterns = new Map();

  /**
   * @param {Schema} root
   * @param {string} path path of the schema, for messages
   */
  constructor(root, path) {
    this.root = root;
    this.#open(root, path, new Set());
  }

  /**
   * Returns the schema that a reference points to.
   *
   * @param {unknown} reference
   */
  target(reference) {
    return /** @type {Schema} */ (this.#targets.get(reference));
  }

  /**
   * Returns the compiled expression of a pattern.
   *
   * @param {unknown} pattern
   */
  expression(pattern) {
    return /** @type {RegExp} */ (this.#patterns.get(/** @type {string} */ (pattern)));
  }

  /**
   * @param {unknown} schema
   * @param {string} path
   * @param {Set<unknown>} outer the enclosing schemas
   */
  #open(schema, path, outer) {
    if (typeof schema === "boolean") return;
    if (!isObject(schema)) refuse(`${path} must be a JSON Schema: an object or a boolean`);
    if (outer.has(schema)) refuse(`${path} contains itself; use $ref, which can be sent to a model`);
    const inside = new Set(outer).add(schema);
    for (const keyword of UNSUPPORTED) {
      if (schema[keyword] !== undefined) refuse(`${path}.${keyword} isn't supported; validate it with a Standard Schema`);
    }
    for (const [keywords, expected, isValid] of KINDS) {
      for (const keyword of keywords) {
        const value = schema[keyword];
        if (value !== undefined && !isValid(value)) refuseValue(`${path}.${keyword}`, expected, value);
      }
    }
    if (schema.$ref !== undefined && !this.#targets.has(schema.$ref)) this.#resolve(schema.$ref, path);
    if (typeof schema.pattern === "string") this.#compile(schema.pattern, `${path}.pattern`);
    for (const [pattern] of membersOf(schema.patternProperties)) this.#compile(pattern, `${path}.patternProperties`);
    for (const [inner, innerPath] of schemasIn(schema, path)) this.#open(inner, innerPath, inside);
  }

  /**
   * Resolves a reference: to the whole schema (`#`), or a part of it (`#/$defs/port`).
   *
   * @param {unknown} reference
   * @param {string} path
   */
  #resolve(reference, path) {
    if (typeof reference !== "string" || !/^#(\/|$)/.test(reference)) {
      refuse(`${path}.$ref must point into the same schema, for example "#/$defs/port", not ${JSON.stringify(reference)}`);
    }
    const steps = reference
      .split("/")
      .slice(1)
      .map((step) => decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~"));
    /** @type {unknown} */
    let target = this.root;
    for (const step of steps) {
      const isMember = typeof target === "object" && target !== null && Object.hasOwn(target, step);
      target = isMember ? /** @type {Record<string, unknown>} */ (target)[step] : undefined;
    }
    if (typeof target !== "boolean" && !isObject(target)) refuse(`${path}.$ref names nothing: ${JSON.stringify(reference)}`);
    this.#targets.set(reference, target);
    this.#open(target, reference, new Set());
  }

  /**
   * @param {string} pattern
   * @param {string} path
   */
  #compile(pattern, path) {
    try {
      this.#patterns.set(pattern, new RegExp(pattern, "u"));
    } catch {
      try {
        this.#patterns.set(pattern, new RegExp(pattern)); // with escapes that are invalid in Unicode mode
      } catch (error) {
        refuse(`${path} must be a regular expression: ${/** @type {Error} */ (error).message}`);
      }
    }
  }
}

/**
 * Returns the schemas directly inside a schema, with their paths.
 *
 * @param {{ [keyword: string]: unknown }} schema
 * @param {string} path
 * @returns {[schema: unknown, path: string][]}
 */
function schemasIn(schema, path) {
  /** @type {[unknown, string][]} */
  const found = [];
  for (const keyword of WITH_SCHEMA) {
    if (schema[keyword] !== undefined) found.push([schema[keyword], `${path}.${keyword}`]);
  }
  const { items } = schema;
  const lists = [...WITH_LIST.map((keyword) => /** @type {const} */ ([keyword, schema[keyword]])), ["items", items]];
  for (const [keyword, list] of lists) {
    if (Array.isArray(list)) for (const [index, inner] of list.entries()) found.push([inner, `${path}.${keyword}[${index}]`]);
    else if (keyword === "items" && items !== undefined) found.push([items, `${path}.items`]);
    else if (list !== undefined) refuse(`${path}.${keyword} must be a list of schemas`);
  }
  for (const keyword of WITH_NAMES) {
    const members = schema[keyword];
    if (members !== undefined && !isObject(members)) refuse(`${path}.${keyword} must be an object with schemas`);
    for (const [name, inner] of membersOf(members)) found.push([inner, `${path}.${keyword}.${name}`]);
  }
  return found;
}
