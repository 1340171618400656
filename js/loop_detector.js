import { LoopFinder } from "../pkg/wasm/respool.js";
import { RespoolError } from "./errors.js";
import { Handle, makeDisposable, makeInspectable } from "./handle.js";
import { describe } from "./input.js";
import { readLoopOptions } from "./options.js";
import { WholeText } from "./whole_text.js";

export class LoopDetector {
  static get name() {
    return "LoopDetector";
  }

  #options;
  #handle;
  #text = new WholeText();
  #reason;

  constructor(options) {
    this.#options = readLoopOptions(options, "options");
    this.#handle = this.#begin();
  }

  #begin() {
    return new Handle(new LoopFinder(this.#options), "LoopDetector");
  }

  feed(text) {
    if (typeof text !== "string") throw new RespoolError("invalid-chunk", `feed takes a string, not ${describe(text)}`);
    const { inner } = this.#handle;
    this.#reason ??= inner.feed(this.#text.next(text));
    return this.triggered;
  }

  get triggered() {
    return this.#reason !== undefined;
  }

  get reason() {
    return this.#reason;
  }

  reset() {
    this.#handle.free();
    this.#handle = this.#begin();
    this.#text = new WholeText();
    this.#reason = undefined;
  }

  free() {
    this.#handle.free();
  }
}

makeDisposable(LoopDetector);
makeInspectable(LoopDetector, ({ triggered, reason }) => ({ triggered, reason }));
