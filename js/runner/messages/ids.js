/** Finds and replaces call ids in messages of any interface. */

import { isObject } from "./response.js";

/** Fields that contain calls or results. */
const INSIDE = new Set(["tool_calls", "content", "parts", "toolUse", "toolResult", "functionCall", "functionResponse"]);

/** Fields with the id of a call. Items and steps have other ids, too, which never equal those of calls. */
const IDS = new Set(["id", "call_id", "tool_call_id", "tool_use_id", "toolUseId"]);

/**
 * Renames the call ids in a message. Arguments and results aren't searched, because their fields belong to the tool.
 *
 * @template T
 * @param {T} value
 * @param {(id: string) => string} rename
 * @returns {T}
 */
export function withCallIds(value, rename) {
  return /** @type {T} */ (renamed(value, rename));
}

/**
 * @param {unknown} value
 * @param {(id: string) => string} rename
 * @returns {unknown}
 */
function renamed(value, rename) {
  if (Array.isArray(value)) return value.map((item) => renamed(item, rename));
  if (!isObject(value)) return value;
  const isResult = Object.keys(value).some((name) => IDS.has(name) && name !== "id");
  const entries = Object.entries(value).map(([name, member]) => {
    if (IDS.has(name) && typeof member === "string") return [name, rename(member)];
    const isSearched = INSIDE.has(name) && !(isResult && name === "content");
    return [name, isSearched ? renamed(member, rename) : member];
  });
  return Object.fromEntries(entries);
}

/**
 * Returns the call ids in a message of the caller, which may be any value.
 *
 * @param {unknown} message
 */
export function callIdsIn(message) {
  /** @type {string[]} */
  const ids = [];
  try {
    withCallIds(message, (id) => {
      ids.push(id);
      return id;
    });
  } catch {
    // A proxy, or a getter that throws.
  }
  return ids;
}
