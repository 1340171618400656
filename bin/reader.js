// Reads lines of batch result files, by a module of its own: see src/wasm/batch.rs.
import { readFileSync } from "node:fs";
import { instantiate } from "../js/entries/instance.js";
import { readAgent } from "../js/options.js";
import { LineReader } from "../pkg/wasm/respool.js";

/** How many numbers are told behind the faults, in four bytes each. */
const COUNTS = 3;

let isReady = false;

/**
 * @typedef {object} Batch
 * @property {Uint8Array} results a line of JSON for each line that is not blank, in their order
 * @property {number} lines how many lines there were, blank ones too
 * @property {number} blank how many of them were blank
 * @property {{ line: number, error: { code: string, message: string } }[]} faults lines without an answer; the first one is 0
 */

export class BatchReader {
  #lines;

  /** @param {{ api?: string, agent?: object, whole?: boolean }} [options] `whole`: results have the whole response, too */
  constructor({ api, agent, whole = false } = {}) {
    if (!isReady) instantiate(new WebAssembly.Module(readFileSync(new URL("./respool.wasm", import.meta.url))));
    isReady = true;
    this.#lines = new LineReader(api, ...readAgent(agent), whole);
  }

  /**
   * @param {Uint8Array} lines whole ones; the last one may lack its line end
   * @returns {Batch}
   */
  read(lines) {
    const told = this.#lines.read(lines);
    const end = told.length - 4 * COUNTS;
    const counts = new DataView(told.buffer, end);
    const [size, count, blank] = Array.from({ length: COUNTS }, (_, at) => counts.getUint32(4 * at, true));
    const faults = JSON.parse(new TextDecoder().decode(told.subarray(size, end)));
    return { results: told.subarray(0, size), lines: count, blank, faults };
  }

  free() {
    this.#lines.free();
  }
}
