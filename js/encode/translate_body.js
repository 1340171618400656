/** @import { AnnotatedLlmResponse, StreamResult, Warning } from "../types/api.js" */
/** @import { RespoolError } from "../errors.js" */
/** @import { EncoderOptions, WireApi } from "../types/encode.js" */

import { decode, encode } from "../../pkg/wasm/respool.js";
import { StreamAccumulator } from "../accumulator.js";
import { DecodeError } from "../errors.js";
import { failureError } from "../failures.js";
import { bytesOf, isBytes } from "../input.js";
import { isSet, STREAM_OPTIONS } from "../options.js";
import { adoptCodecs } from "./codecs.js";
import { ENCODE_OPTIONS, readEncodeOptions } from "./options.js";
import { StreamEncoder } from "./stream_encoder.js";

/**
 * `error`: why the text is an error.
 *
 * @typedef {object} Translated
 * @property {string | ArrayBuffer | Uint8Array<ArrayBuffer>} text
 * @property {AnnotatedLlmResponse} response
 * @property {Warning[]} lost
 * @property {RespoolError} [error]
 */

/**
 * A whole body as another interface writes it. One that is of that interface already stays as it came.
 *
 * @param {unknown} body
 * @param {WireApi} to
 * @param {EncoderOptions} options of which those of reading are for streams, but for what is searched in the text
 * @returns {Translated}
 */
export function translateBody(body, to, options) {
  adoptCodecs();
  const response = decode(body);
  const { api = "auto" } = options;
  if (api !== "auto" && response.api !== api)
    throw new DecodeError("unknown-response", `the response is from ${response.api}, which the option \`api\` excludes`);
  if (isSet(options.textToolCalls) || isSet(options.reasoningTags)) return translateAsStream(body, to, options);
  const isChanged = ENCODE_OPTIONS.some((name) => isSet(/** @type {Record<string, unknown>} */ (options)[name]));
  if (response.api === to && !isChanged) return { text: textOf(body), response, lost: [] };
  // The ids that calls without one have now are the same in each response of a conversation.
  if (response.toolCalls !== undefined && response.id === undefined) return translateAsStream(body, to, options);
  const { body: written, lost, failure } = encode(response, to, readEncodeOptions(options, STREAM_OPTIONS));
  return { text: JSON.stringify(written), response, lost, ...(failure && { error: failureError(failure) }) };
}

/**
 * The body of the stream that another body is written as: its text is searched, and its calls have ids of their own.
 *
 * @param {unknown} body
 * @param {WireApi} to
 * @param {EncoderOptions} options
 * @returns {Translated}
 */
function translateAsStream(body, to, options) {
  const writer = new StreamEncoder(to, { ...options, includeUsage: true });
  const reader = new StreamAccumulator({ api: to });
  try {
    reader.pushBytes(writer.pushBytes(/** @type {Uint8Array} */ (bytesOf(textOf(body), true))));
    reader.pushBytes(writer.finish());
    const { response, error } = /** @type {StreamResult} */ (writer.result);
    const { body: written } = encode(reader.finish(), to, readEncodeOptions({}, []));
    return { text: JSON.stringify(written), response, lost: writer.lost, ...(error && { error: failureError(error) }) };
  } finally {
    writer.free();
    reader.free();
  }
}

/** @param {unknown} body as openAnswer found it: text, bytes, or an object @returns {string | ArrayBuffer | Uint8Array<ArrayBuffer>} */
const textOf = (body) =>
  typeof body === "string" || isBytes(body)
    ? /** @type {string | ArrayBuffer | Uint8Array<ArrayBuffer>} */ (body)
    : JSON.stringify(body);
