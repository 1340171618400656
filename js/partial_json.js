/** JSON that is not whole yet. */

import { closePartial } from "../pkg/wasm/respool.js";
import { checked } from "./checked.js";
import { describe } from "./input.js";
import { refuse } from "./options.js";
import { put } from "./own_member.js";

/** What a value begins as. It will grow, which the delta must not. */
function begin({ value, done }) {
  if (done || typeof value !== "object" || value === null) return value;
  return Array.isArray(value) ? [] : {};
}

const nameOf = checked((index, choice) => `${choice}/${index}`, "the index");

/** `roots`: for each value an object whose member `value` it is, so that the outermost is a member like all others. */
const applyTo = checked((roots, delta) => {
  if (delta?.type !== "json") return false;
  const { index, choice = 0, path, value, append, done } = delta;
  const name = nameOf(index, choice);
  let parent = roots.get(name);
  if (parent === undefined) roots.set(name, (parent = { value: undefined, done: false }));
  if (done && path.length === 0) parent.done = true;
  let key = "value";
  for (const step of path) {
    parent = Object.hasOwn(parent, key) ? parent[key] : undefined;
    if (typeof parent !== "object" || parent === null) return false;
    key = step;
  }
  if (value !== undefined) put(parent, key, begin(delta));
  else if (append !== undefined && Object.hasOwn(parent, key)) put(parent, key, parent[key] + append);
  return true;
}, "the delta");

export class PartialJson {
  static get name() {
    return "PartialJson";
  }

  #roots = new Map();

  apply(delta) {
    return applyTo(this.#roots, delta);
  }

  get(index, choice = 0) {
    return this.#roots.get(nameOf(index, choice))?.value;
  }

  isDone(index, choice = 0) {
    return this.#roots.get(nameOf(index, choice))?.done ?? false;
  }
}

export function parsePartialJson(text) {
  if (typeof text !== "string") refuse(`parsePartialJson takes a string, not ${describe(text)}`);
  const [state, length, closing] = JSON.parse(closePartial(text));
  return { value: length === 0 ? undefined : JSON.parse(text.slice(0, length) + closing), state };
}
