// Pseudorandom numbers, the same in each run: mulberry32.

/** A generator with a seed. */
export class Random {
  #state;

  /** @param {number} seed */
  constructor(seed) {
    this.#state = seed >>> 0;
  }

  /** Returns a number from 0 up to, but not including, 1. */
  fraction() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Returns an integer from `least` to `most`, both included. @param {number} least @param {number} most */
  integer(least, most) {
    return least + Math.floor(this.fraction() * (most - least + 1));
  }

  /** Returns an element of a list. @template T @param {ArrayLike<T>} list @returns {T} */
  pick(list) {
    return list[this.integer(0, list.length - 1)];
  }

  /** Returns letters and digits, as in an identifier. @param {number} length */
  letters(length) {
    let letters = "";
    while (letters.length < length) letters += this.pick("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789");
    return letters;
  }
}
