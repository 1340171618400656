/** @import { AnnotatedLlmResponse, Warning } from "../types/api.js" */
/** @import { RespoolError } from "../errors.js" */
/** @import { EncoderOptions, WireApi } from "../types/encode.js" */

import { translate } from "../../pkg/wasm/respool.js";
import { DecodeError } from "../errors.js";
import { failureError } from "../failures.js";
import { isBytes } from "../input.js";
import { readStreamOptions, STREAM_OPTIONS } from "../options.js";
import { adoptCodecs } from "./codecs.js";
import { readEncodeOptions, withoutEncodeOptions } from "./options.js";

/**
 * `isError`: whether the text is an error. `error`: why it is, or why an unchanged body isn't an answer.
 *
 * @typedef {object} Translated
 * @property {string | ArrayBuffer | Uint8Array<ArrayBuffer>} text
 * @property {AnnotatedLlmResponse} response
 * @property {Warning[]} lost
 * @property {boolean} isError
 * @property {RespoolError} [error]
 */

/**
 * Translates a complete body. A body that already has the target interface is returned unchanged, unless an option
 * changes it.
 *
 * @param {unknown} body
 * @param {WireApi} to
 * @param {EncoderOptions} options those for encoding, limits, and searching text apply to bodies
 * @returns {Translated}
 */
export function translateBody(body, to, options) {
  adoptCodecs();
  const reading = readStreamOptions(withoutEncodeOptions(options));
  const encoding = readEncodeOptions(options, STREAM_OPTIONS);
  const { response, text, lost = [], failure, ownFailure = failure } = translate(body, to, encoding, reading);
  const { api = "auto" } = options;
  if (api !== "auto" && response.api !== api)
    throw new DecodeError("unknown-response", `The response is from ${response.api}, which the option \`api\` excludes`);
  const isError = failure !== undefined;
  return { text: text ?? textOf(body), response, lost, isError, ...(ownFailure && { error: failureError(ownFailure) }) };
}

/** @param {unknown} body as openAnswer found it: text, bytes, or an object @returns {string | ArrayBuffer | Uint8Array<ArrayBuffer>} */
const textOf = (body) =>
  typeof body === "string" || isBytes(body)
    ? /** @type {string | ArrayBuffer | Uint8Array<ArrayBuffer>} */ (body)
    : JSON.stringify(body);
