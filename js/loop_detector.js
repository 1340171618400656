/** @import { LoopDetectorOptions } from "./types/api.js" */

import { LoopFinder } from "../pkg/wasm/respool.js";
import { RespoolError } from "./errors.js";
import { Handle, makeDisposable, makeInspectable } from "./handle.js";
import { quote } from "./input.js";
import { readLoopOptions } from "./options.js";
import { WholeText } from "./whole_text.js";

export class LoopDetector {
  static get name() {
    return "LoopDetector";
  }

  #options;
  #handle;
  #text = new WholeText();
  /** @type {string | undefined} */
  #reason;

  /** @param {LoopDetectorOptions} [options] */
  constructor(options) {
    this.#options = readLoopOptions(options, "options");
    this.#handle = new Handle(new LoopFinder(this.#options), "LoopDetector");
  }

  /**
   * @param {string} text
   * @returns {boolean}
   */
  feed(text) {
    if (typeof text !== "string") throw new RespoolError("invalid-chunk", `feed() expects a string, not ${quote(text)}`);
    const { inner } = this.#handle;
    this.#reason ??= inner.feed(this.#text.next(text));
    return this.triggered;
  }

  get triggered() {
    return this.reason !== undefined;
  }

  get reason() {
    this.#handle.requireOpen();
    return this.#reason;
  }

  reset() {
    this.#handle.requireOpen();
    this.#handle.replace(new LoopFinder(this.#options));
    this.#text = new WholeText();
    this.#reason = undefined;
  }

  free() {
    this.#handle.free();
  }
}

makeDisposable(LoopDetector);
makeInspectable(LoopDetector, ({ triggered, reason }) => ({ triggered, reason }));
