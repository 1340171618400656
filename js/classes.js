import { Accumulator, SseReader } from "../pkg/wasm/respool.js";
import { RespoolError, messageOf } from "./errors.js";

/** An object of the module, which is there until it is freed, once. */
class Handle {
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

export class StreamAccumulator {
  #handle;

  constructor(options) {
    this.#handle = new Handle(new Accumulator(options), "StreamAccumulator");
  }

  push(chunk) {
    return this.#handle.inner.push(chunk);
  }

  pushBytes(bytes) {
    return this.#handle.inner.pushBytes(bytes);
  }

  finish() {
    return this.#handle.inner.finish();
  }

  abort(reason) {
    return this.#handle.inner.abort(reason === undefined ? undefined : messageOf(reason));
  }

  snapshot() {
    return this.#handle.inner.snapshot();
  }

  takeDeltas() {
    return this.#handle.inner.takeDeltas();
  }

  free() {
    this.#handle.free();
  }
}

export class SseDecoder {
  #handle = new Handle(new SseReader(), "SseDecoder");

  push(bytes) {
    return this.#handle.inner.push(bytes);
  }

  finish() {
    return this.#handle.inner.finish();
  }

  free() {
    this.#handle.free();
  }
}

if (Symbol.dispose) {
  for (const Class of [StreamAccumulator, SseDecoder]) {
    Object.defineProperty(Class.prototype, Symbol.dispose, { value: Class.prototype.free });
  }
}
