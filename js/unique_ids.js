/** Makes the ids of calls unique: a server may count the calls of each answer from 0. */

export class UniqueIds {
  #separator;
  /** @type {Set<string>} */
  #taken = new Set();
  /**
   * The last number appended to each repeated id. A search from 2 on would take longer with each repetition.
   *
   * @type {Map<string, number>}
   */
  #numbers = new Map();

  /** @param {string} separator what separates a number from the id */
  constructor(separator) {
    this.#separator = separator;
  }

  /** @param {string} id */
  add(id) {
    this.#taken.add(id);
  }

  /** @param {string} id */
  has(id) {
    return this.#taken.has(id);
  }

  /**
   * Adds an id, with a number if it is taken. Returns the added one.
   *
   * @param {string} id
   */
  take(id) {
    const unique = this.has(id) ? this.numbered(id) : id;
    this.add(unique);
    return unique;
  }

  /**
   * Returns an id with the lowest number, from 2 on, with which it isn't taken.
   *
   * @param {string} id
   * @param {ReadonlySet<string>} [others] further ids that are taken
   */
  numbered(id, others) {
    let number = this.#numbers.get(id) ?? 2;
    const write = () => `${id}${this.#separator}${number}`;
    while (this.has(write()) || others?.has(write())) number++;
    this.#numbers.set(id, number);
    return write();
  }
}
