/** The member names that the module asks for: constants of the program, identified by their addresses. */

import { readText, words } from "./memory.js";

/**
 * The names that the module has used, by address. If several names have the same address, only the first is cached.
 *
 * @type {Map<number, string>}
 */
const names = new Map();
/** @type {Map<number, Set<string>>} */
const nameSets = new Map();

/** Clears the caches: another instance has other addresses. */
export function forgetNames() {
  names.clear();
  nameSets.clear();
}

/** @type {(address: number, length: number) => number} */
const keyOf = (address, length) => address + length * 2 ** 32;

/**
 * Returns the name at an address. All names are ASCII, so their length in characters is that in bytes.
 *
 * @param {number} address
 * @param {number} length
 * @returns {string}
 */
export function nameAt(address, length) {
  const known = names.get(address);
  if (known !== undefined && known.length === length) return known;
  // Engines look up an interned key faster than another string with the same characters.
  const [name = ""] = Object.keys({ [readText(address, length)]: 0 });
  if (known === undefined) names.set(address, name);
  return name;
}

/**
 * Returns the names of a list in memory: pairs of an address and a length, 32 bits each.
 *
 * @param {number} address
 * @param {number} count
 */
export function nameSetAt(address, count) {
  const key = keyOf(address, count);
  let set = nameSets.get(key);
  if (set === undefined) {
    const [pairs, first] = [words(), address / 4];
    set = new Set(
      Array.from({ length: count }, (_, at) => nameAt(Number(pairs[first + at * 2]), Number(pairs[first + at * 2 + 1]))),
    );
    nameSets.set(key, set);
  }
  return set;
}
