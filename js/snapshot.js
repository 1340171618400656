/**
 * Snapshots of a stream, at a cost that is linear over all of them: long texts only ever grow, so what is known of them
 * stays here, and the module tells what came since. See `snapshot_changes` in src/stream.rs.
 */

/** Shorter texts are told each time. In bytes. */
const LONG = 256;

export class Snapshots {
  /** What marks begin with: no model can know it. */
  #nonce = `respool:${Math.random().toString(36).slice(2)}${Math.random().toString(36).slice(2)}:`;
  #texts = [];
  /** What the texts of tool calls say that are over, by number. */
  #values = [];

  take(accumulator) {
    const [result, tails] = JSON.parse(accumulator.snapshotChanges(this.#nonce, LONG));
    for (let at = 0; at < tails.length; at += 2) {
      const number = tails[at];
      this.#texts[number] = (this.#texts[number] ?? "") + tails[at + 1];
      this.#values[number] = undefined;
    }
    return this.#restore(result);
  }

  /** Puts the texts in the places of their marks. */
  #restore(value) {
    if (typeof value === "string") return value.includes(this.#nonce) ? this.#restoreText(value) : value;
    if (typeof value === "object" && value !== null) {
      for (const key of Object.keys(value)) {
        const member = value[key];
        if (typeof member !== "string" && typeof member !== "object") continue;
        const restored = this.#restore(member);
        // What JSON.parse has made are properties of the object's own, "__proto__" too.
        if (restored !== member) Object.defineProperty(value, key, { value: restored, writable: true, enumerable: true, configurable: true });
      }
    }
    return value;
  }

  #restoreText(text) {
    const [before, ...marks] = text.split(this.#nonce);
    if (marks[0].startsWith("!")) return this.#valueOf(Number.parseInt(marks[0].slice(1), 10));
    let whole = before;
    for (const mark of marks) {
      const end = mark.indexOf(";");
      whole += this.#texts[Number(mark.slice(0, end))] + mark.slice(end + 1);
    }
    return whole;
  }

  #valueOf(number) {
    this.#values[number] ??= { value: JSON.parse(this.#texts[number]) };
    return this.#values[number].value;
  }
}
