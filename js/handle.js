import { RespoolError } from "./errors.js";

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
