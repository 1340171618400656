/**
 * Sets an own property, whatever its name: assigning to `__proto__` would set the prototype instead.
 *
 * @param {object} object
 * @param {PropertyKey} key
 * @param {unknown} value
 */
export function setOwn(object, key, value) {
  if (key === "__proto__") Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  /** @type {Record<PropertyKey, unknown>} */ else (object)[key] = value;
}
