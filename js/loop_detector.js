import { LoopFinder } from "../pkg/wasm/respool.js";
import { RespoolError } from "./errors.js";
import { Handle, makeDisposable } from "./handle.js";
import { describe } from "./input.js";
import { readLoopOptions } from "./options.js";
import { WholeText } from "./whole_text.js";

export class LoopDetector {
  #handle;
  #text = new WholeText();
  #reason;

  constructor(options) {
    this.#handle = new Handle(new LoopFinder(readLoopOptions(options, "options")), "LoopDetector");
  }

  feed(text) {
    if (typeof text !== "string") throw new RespoolError("invalid-chunk", `feed takes a string, not ${describe(text)}`);
    const { inner } = this.#handle;
    if (!this.triggered && inner.feed(this.#text.next(text))) this.#reason = inner.reason();
    return this.triggered;
  }

  get triggered() {
    return this.#reason !== undefined;
  }

  get reason() {
    return this.#reason;
  }

  reset() {
    this.#handle.inner.reset();
    this.#text = new WholeText();
    this.#reason = undefined;
  }

  free() {
    this.#handle.free();
  }
}

makeDisposable(LoopDetector);
