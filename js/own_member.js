/** Sets a member of the object's own, whatever it is named: an assignment to `__proto__` would set the prototype. */
export function put(object, key, value) {
  if (key === "__proto__") Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  else object[key] = value;
}
