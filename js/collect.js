/** @import { StreamResult, StreamSource, StreamSourceOptions } from "./types/api.js" */

import { DeltaReader } from "./delta_reader.js";
import { openReading } from "./streams.js";
import { traceItems } from "./tracing/stream.js";

/**
 * @param {StreamSource} source
 * @param {StreamSourceOptions} [options]
 * @returns {Promise<StreamResult>}
 */
export async function collect(source, options) {
  const reader = new DeltaReader(openReading(source, options));
  for await (const _ of traceItems(reader.deltas(), "respool.collect", { options }, () => reader.result));
  return /** @type {StreamResult} */ (reader.result);
}
