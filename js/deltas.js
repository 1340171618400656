/** Reads deltas from the module's memory: see src/wasm/deltas.rs for the layout. */

/** @import { Delta, JsonIndex } from "./types/api.js" */

import { outbox } from "../pkg/wasm/respool.js";
import { onFailure } from "./guard.js";
import { readUnits, words } from "./memory.js";
import { rememberUsage, usageLike } from "./usage.js";

/** @typedef {Extract<Delta, { type: "text" | "reasoning" | "refusal" | "tool-call-delta" }>} TextDelta a delta that appends text */
/** @typedef {"text" | "reasoning" | "refusal"} TextType */

/**
 * The types of text rows, by number.
 *
 * @type {TextType[]}
 */
const TYPES = ["text", "reasoning", "refusal"];
const TOOL_CALL_DELTA = 3;
const OTHER = 4;
const USAGE_PATTERN = 5;
const USAGE_NUMBERS = 6;
const JSON_DELTA = 7;
const ROW = 5;

/** Returned instead of a number of deltas: this plus a type stands for a single text delta of the first choice. */
const ONLY_TEXT = 0xfffffff0;

/**
 * Index of the outbox, the module's area for results, in words.
 *
 * @type {number | undefined}
 */
let outboxIndex;

onFailure(() => {
  outboxIndex = undefined;
});

/**
 * @param {TextType} type
 * @param {string} text
 * @param {number} choice
 * @returns {TextDelta}
 */
export function textDelta(type, text, choice) {
  return choice === 0 ? { type, text } : { type, text, choice };
}

/**
 * @param {number} index
 * @param {string} id
 * @param {string} fragment
 * @param {number} choice
 * @returns {TextDelta}
 */
export function toolCallDelta(index, id, fragment, choice) {
  const type = /** @type {const} */ ("tool-call-delta");
  return choice === 0 ? { type, index, id, arguments: fragment } : { type, index, id, arguments: fragment, choice };
}

/**
 * Returns the module's number of a delta's type.
 *
 * @param {TextDelta | undefined} delta
 */
export function kindOf(delta) {
  if (delta === undefined) return OTHER;
  return delta.type === "tool-call-delta" ? TOOL_CALL_DELTA : TYPES.indexOf(delta.type);
}

/** Reads the ids and texts of all deltas, concatenated. */
function takeText() {
  outboxIndex ??= outbox() / 4;
  const memory = words();
  return readUnits(
    word(memory, outboxIndex),
    word(memory, outboxIndex + 1),
    word(memory, outboxIndex + 2),
    word(memory, outboxIndex + 3),
    word(memory, outboxIndex + 4),
  );
}

/**
 * Reads a word of the module's memory, which always contains the index.
 *
 * @type {(memory: Uint32Array, index: number) => number}
 */
const word = (memory, index) => /** @type {number} */ (memory[index]);

/**
 * Reads the deltas in the outbox.
 *
 * @param {number} count
 * @returns {Delta[]}
 */
export function takeDeltas(count) {
  if (count === 0) return [];
  const text = takeText();
  // Most reads produce only one text delta.
  if (count >= ONLY_TEXT) return [{ type: /** @type {TextType} */ (TYPES[count - ONLY_TEXT]), text }];
  const memory = words();
  let row = word(memory, /** @type {number} */ (outboxIndex) + 5) / 4;
  const numbers = row + count * ROW;
  const deltas = new Array(count);
  let at = 0;
  for (let nth = 0; nth < count; nth++, row += ROW) {
    const end = at + word(memory, row + 3) + word(memory, row + 4);
    deltas[nth] = deltaOf(memory, row, numbers, text, at, end);
    at = end;
  }
  return deltas;
}

/**
 * @param {Uint32Array} memory
 * @param {number} row index of the row's first word
 * @param {number} numbers index of the first word after all rows
 * @param {string} all ids and texts of all rows
 * @param {number} start offset of this row's id and text
 * @param {number} end
 * @returns {Delta}
 */
function deltaOf(memory, row, numbers, all, start, end) {
  const type = word(memory, row);
  const choice = word(memory, row + 1);
  if (type === USAGE_NUMBERS) return usageLike(choice, memory, numbers + word(memory, row + 2));
  if (type < TYPES.length) return textDelta(/** @type {TextType} */ (TYPES[type]), all.slice(start, end), choice);
  const middle = start + word(memory, row + 3);
  const text = all.slice(middle, end);
  if (type === OTHER) return JSON.parse(text);
  if (type === USAGE_PATTERN) return rememberUsage(choice, text);
  const id = all.slice(start, middle);
  const index = word(memory, row + 2);
  return type === TOOL_CALL_DELTA
    ? toolCallDelta(index, id, text, choice)
    : jsonDelta(type - JSON_DELTA, choice, index, id, text);
}

/**
 * The path of the last `json` delta, which most of the next ones share.
 *
 * @type {{ json: string, path: (string | number)[] }}
 */
let last = { json: "[]", path: [] };

/**
 * @param {number} bits 1: the value is done, 2: the text is a value, 4: the text is to be appended
 * @param {number} choice
 * @param {number} index
 * @param {string} json the path
 * @param {string} text
 * @returns {Delta}
 */
function jsonDelta(bits, choice, index, json, text) {
  if (last.json !== json) last = { json, path: JSON.parse(json) };
  /** @type {Partial<Extract<Delta, { type: "json" }>>} */
  const delta = {
    type: "json",
    index: /** @type {JsonIndex} */ (index === 0xffffffff ? "text" : index),
    path: last.path.slice(),
  };
  if (bits & 2) delta.value = parseSmall(text);
  else if (bits & 4) delta.append = text;
  delta.done = (bits & 1) === 1;
  if (choice !== 0) delta.choice = choice;
  return /** @type {Delta} */ (delta);
}

/**
 * Parses JSON, with a shortcut for the most frequent values.
 *
 * @param {string} json
 */
function parseSmall(json) {
  if (json === "{}") return {};
  if (json === "[]") return [];
  return json.startsWith('"') && !json.includes("\\") ? json.slice(1, -1) : JSON.parse(json);
}
