/** The headers of responses in the target interface. */

/** @import { WireApi } from "../types/encode.js" */

import { checked } from "../checked.js";
import { EVENT_STREAM_HEADERS } from "../event_stream_headers.js";
import { REQUEST_IDS, requestIdOf } from "../http_error.js";

/** Headers that clients read of any response. All others describe the source's own bytes. */
const KEPT = ["retry-after", "retry-after-ms", "x-should-retry", ...REQUEST_IDS];

/**
 * The header in which the clients of an interface look for the request id.
 *
 * @type {Record<WireApi, string>}
 */
const REQUEST_ID = { "openai-chat": "x-request-id", "openai-responses": "x-request-id", "anthropic-messages": "request-id" };

const JSON_HEADERS = { "content-type": "application/json" };
const STREAM_HEADERS = { ...EVENT_STREAM_HEADERS, "content-type": "text/event-stream; charset=utf-8" };

/** @typedef {{ get?: (name: string) => string | null } | null | undefined} AnyHeaders */

/** Returns the headers of the translated response. */
const headersFor = checked(
  (/** @type {AnyHeaders} */ source, /** @type {WireApi} */ to, /** @type {Record<string, string>} */ own) => {
    const headers = new Headers(own);
    for (const name of KEPT) {
      const value = source?.get?.(name);
      if (typeof value === "string") headers.set(name, value);
    }
    const requestId = requestIdOf(source);
    if (requestId !== undefined) headers.set(REQUEST_ID[to], requestId);
    return headers;
  },
  "The headers",
  "invalid-source",
);

/**
 * Returns the headers of a complete body.
 *
 * @param {AnyHeaders} source
 * @param {WireApi} to
 */
export const bodyHeaders = (source, to) => headersFor(source, to, JSON_HEADERS);

/**
 * Returns the headers of a stream.
 *
 * @param {AnyHeaders} source
 * @param {WireApi} to
 */
export const streamHeaders = (source, to) => headersFor(source, to, STREAM_HEADERS);
