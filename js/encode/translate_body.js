/** @import { AnnotatedLlmResponse, Warning } from "../types/api.js" */
/** @import { RespoolError } from "../errors.js" */
/** @import { EncodeOptions, WireApi } from "../types/encode.js" */

import { decode, encode } from "../../pkg/wasm/respool.js";
import { failureError } from "../failures.js";
import { isSet, STREAM_OPTIONS } from "../options.js";
import { adoptCodecs } from "./codecs.js";
import { ENCODE_OPTIONS, readEncodeOptions } from "./options.js";

/**
 * A whole body as another interface writes it. One that is of that interface already stays as it came.
 *
 * @param {unknown} body
 * @param {WireApi} to
 * @param {EncodeOptions} options with those of reading, which are for streams
 * @returns {{ text: string | ArrayBuffer | Uint8Array<ArrayBuffer>, response: AnnotatedLlmResponse, lost: Warning[], error?: RespoolError }} `error`: why it is none
 */
export function translateBody(body, to, options) {
  adoptCodecs();
  const response = decode(body);
  const isChanged = ENCODE_OPTIONS.some((name) => isSet(/** @type {Record<string, unknown>} */ (options)[name]));
  if (response.api === to && !isChanged) return { text: textOf(body), response, lost: [] };
  const { body: written, lost, failure } = encode(response, to, readEncodeOptions(options, STREAM_OPTIONS));
  return { text: JSON.stringify(written), response, lost, ...(failure && { error: failureError(failure) }) };
}

/** @param {unknown} body as openAnswer found it: text, bytes, or an object @returns {string | ArrayBuffer | Uint8Array<ArrayBuffer>} */
const textOf = (body) =>
  typeof body === "string" || ArrayBuffer.isView(body) || body instanceof ArrayBuffer
    ? /** @type {string | ArrayBuffer | Uint8Array<ArrayBuffer>} */ (body)
    : JSON.stringify(body);
