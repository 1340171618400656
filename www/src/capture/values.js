// Values of unknown shape: parsed JSON and caught errors.

/** @param {string} text @returns {unknown} undefined if the text isn't valid JSON */
export function parseJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @param {unknown} value @returns {Record<string, unknown>} the object, or an empty one for anything else */
export function asObject(value) {
  return isObject(value) ? value : {};
}

/** @param {unknown} value @returns {unknown[]} the array, or an empty one for anything else */
export function asArray(value) {
  return Array.isArray(value) ? value : [];
}

/** @param {unknown} value @returns {value is Record<string, unknown>} */
export function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** @param {unknown} value */
export function asString(value) {
  return typeof value === "string" ? value : undefined;
}

/** @param {unknown} value */
export function asNumber(value) {
  return typeof value === "number" ? value : undefined;
}

/** @param {unknown} error */
export function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}
