// Reads lines of batch result files, with a module of its own: see src/wasm/batch.rs.
import { readFileSync } from "node:fs";
import { instantiate } from "../js/entries/instance.js";
import { readAgent, toJson } from "../js/options.js";
import { LineReader } from "../pkg/wasm/respool.js";

/** Number of counts after the faults, four bytes each. */
const COUNTS = 3;

let isReady = false;

/**
 * @typedef {object} Batch
 * @property {Uint8Array<ArrayBuffer>} results a line of JSON for each line that isn't blank, in order
 * @property {number} lines number of lines, including blank ones
 * @property {number} blank number of blank lines
 * @property {{ line: number, error: { code: string, message: string } }[]} faults the lines without an answer
 */

/**
 * @typedef {object} Position
 * @property {string} [file] name of the file, if there are several
 * @property {number} line number of the first line
 */

/**
 * @typedef {object} ReaderOptions
 * @property {string | undefined} [api]
 * @property {import("respool").Agent | undefined} [agent]
 * @property {boolean} [whole] whether results include the whole response
 */

export class BatchReader {
  #lines;

  /** @param {ReaderOptions} [options] */
  constructor({ api, agent, whole = false } = {}) {
    if (!isReady) instantiate(new WebAssembly.Module(readFileSync(new URL("../respool-fast.wasm", import.meta.url))));
    isReady = true;
    this.#lines = new LineReader(api, toJson(readAgent(agent)), whole);
  }

  /**
   * @param {Uint8Array} lines whole lines; the last one may lack its line end
   * @param {Position} [start] position of the first line; each result then contains its own
   * @returns {Batch}
   */
  read(lines, start) {
    const answer = this.#lines.read(lines, start?.line, start?.file ?? "");
    const end = answer.length - 4 * COUNTS;
    const counts = new DataView(answer.buffer, end);
    const [size, count, blank] = [0, 4, 8].map((offset) => counts.getUint32(offset, true));
    const faults = JSON.parse(new TextDecoder().decode(answer.subarray(size, end)));
    return { results: answer.subarray(0, size), lines: Number(count), blank: Number(blank), faults };
  }

  free() {
    this.#lines.free();
  }
}
