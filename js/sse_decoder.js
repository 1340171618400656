/** @import { Bytes, SseEvent } from "./types/api.js" */

import { SseReader } from "../pkg/wasm/respool.js";
import { Handle, makeDisposable } from "./handle.js";

export class SseDecoder {
  static get name() {
    return "SseDecoder";
  }

  #handle = new Handle(new SseReader(), "SseDecoder");

  /**
   * @param {Bytes} bytes
   * @returns {SseEvent[]}
   */
  push(bytes) {
    return this.#handle.inner.push(bytes);
  }

  /** @returns {SseEvent[]} */
  finish() {
    return this.#handle.inner.finish();
  }

  free() {
    this.#handle.free();
  }
}

makeDisposable(SseDecoder);
