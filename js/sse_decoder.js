import { SseReader } from "../pkg/wasm/respool.js";
import { Handle, makeDisposable } from "./handle.js";

export class SseDecoder {
  static get name() {
    return "SseDecoder";
  }

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

makeDisposable(SseDecoder);
