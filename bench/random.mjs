// Numbers that look random and are the same in each run: mulberry32.

/** A generator of its own for each seed. */
export class Random {
  #state;

  constructor(seed) {
    this.#state = seed >>> 0;
  }

  /** A number from 0 up to, but not including, 1. */
  fraction() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from `least` to `most`, both included. */
  integer(least, most) {
    return least + Math.floor(this.fraction() * (most - least + 1));
  }

  /** One of a list. */
  pick(list) {
    return list[this.integer(0, list.length - 1)];
  }

  /** Letters and digits, as identifiers have them. */
  letters(length) {
    let letters = "";
    while (letters.length < length) letters += this.pick("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789");
    return letters;
  }
}
