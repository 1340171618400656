/** The headers of responses in the interface that a client expects. */

/** @import { WireApi } from "../types/encode.js" */

import { checked } from "../checked.js";
import { EVENT_STREAM_HEADERS } from "../event_stream_headers.js";
import { REQUEST_IDS, requestIdOf } from "../http_error.js";

/** What clients read of any response, besides the body. All other headers describe the source's own bytes. */
const KEPT = ["retry-after", "retry-after-ms", "x-should-retry", ...REQUEST_IDS];

/**
 * Where the clients of an interface look for the id of the request.
 *
 * @type {Record<WireApi, string>}
 */
const REQUEST_ID = { "openai-chat": "x-request-id", "openai-responses": "x-request-id", "anthropic-messages": "request-id" };

const JSON_HEADERS = { "content-type": "application/json" };
const STREAM_HEADERS = { ...EVENT_STREAM_HEADERS, "content-type": "text/event-stream; charset=utf-8" };

/** @typedef {{ get?: (name: string) => string | null } | null | undefined} AnyHeaders */

/** The headers of the response that is written for one that came. */
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
 * The headers of a whole body.
 *
 * @param {AnyHeaders} source
 * @param {WireApi} to
 */
export const bodyHeaders = (source, to) => headersFor(source, to, JSON_HEADERS);

/**
 * The headers of a stream.
 *
 * @param {AnyHeaders} source
 * @param {WireApi} to
 */
export const streamHeaders = (source, to) => headersFor(source, to, STREAM_HEADERS);
