/** What the WebAssembly module asks JavaScript to do. Called by the module only. */

import { CLASSES } from "./errors.js";
import { RAW_JSON } from "./raw_json.js";

export function createError(className, code, message, providerType, providerCode) {
  return new CLASSES[className](code, message, { providerType, providerCode });
}

/** Members whose names are not known, as a flat list; undefined where there are none, as mostly. */
export function otherMembers(object, known) {
  let others;
  for (const name of Object.keys(object)) {
    if (!known.has(name)) {
      const value = object[name];
      if (value !== undefined) (others ??= []).push(name, value);
    }
  }
  return others;
}

export function structured(json) {
  const value = JSON.parse(json);
  if (typeof value === "object" && value !== null) Object.defineProperty(value, RAW_JSON, { value: json });
  return value;
}

export function textDelta(type, text, choice) {
  return choice === 0 ? { type, text } : { type, text, choice };
}

export function toolCallDelta(index, id, fragment, choice) {
  const type = "tool-call-delta";
  return choice === 0 ? { type, index, id, arguments: fragment } : { type, index, id, arguments: fragment, choice };
}
