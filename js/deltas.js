/** Deltas, out of the memory in which the WebAssembly module tells them: see src/wasm/deltas.rs. */

import { outbox } from "../pkg/wasm/respool.js";
import { onFailure } from "./guard.js";
import { readUnits, words } from "./memory.js";

/** What a row is. */
const TYPES = ["text", "reasoning", "refusal"];
const TOOL_CALL_DELTA = 3;
const OTHER = 4;
const JSON_DELTA = 5;
const ROW = 5;

/** In place of a number of deltas: there is one, of the first choice, which is nothing but text. Plus what it is. */
const ONLY_TEXT = 0xfffffff0;

let letter;

onFailure(() => (letter = undefined));

export function textDelta(type, text, choice) {
  return choice === 0 ? { type, text } : { type, text, choice };
}

export function toolCallDelta(index, id, fragment, choice) {
  const type = "tool-call-delta";
  return choice === 0 ? { type, index, id, arguments: fragment } : { type, index, id, arguments: fragment, choice };
}

/** The number of a type, as the module knows it; that of none where there is no delta. */
export function kindOf(delta) {
  if (delta === undefined) return OTHER;
  return delta.type === "tool-call-delta" ? TOOL_CALL_DELTA : TYPES.indexOf(delta.type);
}

/** The ids and texts of all deltas, one after the other. */
export function takeText() {
  letter ??= outbox() / 4;
  const memory = words();
  return readUnits(memory[letter], memory[letter + 1], memory[letter + 2], memory[letter + 3], memory[letter + 4]);
}

/** The deltas, as many as the module says that there are. */
export function takeDeltas(count) {
  if (count === 0) return [];
  const text = takeText();
  // Most reads bring nothing else.
  if (count >= ONLY_TEXT) return [{ type: TYPES[count - ONLY_TEXT], text }];
  const memory = words();
  let row = memory[letter + 5] / 4;
  const deltas = new Array(count);
  let at = 0;
  for (let nth = 0; nth < count; nth++, row += ROW) {
    const middle = at + memory[row + 3];
    const end = middle + memory[row + 4];
    deltas[nth] = deltaOf(memory, row, text.slice(at, middle), text.slice(middle, end));
    at = end;
  }
  return deltas;
}

function deltaOf(memory, row, id, text) {
  const type = memory[row];
  if (type < TYPES.length) return textDelta(TYPES[type], text, memory[row + 1]);
  if (type === TOOL_CALL_DELTA) return toolCallDelta(memory[row + 2], id, text, memory[row + 1]);
  if (type === OTHER) return JSON.parse(text);
  return jsonDelta(type - JSON_DELTA, memory[row + 1], memory[row + 2], id, text);
}

/** The path of the delta that was made last: mostly the next one has the same. */
let last = { json: "[]", path: [] };

/** `bits`: 1 it is done, 2 the text is a value, 4 the text is to be appended. */
function jsonDelta(bits, choice, index, json, text) {
  if (last.json !== json) last = { json, path: JSON.parse(json) };
  const delta = { type: "json", index: index === 0xffffffff ? "text" : index, path: last.path.slice() };
  if (bits & 2) delta.value = parseSmall(text);
  else if (bits & 4) delta.append = text;
  delta.done = (bits & 1) === 1;
  if (choice !== 0) delta.choice = choice;
  return delta;
}

/** JSON.parse, without what it takes to begin for what is most frequent. */
function parseSmall(json) {
  if (json === "{}") return {};
  if (json === "[]") return [];
  return json.startsWith('"') && !json.includes("\\") ? json.slice(1, -1) : JSON.parse(json);
}
