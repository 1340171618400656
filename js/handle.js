import { RespoolError, messageOf } from "./errors.js";

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

  /** The object in the module. Throws once it is freed. */
  get inner() {
    this.requireOpen();
    return /** @type {Inner} */ (this.#inner);
  }

  /** Throws once the object is freed. */
  requireOpen() {
    if (!this.#inner) throw new RespoolError("stream-finished", `This ${this.#owner} was freed: create a new one`);
  }

  /** Frees the object, and owns another one instead. @param {Inner} inner */
  replace(inner) {
    this.free();
    this.#inner = inner;
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

const INSPECT = Symbol.for("nodejs.util.inspect.custom");

/**
 * Makes Node, Deno and Bun show the objects of a class as its name and a summary.
 *
 * @template T
 * @param {abstract new (...args: never[]) => T} Class
 * @param {(object: T) => object} summarise
 */
export function makeInspectable(Class, summarise) {
  /**
   * @this {T}
   * @param {number} depth
   * @param {{ depth: number | null }} options
   * @param {(value: unknown, options: object) => string} inspect
   */
  const value = function (depth, options, inspect) {
    if (depth < 0) return `[${Class.name}]`;
    const inner = { ...options, depth: options.depth === null ? null : options.depth - 1 };
    return `${Class.name} ${inspect(summaryOf(this), inner)}`;
  };
  const summaryOf = (/** @type {T} */ object) => {
    try {
      return summarise(object);
    } catch (error) {
      return { error: messageOf(error) }; // the object was freed, or is in use by the call that shows it
    }
  };
  Object.defineProperty(Class.prototype, INSPECT, { value });
}
