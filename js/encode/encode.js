/** @import { AnnotatedLlmResponse, StreamResult } from "../types/api.js" */
/** @import { EncodedBody, EncodeOptions, WireApi } from "../types/encode.js" */

import { encode as encodeResponse } from "../../pkg/wasm/respool.js";
import { refusePendingBody } from "../pending.js";
import { readEncodeOptions, readTarget } from "./options.js";

/**
 * @param {AnnotatedLlmResponse | StreamResult} response
 * @param {WireApi} api
 * @param {EncodeOptions} [options]
 * @returns {EncodedBody}
 */
export function encode(response, api, options) {
  const target = readTarget(api, "The second argument");
  const writing = readEncodeOptions(options, []);
  refusePendingBody(response);
  const { body, lost } = encodeResponse(response, target, writing);
  return { body, lost };
}
