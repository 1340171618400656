/** What the WebAssembly module asks JavaScript to do. Called by the module only. */

import { CLASSES } from "./errors.js";
import { RAW_JSON } from "./raw_json.js";

export function createError(className, code, message, providerType, providerCode) {
  return new CLASSES[className](code, message, { providerType, providerCode });
}

/** Names that the module asks for, by where they are in its memory. They are text of the program, and stay. */
const names = new Map();
const nameSets = new Map();
const decoder = new TextDecoder();
let memory;

export function setMemory(ofModule) {
  memory = ofModule;
  names.clear();
  nameSets.clear();
}

const place = (address, length) => address + length * 2 ** 32;

function nameAt(address, length) {
  const key = place(address, length);
  let name = names.get(key);
  if (name === undefined) {
    name = decoder.decode(new Uint8Array(memory.buffer, address, length));
    names.set(key, name);
  }
  return name;
}

/** A list of names is pairs of address and length, 32 bits each. */
function nameSetAt(address, count) {
  const key = place(address, count);
  let set = nameSets.get(key);
  if (set === undefined) {
    const pairs = new Uint32Array(memory.buffer, address, count * 2);
    set = new Set(Array.from({ length: count }, (_, at) => nameAt(pairs[at * 2], pairs[at * 2 + 1])));
    nameSets.set(key, set);
  }
  return set;
}

/** What a value is, in the numbers of the module. */
export function kind(value) {
  switch (typeof value) {
    case "boolean":
      return 1;
    case "number":
    case "bigint":
      return 2;
    case "string":
      return 3;
    case "object":
      return value === null ? 0 : isList(value) ? 4 : 5;
    default:
      return 0;
  }
}

/** A proxy that was revoked throws at every question. */
function isList(object) {
  try {
    return Array.isArray(object) || (ArrayBuffer.isView(object) && !(object instanceof DataView));
  } catch {
    return false;
  }
}

export function item(array, position) {
  return position < array.length ? (array[position] ?? null) : undefined;
}

/** JSON has no big integers: they are written as strings, so that no digit is lost. */
export function stringify(value) {
  return JSON.stringify(value, (_, member) => (typeof member === "bigint" ? String(member) : member));
}

export function member(object, address, length) {
  return object[nameAt(address, length)];
}

/** Members whose names are not known, as a flat list; undefined where there are none, as mostly. */
export function otherMembers(object, address, count) {
  const known = nameSetAt(address, count);
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
