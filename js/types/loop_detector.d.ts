import type { LoopDetectorOptions } from "../../pkg/wasm/respool.js";

/**
 * Detects text that repeats itself, as a stuck model does: the same line (ignoring blank lines, and white space around
 * lines), a block of up to 8 lines, a phrase within a line, or 1,024 characters of white space. Lines without letters and
 * digits outside of HTML tags, such as separators and empty rows of tables, count as short, and may come more often.
 *
 * It fires at the same place wherever the text is split, and keeps a few kilobytes of it. For a stream, set the option
 * `loopDetector` of {@link StreamAccumulator}, which adds a warning `repeated-line-loop`.
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
   * Reads more of the text, and returns whether it has fired, now or before.
   * @throws {@link RespoolError} `invalid-chunk` for anything but a string, `stream-finished` after {@link free}
   */
  feed(text: string): boolean;
  /** Whether it has fired. */
  readonly triggered: boolean;
  /** A description of the loop, once it has fired. */
  readonly reason: string | undefined;
  /**
   * Starts over.
   * @throws {@link RespoolError} `stream-finished` after {@link free}
   */
  reset(): void;
  /** Frees the memory at once. Calling it again does nothing. */
  free(): void;
  /** Same as {@link free}, for `using`. */
  [Symbol.dispose](): void;
}
