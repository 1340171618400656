/**
 * Results of a stream. A long text is in several places of one, and only grows from one to the next: the module tells
 * once what came since the last result, and what is known of the text stays here. See `snapshot_changes` in
 * src/stream.rs.
 */

import { put } from "./own_member.js";

/** Shorter texts are told each time. In bytes. */
const LONG = 256;

/** What the marks of texts begin with: no model can know it. */
const NONCE = `respool:${Math.random().toString(36).slice(2)}${Math.random().toString(36).slice(2)}:`;

export class Results {
  #texts = [];
  /** What the texts of tool calls say that are over, by number. */
  #values = [];
  #isLast = false;

  /** What the accumulator knows now. `isLast`: nothing in it is shared with other results, or within itself. */
  take(accumulator, isLast) {
    const [result, ...tails] = accumulator.result(NONCE, LONG);
    for (let at = 0; at < tails.length; at += 2) {
      const number = tails[at];
      this.#texts[number] = (this.#texts[number] ?? "") + tails[at + 1];
      this.#values[number] = undefined;
    }
    this.#isLast = isLast;
    if (this.#texts.length > 0) this.#restore(result);
    return result;
  }

  /** Puts the texts in the places of their marks. */
  #restore(object) {
    for (const key of Object.keys(object)) {
      const member = object[key];
      if (typeof member === "string") {
        if (member.length < NONCE.length || !member.includes(NONCE)) continue;
        put(object, key, this.#restoreText(member));
      } else if (typeof member === "object" && member !== null) this.#restore(member);
    }
  }

  #restoreText(text) {
    const [before, ...marks] = text.split(NONCE);
    if (marks[0].startsWith("!")) return this.#valueOf(Number.parseInt(marks[0].slice(1), 10));
    let whole = before;
    for (const mark of marks) {
      const end = mark.indexOf(";");
      whole += this.#texts[Number(mark.slice(0, end))] + mark.slice(end + 1);
    }
    return whole;
  }

  #valueOf(number) {
    const text = this.#texts[number];
    if (this.#isLast) return JSON.parse(text);
    this.#values[number] ??= { value: JSON.parse(text) };
    return this.#values[number].value;
  }
}
