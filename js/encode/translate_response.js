/** @import { StreamResult } from "../types/api.js" */
/** @import { TranslateResponseOptions, TranslationEnd, WireApi } from "../types/encode.js" */
/** @import { ResponseLike } from "../http_error.js" */
/** @import { AnyHeaders } from "./response_headers.js" */
/** @import { OpenedAnswer } from "../answer_source.js" */

import { errorBody } from "../../pkg/wasm/respool.js";
import { orAbort, settling } from "../abort.js";
import { openAnswer } from "../answer_source.js";
import { checked } from "../checked.js";
import { DecodeError, RespoolError } from "../errors.js";
import { isAbort, transportError } from "../failures.js";
import { hasFailed, pageError, readPage } from "../http_error.js";
import { quote } from "../input.js";
import { readMaxBodyBytes } from "../options.js";
import { readFunction, readSignal } from "../read_option.js";
import { closeSource, closingIfInvalid, isResponse, isSource } from "../source.js";
import { readFailure, hasAllFields } from "./failure.js";
import { openTranslation, readTarget } from "./options.js";
import { bodyHeaders, streamHeaders } from "./response_headers.js";
import { StreamEncoder } from "./stream_encoder.js";
import { translateBody } from "./translate_body.js";
import { streamOf } from "./translate_stream.js";
import { Translation } from "./translation.js";

/** Status for a successful response that contains no answer. */
const BAD_GATEWAY = 502;
/** Successful statuses that have no body, and can't be sent with one. */
const WITHOUT_BODY = [204, 205];

/**
 * @typedef {object} Settings
 * @property {WireApi} to
 * @property {Omit<TranslateResponseOptions, "to" | "signal" | "onEnd">} options options of reading and encoding
 * @property {AbortSignal | undefined} signal
 * @property {(end: TranslationEnd) => void} onEnd
 */

/**
 * Data read from a response besides its answer. `page` is the body of a failed response.
 *
 * @typedef {{ status?: number | undefined, headers?: AnyHeaders, isFailed?: boolean, page?: string }} Head
 */

/**
 * @param {Response | PromiseLike<Response>} response
 * @param {TranslateResponseOptions} options
 * @returns {Promise<Response>}
 */
export async function translateResponse(response, options) {
  const source = settling(response);
  const settings = closingIfInvalid(source, () => readSettings(options));
  const { signal, onEnd } = settings;
  /** @type {Head} */
  let head = {};
  try {
    signal?.throwIfAborted();
    const opened = await orAbort(source, signal);
    head = readHead(opened);
    if (head.isFailed) {
      head.page = await readPage(/** @type {ResponseLike} */ (opened), signal);
      throw pageError(/** @type {ResponseLike} */ (opened), head.page);
    }
    if (WITHOUT_BODY.includes(Number(head.status)))
      throw new DecodeError("empty-response", `The response has no body: HTTP status ${head.status}`);
    return await translated(await openAnswer(opened, signal, readMaxBodyBytes(settings.options.limits)), head, settings);
  } catch (error) {
    const isRethrown = signal?.aborted || isAbort(error) || isMisuse(error);
    if (signal?.aborted) closeSource(source);
    const failure = isRethrown ? error : transportError(error, undefined, head.status !== undefined);
    onEnd({ error: failure, lost: [] });
    if (isRethrown) throw failure;
    return failed(/** @type {RespoolError} */ (failure), head, settings);
  }
}

/** @param {TranslateResponseOptions} allOptions @returns {Settings} */
function readSettings(allOptions) {
  const { to, signal, onEnd, ...options } = openTranslation(allOptions, ["to", "signal", "onEnd"]);
  const target = readTarget(to, "options.to");
  new StreamEncoder(target, options).free(); // checks the options, even if there is no stream
  return {
    to: target,
    options,
    signal: readSignal({ signal }),
    onEnd: quiet(readFunction(onEnd, "options.onEnd")),
  };
}

/**
 * Wraps a callback so that its failure, now or later, doesn't affect the response.
 *
 * @param {TranslateResponseOptions["onEnd"]} onEnd
 * @returns {Settings["onEnd"]}
 */
const quiet = (onEnd) => (end) => {
  try {
    settling(onEnd?.(end));
  } catch {
    // The client is waiting for the response.
  }
};

const readHead = checked(
  (/** @type {unknown} */ value) => {
    if (!isSource(value) || !isResponse(value)) {
      throw new RespoolError("invalid-source", `translateResponse() expects a fetch Response, not ${quote(value)}`);
    }
    const response = /** @type {ResponseLike} */ (value);
    const { status, headers } = response;
    // Stand-ins for a Response may have any values.
    return { status: Number.isInteger(status) ? status : undefined, headers, isFailed: hasFailed(response) };
  },
  "The response",
  "invalid-source",
);

/**
 * Whether an error is the caller's mistake.
 *
 * @param {unknown} error
 */
const isMisuse = (error) =>
  RespoolError.isInstance(error) && ["invalid-source", "invalid-option", "internal-error"].includes(error.code);

/**
 * @param {OpenedAnswer} answer
 * @param {Head} head
 * @param {Settings} settings
 * @returns {Promise<Response>}
 */
async function translated({ body, retry, stream, broken }, head, settings) {
  if (stream && !broken) return streamed(stream, head, settings);
  try {
    const { text, isError, ...end } = translateBody(body, settings.to, settings.options);
    if (broken && (isError || end.response.finishReason === undefined)) throw broken.error;
    const response = isError
      ? failed(/** @type {RespoolError} */ (end.error), head, settings)
      : new Response(text, { status: head.status ?? 200, headers: bodyHeaders(head.headers, settings.to) });
    settings.onEnd(end);
    return response;
  } catch (error) {
    // No headers were sent yet, so the status can still report the error.
    if (broken) throw broken.error;
    // The body may be JSON lines, or not JSON at all.
    if (retry === undefined || !RespoolError.isInstance(error) || error.code !== "invalid-json") throw error;
    return reread(retry, head, settings, error);
  }
}

/**
 * Reads a complete body as a stream. Throws `fallback` if it contains no answer.
 *
 * @param {object} body
 * @param {Head} head
 * @param {Settings} settings
 * @param {RespoolError} fallback
 */
async function reread(body, head, { onEnd, ...settings }, fallback) {
  /** @type {TranslationEnd | undefined} */
  let end;
  const { status, headers, body: stream } = streamed(body, head, { ...settings, onEnd: (ended) => (end = ended) });
  const bytes = await new Response(stream).arrayBuffer();
  if (end?.result === undefined || end.error !== undefined || isEmpty(end.result)) throw fallback;
  const response = new Response(bytes, { status, headers });
  onEnd(end);
  return response;
}

/** Whether nothing of an answer was received. @param {StreamResult} result */
const isEmpty = ({ ending, text, toolCalls, refusal }) =>
  ending === "truncated" && text === "" && toolCalls.length === 0 && refusal === undefined;

/**
 * @param {object} source
 * @param {Head} head
 * @param {Settings} settings
 */
function streamed(source, { status, headers }, { to, options, signal, onEnd }) {
  const translation = new Translation(source, { ...options, to, ...(signal && { signal }) });
  const { lost } = translation;
  const read = () => {
    const { partial } = translation;
    return partial ? { response: partial.response, result: partial } : {};
  };
  translation.result.then(
    () => onEnd({ ...read(), lost }),
    (error) => onEnd({ ...read(), error, lost }),
  );
  return new Response(streamOf(translation), { status: status ?? 200, headers: streamHeaders(headers, to) });
}

/**
 * Returns the response for a failed request.
 *
 * @param {RespoolError} error
 * @param {Head} head
 * @param {Settings} settings
 */
function failed(error, { headers, status: own, page = "" }, { to }) {
  const { failure, status: reported, retryAfter } = readFailure(error);
  const known = [reported, own ?? 0].find((one) => one >= 400 && one <= 599);
  const body = errorBody(to, failure, known ?? 0);
  const kept = bodyHeaders(headers, to);
  // Google sends the delay in the body.
  if (retryAfter !== undefined && !kept.has("retry-after")) kept.set("retry-after", String(retryAfter));
  return new Response(hasAllFields(page, body) ? page : body, { status: known ?? BAD_GATEWAY, headers: kept });
}
