/** Schemas in the form that providers require with `strict`: objects have no other properties than those listed. */

import { isObject } from "./schema.js";

/** Keywords whose value is a schema, or a list of schemas. */
const WITH_SCHEMAS = ["items", "prefixItems", "additionalProperties", "anyOf", "oneOf", "allOf"];
/** Keywords whose value is an object with a schema for each name. */
const WITH_NAMES = ["properties", "patternProperties", "$defs", "definitions"];

/**
 * Copies a schema, adding `additionalProperties: false` to every object schema that doesn't have the keyword.
 *
 * @template T
 * @param {T} schema
 * @returns {T}
 */
export function closed(schema) {
  if (!isObject(schema)) return schema;
  /** @type {Record<string, unknown>} */
  const copy = { ...schema };
  for (const keyword of WITH_SCHEMAS) {
    const inner = schema[keyword];
    if (Array.isArray(inner)) copy[keyword] = inner.map(closed);
    else if (isObject(inner)) copy[keyword] = closed(inner);
  }
  for (const keyword of WITH_NAMES) {
    const members = schema[keyword];
    if (isObject(members)) {
      copy[keyword] = Object.fromEntries(Object.entries(members).map(([name, inner]) => [name, closed(inner)]));
    }
  }
  if ([schema.type].flat().includes("object")) copy.additionalProperties ??= false;
  return /** @type {T} */ (copy);
}
