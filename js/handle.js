import { RespoolError } from "./errors.js";

/**
 * Owns an object of the module until it is freed, once.
 *
 * @template {{ free(): void }} Inner
 */
export class Handle {
  /** @type {Inner | undefined} */
  #inner;
  #owner;

  /**
   * @param {Inner} inner
   * @param {string} owner the name of the public class, for messages
   */
  constructor(inner, owner) {
    this.#inner = inner;
    this.#owner = owner;
  }

  /** The object in the module. */
  get inner() {
    if (this.#inner) return this.#inner;
    throw new RespoolError("stream-finished", `this ${this.#owner} was freed: create a new one`);
  }

  free() {
    this.#inner?.free();
    this.#inner = undefined;
  }
}

/**
 * Makes a class with `free()` work with `using`, if the runtime supports it.
 *
 * @param {new (...args: never[]) => { free(): void }} Class
 */
export function makeDisposable(Class) {
  if (Symbol.dispose) Object.defineProperty(Class.prototype, Symbol.dispose, { value: Class.prototype.free });
}
