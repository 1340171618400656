/** Resumes a stream: reduces the deltas that a client has missed to one start and one piece per part. */

/** @import { RequestDelta } from "./types/api.js" */

import { checked } from "./checked.js";
import { isSet, refuse, refuseValue } from "./read_option.js";

/**
 * Reads the deltas of the option `resume`.
 *
 * @type {(deltas: unknown) => RequestDelta[]}
 */
export const readResume = checked((deltas) => {
  if (!isSet(deltas)) return [];
  const isIterable = typeof deltas === "object" && Symbol.iterator in deltas;
  if (!isIterable) refuseValue("options.resume", "an iterable of deltas", deltas);
  const all = [.../** @type {Iterable<RequestDelta>} */ (deltas)];
  const at = all.findIndex((delta) => typeof delta?.type !== "string");
  if (at >= 0) refuse(`options.resume[${at}] must be a delta, an object with a type`);
  return all;
}, "options.resume");

/**
 * Returns the part of an item and the text that the item adds to it; undefined if the item adds no text.
 *
 * @template Item
 * @typedef {(item: Item) => { part: string, text: string, withText: (text: string) => Item } | undefined} ReadPiece
 */

/**
 * Joins all pieces of a part into the first one.
 *
 * @template Item
 * @param {readonly Item[]} items
 * @param {ReadPiece<Item>} readPiece
 * @returns {Item[]}
 */
export function joinPieces(items, readPiece) {
  /** @type {Map<string, { texts: string[], withText: (text: string) => Item }>} */
  const parts = new Map();
  /** Functions that return an item once all pieces are known. */
  const makers = items.flatMap(
    /** @returns {(() => Item)[]} */ (item) => {
      const piece = readPiece(item);
      if (piece === undefined) return [() => item];
      const known = parts.get(piece.part);
      if (known) {
        known.texts.push(piece.text);
        return [];
      }
      const joined = { texts: [piece.text], withText: piece.withText };
      parts.set(piece.part, joined);
      return [() => joined.withText(joined.texts.join(""))];
    },
  );
  return makers.map((make) => make());
}
