/** @import { ConverterConfig, ConverterName, ConvertibleResponse, DeltaStream, Message, MessageMetadata, StreamResult, StreamSource, StreamSourceOptions } from "../types/api.js" */

import { decode, detectApi } from "../../pkg/wasm/respool.js";
import { settling } from "../abort.js";
import { StreamAccumulator } from "../accumulator.js";
import { AnswerReader } from "../answer_reader.js";
import { openAnswer } from "../answer_source.js";
import { checked } from "../checked.js";
import { isRegistered } from "../codecs.js";
import { DecodeError, RespoolError } from "../errors.js";
import { failureError } from "../failures.js";
import { describe, isBytes } from "../input.js";
import { copyOptions, isSet, readSignal, refuse, refuseValue } from "../read_option.js";
import { shownOf } from "../shown_choice.js";
import { isSource } from "../source.js";
import { checkCalls, cancellingAtOnce, openReading, streamDeltas } from "../streams.js";
import { hasMessage, INTERFACES } from "../interfaces.js";
import { newMessageId, partialMessage, wholeMessage, withoutUndefined } from "./message.js";

const readThread = checked(
  (/** @type {ConverterConfig | undefined} */ config) => config?.threadId ?? config?.thread_id,
  "The configuration",
);

const readMeta = checked((/** @type {Record<string, unknown> | undefined} */ meta) => {
  if (meta !== undefined && typeof meta !== "object") return refuseValue("meta", "an object", meta);
  return { ...meta };
}, "The metadata");

const APIS = ["auto", ...Object.keys(INTERFACES).filter(hasMessage)];

/**
 * The signals of the converters.
 *
 * @type {WeakMap<object, AbortSignal | undefined>}
 */
const signals = new WeakMap();

/**
 * Returns the signal of a built-in converter.
 *
 * @param {object} converter
 */
export const signalOf = (converter) => signals.get(converter);

export class ResponseConverter {
  static get name() {
    return "ResponseConverter";
  }

  #api;
  /** @type {StreamSourceOptions} */
  #options;

  /**
   * @param {ConverterName} [api]
   * @param {Omit<StreamSourceOptions, "api">} [options]
   */
  constructor(api = "auto", options = {}) {
    this.#api = api === "litellm" ? "openai-chat" : api;
    if (!APIS.includes(this.#api) && !isRegistered(api)) {
      const name = typeof api === "string" ? api.slice(0, 80) : describe(api);
      refuse(`Unsupported converter: ${name}; pass ${APIS.join(", ")}, litellm, the name of a registered codec, or a converter`);
    }
    /** @type {StreamSourceOptions} */
    const given = copyOptions(options);
    if (isSet(given.api)) refuse("options.api is unknown here: the first argument is the interface");
    this.#options = { ...given, api: this.#api };
    openReading([], this.#options).accumulator.free(); // reports invalid options at once
    signals.set(this, readSignal(this.#options));
  }

  /**
   * @param {ConvertibleResponse} response
   * @returns {Promise<Message>}
   */
  async convertResponse(response) {
    const { body, retry, isBlank, stream } = await openAnswer(response, readSignal(this.#options));
    const read = isBlank ? retry : stream;
    if (read) return this.#lastOf(read);
    try {
      const whole = wholeMessage(this.#readBody(body), newMessageId(), {});
      return isBytes(body) || typeof body === "string" ? whole : { ...whole, raw: body };
    } catch (error) {
      // The message of a server's error page is more useful than an invalid-JSON error.
      if (retry && RespoolError.isInstance(error) && error.code === "invalid-json") {
        for await (const _ of streamDeltas(/** @type {StreamSource} */ (retry), this.#options));
      }
      throw error;
    }
  }

  /** @param {object} stream */
  async #lastOf(stream) {
    let last;
    for await (const message of this.convertStreamingResponse({}, undefined, stream)) last = message;
    return /** @type {Message} */ (last);
  }

  /**
   * @param {ConverterConfig} config
   * @param {string | undefined} nodeName
   * @param {ConvertibleResponse} response
   * @param {Record<string, unknown>} [meta]
   * @returns {AsyncGenerator<Message, void, undefined>}
   */
  convertStreamingResponse(config, nodeName, response, meta) {
    /** @type {{ raw?: unknown }} the body, if it is an object */
    const whole = {};
    const pieces = /** @type {StreamSource} */ (
      settling(response, (/** @type {unknown} */ source) => {
        if (isSource(source)) return source;
        if (typeof source === "object" && !isBytes(source)) whole.raw = source;
        return [source];
      })
    );
    const ownMeta = readMeta(meta);
    const provider = this.#api === "auto" ? undefined : this.#api;
    const metadata = withoutUndefined({ provider, nodeName, threadId: readThread(config) });
    return messagesOf(streamDeltas(pieces, this.#options), metadata, ownMeta, whole);
  }

  /**
   * Reads a complete body. Throws the reason if it contains no answer.
   *
   * @param {unknown} body
   */
  #readBody(body) {
    const detected = detectApi(body);
    if (this.#api !== "auto" && detected !== undefined && detected !== this.#api) {
      throw new DecodeError(
        "unknown-response",
        `The response is from ${detected}, not from ${this.#api}: convert it with "${detected}" or "auto"`,
      );
    }
    const { signal, throwOnError, ...options } = this.#options;
    const accumulator = new StreamAccumulator(options);
    try {
      const reader = new AnswerReader(accumulator, this.#api);
      if (typeof body === "string" || (typeof body === "object" && body !== null)) reader.read(body);
      reader.end();
      const result = accumulator.finish();
      const isRead = result.response.api !== undefined && (detected !== undefined || result.ending === "complete");
      const isThrown = result.error && throwOnError !== false;
      if (result.error ? isThrown : !isRead) requireAnswer(body, result);
      if (result.error && isThrown) throw failureError(result.error, result);
      checkCalls(result);
      return result;
    } finally {
      accumulator.free();
    }
  }
}

/**
 * Throws the reason why a body isn't an answer. JSON lines, the last of which may be missing, are accepted although
 * they aren't valid JSON.
 *
 * @param {unknown} body
 * @param {StreamResult} result the result of reading the body
 */
function requireAnswer(body, { response, toolCalls }) {
  try {
    decode(body);
  } catch (error) {
    const hasContent = response.message !== undefined || toolCalls.length > 0;
    if (!hasContent || !RespoolError.isInstance(error) || error.code !== "invalid-json") throw error;
  }
}

/**
 * Throws if a stream ended before an answer began. A body of an unknown interface has no message either.
 *
 * @param {StreamResult} partial
 */
function requireBeginning(partial) {
  const { api, apiSpecific: _, extra, ...answer } = partial.response;
  const isBlank = Object.keys(answer).length === 0 && Object.keys(extra).length === 0;
  if (partial.ending !== "truncated" || (api !== undefined && !isBlank)) return;
  const message = "Nothing in the stream could be read: it ended before an answer began";
  throw new DecodeError("empty-response", message, { outcome: "indeterminate", partial });
}

/**
 * Yields the messages for deltas.
 *
 * @param {DeltaStream} deltas
 * @param {MessageMetadata} metadata
 * @param {Record<string, unknown>} meta
 * @param {{ raw?: unknown }} whole further fields of the complete message
 */
function messagesOf(deltas, metadata, meta, whole) {
  return cancellingAtOnce(readMessages(), () => void deltas.return());

  /** @returns {AsyncGenerator<Message, void, undefined>} */
  async function* readMessages() {
    const messageId = newMessageId();
    for await (const delta of shownOf(deltas)) {
      const partial = partialMessage(delta, messageId, { ...metadata, ...meta });
      if (partial) yield partial;
    }
    const result = /** @type {StreamResult} */ (deltas.result);
    if (result.ending === "aborted") return; // the caller left the loop
    requireBeginning(result);
    checkCalls(result);
    yield { ...wholeMessage(result, messageId, metadata, meta), ...whole };
  }
}
