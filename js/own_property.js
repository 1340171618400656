/**
 * Sets an own property, whatever its key: assigning to `__proto__` would set the prototype instead.
 *
 * @param {object} object
 * @param {PropertyKey} key
 * @param {unknown} value
 */
export function setOwn(object, key, value) {
  const members = /** @type {Record<PropertyKey, unknown>} */ (object);
  if (key === "__proto__") Object.defineProperty(members, key, { value, writable: true, enumerable: true, configurable: true });
  else members[key] = value;
}
