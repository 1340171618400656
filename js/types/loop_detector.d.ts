import type { LoopDetectorOptions } from "../../pkg/wasm/respool.js";

/**
 * Notices when a text begins to repeat itself, as models do that have lost their way: the same line again and again
 * (blank lines, and white space around a line, do not count), a block of up to 8 lines, a phrase within a line, or 1,024
 * characters of white space. Tables, separators, lists and code are no loops.
 *
 * It fires at the same place wherever the text is cut, and holds a few kilobytes of it. For the text of a stream set the
 * option `loopDetector` of {@link StreamAccumulator}, which gives a warning `repeated-line-loop`.
 *
 * @example
 * ```ts
 * import { LoopDetector } from "respool";
 *
 * const detector = new LoopDetector();
 * let lines = 1;
 * while (!detector.feed("Let me check that again.\n")) lines++;
 * console.log(lines, detector.reason); // → 25 the line "Let me check that again." came 25 times in a row
 * detector.free();
 * ```
 */
export class LoopDetector {
  /** @throws {@link RespoolError} `invalid-option` */
  constructor(options?: LoopDetectorOptions);
  /**
   * Takes in more of the text. Answers whether it has fired, now or before.
   * @throws {@link RespoolError} `invalid-chunk` for anything but a string, `stream-finished` after {@link free}
   */
  feed(text: string): boolean;
  /** Whether it has fired. */
  readonly triggered: boolean;
  /** What is repeated, in words, once it has fired. */
  readonly reason: string | undefined;
  /** Begins anew. */
  reset(): void;
  /** Gives the memory back at once. Calling it again does nothing. */
  free(): void;
  /** The same as {@link free}, for `using`. */
  [Symbol.dispose](): void;
}
