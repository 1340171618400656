/** @import { Bytes, SseEvent } from "./types/api.js" */

import { SseReader } from "../pkg/wasm/respool.js";
import { RespoolError } from "./errors.js";
import { Handle, makeDisposable } from "./handle.js";

export class SseDecoder {
  static get name() {
    return "SseDecoder";
  }

  #handle = new Handle(new SseReader(), "SseDecoder");
  #hasEnded = false;

  /**
   * @param {Bytes} bytes
   * @returns {SseEvent[]}
   */
  push(bytes) {
    const { inner } = this.#handle;
    if (this.#hasEnded)
      throw new RespoolError("stream-finished", "The stream has ended. Create a new object for another stream.");
    return inner.push(bytes);
  }

  /** @returns {SseEvent[]} */
  finish() {
    const { inner } = this.#handle;
    this.#hasEnded = true;
    return inner.finish();
  }

  free() {
    this.#handle.free();
  }
}

makeDisposable(SseDecoder);
