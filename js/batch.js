/** Files of many answers, a line of JSON for each: see src/wasm/batch.rs. */

import { LineReader } from "../pkg/wasm/respool.js";
import { RespoolError } from "./errors.js";
import { Handle, makeDisposable } from "./handle.js";
import { bytesOf, describe } from "./input.js";
import { readBatchOptions } from "./options.js";

/** How many numbers are told behind the faults, in four bytes each. */
const COUNTS = 3;

export class BatchReader {
  #handle;

  constructor(options) {
    this.#handle = new Handle(new LineReader(...readBatchOptions(options)), "BatchReader");
  }

  read(lines) {
    const bytes = bytesOf(lines, true);
    if (!bytes) throw new RespoolError("invalid-chunk", `read takes the bytes or the text of lines, not ${describe(lines)}`);
    const told = this.#handle.inner.read(bytes);
    const end = told.length - 4 * COUNTS;
    const counts = new DataView(told.buffer, end);
    const [size, count, blank] = Array.from({ length: COUNTS }, (_, at) => counts.getUint32(4 * at, true));
    const faults = JSON.parse(new TextDecoder().decode(told.subarray(size, end)));
    return { results: told.subarray(0, size), lines: count, blank, faults };
  }

  free() {
    this.#handle.free();
  }
}

makeDisposable(BatchReader);
