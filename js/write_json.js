/** Writes the values of callers, which may not be plain JSON, as JSON. */

import { base64Of } from "./base64.js";
import { bytesOf, sizeOf } from "./input.js";

/** Maximum number of array items, more than any text body can have. A sparse array may claim to have four billion. */
const MAX_ITEMS = 2 ** 26;

/** Maximum number of levels. Deeper values can't be written in results, even if engines can parse them. */
const MAX_LEVELS = 4000;

/** @param {unknown} value @throws what `JSON.stringify` throws */
export const writeJson = (value) => JSON.stringify(value, toJson);

/**
 * Returns bytes as base64, as in the JSON of services whose SDKs return bytes; undefined for anything else.
 *
 * @param {unknown} value
 */
export function base64In(value) {
  const bytes = sizeOf(value) === undefined ? undefined : bytesOf(value);
  return bytes && base64Of(bytes);
}

/**
 * Converts a BigInt, which JSON lacks, to a string, so that no digit is lost. Bytes become base64.
 *
 * @this {Record<string, unknown>}
 * @param {string} name
 * @param {unknown} value
 */
function toJson(name, value) {
  if (Array.isArray(value) && value.length > MAX_ITEMS) throw new Error(`an array of ${value.length} items`);
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object") return value;
  return base64In(this[name]) ?? value; // a Buffer has already been converted by its own toJSON
}

/** @typedef {{ object: Record<string, unknown>, names: string[], at: number, isEmpty: boolean }} OpenObject */
/** @typedef {{ items: unknown[], at: number }} OpenArray */

/**
 * Writes a value that `JSON.stringify` rejects, without the members that throw or form cycles.
 *
 * @param {unknown} value
 * @returns {string | undefined}
 * @throws {RangeError} if it nests too deeply
 */
export function writeReadableJson(value) {
  const writer = new ReadableWriter();
  if (!writer.write("", value)) return undefined;
  while (writer.writeNext());
  return writer.json;
}

class ReadableWriter {
  json = "";
  /**
   * The containers being written, the innermost last.
   *
   * @type {(OpenObject | OpenArray)[]}
   */
  #open = [];
  /**
   * The containers written so far. Each is written once, so that the time doesn't explode.
   *
   * @type {Set<unknown>}
   */
  #seen = new Set();
  /** Whether `JSON.stringify` has failed at the depth of a value: trying it at each level would take quadratic time. */
  #isDeep = false;

  /**
   * Writes a value, or the start of one. Returns whether there was anything to write.
   *
   * @param {string} before text before the value
   * @param {unknown} value
   */
  write(before, value) {
    // Instances of other classes, such as sockets, aren't data.
    const isData = this.#open.length === 0 || Array.isArray(value) || isPlainObject(value);
    if (!this.#isDeep || !isData) {
      try {
        const json = writeJson(value);
        if (json !== undefined) this.json += before + json;
        return json !== undefined;
      } catch (error) {
        this.#isDeep ||= isTooDeep(error);
      }
    }
    if (!isData || this.#seen.has(value)) return false;
    if (this.#open.length >= MAX_LEVELS) throw new RangeError(`more than ${MAX_LEVELS} levels`);
    this.#seen.add(value);
    if (Array.isArray(value)) {
      if (value.length > MAX_ITEMS) return false;
      this.#open.push({ items: value, at: 0 });
      this.json += `${before}[`;
    } else {
      const object = /** @type {Record<string, unknown>} */ (value);
      this.#open.push({ object, names: Object.keys(object), at: 0, isEmpty: true });
      this.json += `${before}{`;
    }
    return true;
  }

  /** Writes the next member or item, or the end. Returns whether anything is left. */
  writeNext() {
    const last = this.#open.at(-1);
    if (last === undefined) return false;
    const at = last.at++;
    if ("items" in last) this.#writeItem(last.items, at);
    else this.#writeMember(last, at);
    return true;
  }

  /** @param {unknown[]} items @param {number} at */
  #writeItem(items, at) {
    const before = at === 0 ? "" : ",";
    if (at >= items.length) this.#close("]");
    else if (!this.write(before, items[at])) this.json += `${before}null`;
  }

  /** @param {OpenObject} open @param {number} at */
  #writeMember(open, at) {
    const name = open.names[at];
    if (name === undefined) return this.#close("}");
    const before = `${open.isEmpty ? "" : ","}${JSON.stringify(name)}:`;
    if (this.write(before, readMember(open.object, name))) open.isEmpty = false;
  }

  /** @param {string} mark */
  #close(mark) {
    this.#open.pop();
    this.json += mark;
  }
}

/** Whether an engine ran out of stack: Firefox has its own error for it. @param {unknown} error */
const isTooDeep = (error) => error instanceof RangeError || (error instanceof Error && error.name === "InternalError");

/** @param {unknown} value */
function isPlainObject(value) {
  const prototype = typeof value === "object" && value !== null && Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

/**
 * @param {Record<string, unknown>} object
 * @param {string} name
 */
function readMember(object, name) {
  try {
    return object[name];
  } catch {
    return undefined;
  }
}
