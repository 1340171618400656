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
 * `isError`: whether the text is an error. `error`: why it is, or why a body that stays as it came is no answer.
 *
 * @typedef {object} Translated
 * @property {string | ArrayBuffer | Uint8Array<ArrayBuffer>} text
 * @property {AnnotatedLlmResponse} response
 * @property {Warning[]} lost
 * @property {boolean} isError
 * @property {RespoolError} [error]
 */

/**
 * A whole body as another interface writes it. One that is of that interface already stays as it came, unless an option
 * changes it.
 *
 * @param {unknown} body
 * @param {WireApi} to
 * @param {EncoderOptions} options of which those of reading are for streams, but for what is searched in the text
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
