/**
 * Reads the results of a stream. A long text occurs in several places of a result, and only grows from one result to
 * the next, as do lists. So the module returns only what was appended since the last result, and the rest is kept here:
 * see `snapshot_changes` in src/stream.rs.
 *
 * Snapshots share structure: unchanged objects and arrays are the same in the next one.
 */

/** @import { StreamResult } from "./types/api.js" */
/** @import { Accumulator } from "../pkg/wasm/respool.js" */

import { copyOf, KeptTexts, NONCE } from "./kept_texts.js";
import { shareStructure } from "./shared_structure.js";

/** Minimum length in bytes of texts that are kept. Shorter ones are returned each time. */
const LONG = 256;

/** Minimum length in bytes if there is only one result: keeping a text costs as much as reading it twice. */
const LONG_AT_ONCE = 1024;

export class Results {
  /** Created for the first long text: most streams have only one result, which needs none. @type {KeptTexts | undefined} */
  #kept;
  /** @type {StreamResult | undefined} */
  #snapshot;

  /**
   * Returns the result so far. The last one shares nothing with other results, or within itself.
   *
   * @param {Pick<Accumulator, "result">} accumulator
   * @param {boolean} isLast
   * @returns {StreamResult}
   */
  take(accumulator, isLast) {
    const isOnly = isLast && this.#kept === undefined;
    const answer = accumulator.result(NONCE, isOnly ? LONG_AT_ONCE : LONG);
    const [result, ...tails] = Array.isArray(answer) ? answer : [answer];
    // Text and usage that equal those of the response are returned only there.
    const { response } = result;
    if (result.text === null) result.text = response.message;
    if (result.usage === null) result.usage = copyOf(response.usage);
    if (tails.length > 0) this.#kept ??= new KeptTexts();
    this.#kept?.fillIn(result, tails, isLast);
    if (isLast) return result;
    this.#snapshot = shareStructure(/** @type {StreamResult} */ (result), this.#snapshot);
    return this.#snapshot;
  }
}
