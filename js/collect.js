/** @import { ReadState } from "./streams.js" */
/** @import { StreamResult, StreamSource, StreamSourceOptions } from "./types/api.js" */

import { openReading, readDeltas } from "./streams.js";
import { traceItems } from "./tracing/stream.js";

/**
 * @param {StreamSource} source
 * @param {StreamSourceOptions} [options]
 * @returns {Promise<StreamResult>}
 */
export async function collect(source, options) {
  /** @type {ReadState} */
  const state = {};
  const deltas = readDeltas(openReading(source, options), state);
  for await (const _ of traceItems(deltas, "respool.collect", { options }, () => state.result));
  return /** @type {StreamResult} */ (state.result);
}
