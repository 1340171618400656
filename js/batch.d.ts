import type { Agent, Bytes } from "./api.js";
import type { Api } from "../pkg/wasm/respool.js";

/** Options of {@link BatchReader}. */
export interface BatchOptions {
  /** The interface that all answers come from; `"auto"`, which is the default, finds it out for each line. */
  api?: Api | "auto";
  /** What is known about the requests. With `outputs`, text that is JSON is in the results as `value`, too. */
  agent?: Agent;
  /** Whether a result has the whole {@link decode | response} as well. Default false. */
  whole?: boolean;
}

/** A line without an answer. */
export interface BatchFault {
  /** Its number among the lines that were given; the first one is 0. */
  line: number;
  /** `code` is one of those of {@link DecodeError}, {@link ProviderError} and {@link LimitError}. */
  error: { code: string; message: string; providerType?: string; providerCode?: string };
}

/** What {@link BatchReader.read} gives. */
export interface Batch {
  /** A line of JSON for each line that is not blank, in their order. */
  results: Uint8Array;
  /** How many lines were given, blank ones too. */
  lines: number;
  /** How many of them were blank. */
  blank: number;
  /** Lines without an answer; their results say the same. */
  faults: BatchFault[];
}

/**
 * Reads batch result files: OpenAI's and Anthropic's, or any whose lines are or have a body.
 *
 * A result is `{ customId?, model?, text, value?, reasoning?, refusal?, toolCalls, finishReason?, rawFinishReason?,
 * usage?, response? }`, or `{ customId?, vectors }`, `{ customId?, images }`, or `{ customId?, error }`.
 *
 * @example
 * ```ts
 * import { BatchReader } from "respool";
 *
 * const reader = new BatchReader();
 * const { results, faults } = reader.read('{"custom_id":"a","response":{"body":{"choices":[{"message":{"content":"Hi"}}]}}}\noh\n');
 * const [first] = new TextDecoder().decode(results).split("\n");
 * console.log(first); // → {"customId":"a","text":"Hi","toolCalls":[]}
 * console.log(faults[0]?.line, faults[0]?.error.code); // → 1 invalid-json
 * reader.free();
 * ```
 */
export class BatchReader {
  /** @throws {@link RespoolError} `invalid-option` */
  constructor(options?: BatchOptions);
  /**
   * Reads lines, whole ones; the last one may lack its line end. A file is best read in blocks of about a megabyte.
   * @param lines - their bytes, or their text
   * @throws {@link RespoolError} `invalid-chunk` for anything but bytes or text, `stream-finished` after `free()`
   */
  read(lines: string | Bytes): Batch;
  /** Gives the memory back at once. Calling it again does nothing. */
  free(): void;
  [Symbol.dispose](): void;
}
