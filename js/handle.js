import { RespoolError, messageOf } from "./errors.js";

/** An object of the module, which is there until it is freed, once. */
export class Handle {
  #inner;
  #owner;

  constructor(inner, owner) {
    this.#inner = inner;
    this.#owner = owner;
  }

  /** The object in the module. */
  get inner() {
    if (this.#inner) return this.#inner;
    throw new RespoolError("stream-finished", `this ${this.#owner} was disposed; make a new one`);
  }

  free() {
    this.#inner?.free();
    this.#inner = undefined;
  }
}

/** Makes a class with `free()` work with `using`, where there is such a thing. */
export function makeDisposable(Class) {
  if (Symbol.dispose) Object.defineProperty(Class.prototype, Symbol.dispose, { value: Class.prototype.free });
}

const INSPECT = Symbol.for("nodejs.util.inspect.custom");

/** Makes Node, Deno and Bun show an object of a class by what `summarise` says of it, and the name of the class. */
export function makeInspectable(Class, summarise) {
  const value = function (depth, options, inspect) {
    if (depth < 0) return `[${Class.name}]`;
    const inner = { ...options, depth: options.depth === null ? null : options.depth - 1 };
    return `${Class.name} ${inspect(summaryOf(this), inner)}`;
  };
  const summaryOf = (object) => {
    try {
      return summarise(object);
    } catch (error) {
      return { error: messageOf(error) }; // it was freed, or is in use by the call that shows it
    }
  };
  Object.defineProperty(Class.prototype, INSPECT, { value });
}
