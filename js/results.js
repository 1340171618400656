/**
 * The results of a stream. A long text appears in several places of a result, and only grows from one result to the
 * next, as do lists. So the module returns only what was appended since the last result, and the rest is kept: see
 * `snapshot_changes` in src/stream.rs.
 *
 * Snapshots share structure: whatever is the same in the next one is the same object.
 */

/** @import { StreamResult } from "./types/api.js" */
/** @import { Accumulator } from "../pkg/wasm/respool.js" */

import { copyOf, KeptTexts, NONCE } from "./kept_texts.js";
import { shareStructure } from "./shared_structure.js";

/** Texts shorter than this are returned each time. In bytes. */
const LONG = 256;

/** The same where nothing was returned before: to keep a text apart costs as much as to read it twice. */
const LONG_AT_ONCE = 1024;

export class Results {
  /** Made for the first long text: most streams have one result, and it has none. @type {KeptTexts | undefined} */
  #kept;
  /** @type {StreamResult | undefined} */
  #snapshot;

  /**
   * The result so far. The last one shares nothing with other results, or within itself.
   *
   * @param {Pick<Accumulator, "result">} accumulator
   * @param {boolean} isLast
   * @returns {StreamResult}
   */
  take(accumulator, isLast) {
    const isOnly = isLast && this.#kept === undefined;
    const answer = accumulator.result(NONCE, isOnly ? LONG_AT_ONCE : LONG);
    const [result, ...tails] = Array.isArray(answer) ? answer : [answer];
    // What is the same in the response is only there.
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
