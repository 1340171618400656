/** @import { Converter, ConverterConfig, ConverterName, ConvertibleResponse, Message } from "../types/api.js" */
/** @import { PieceIterator } from "../source.js" */

import { awaitInput, deferred, settling } from "../abort.js";
import { transferred } from "../answer_source.js";
import { checked } from "../checked.js";
import { closeSource } from "../source.js";
import { cancellingAtOnce } from "../streams.js";
import { ResponseConverter, signalOf } from "./response_converter.js";

const isConverter = checked((/** @type {Partial<Converter<never>> | string | undefined} */ value) => {
  const converter = typeof value === "object" ? value : undefined;
  return typeof converter?.convertResponse === "function" && typeof converter.convertStreamingResponse === "function";
}, "The converter");

/**
 * A stream of messages being read, and the means to cancel it.
 *
 * @typedef {object} Reading
 * @property {unknown} source
 * @property {PieceIterator} [messages] once the source has loaded
 * @property {ReturnType<typeof deferred<void>>} cancelled
 * @property {boolean} isCancelled
 */

/** @template [Source=ConvertibleResponse] */
export class ModelResponseConverter {
  static get name() {
    return "ModelResponseConverter";
  }

  #response;
  /** @type {Converter<Awaited<Source>>} */
  #converter;

  /**
   * @param {Source | PromiseLike<Source> | (() => Source | PromiseLike<Source>)} response
   * @param {Converter<Awaited<Source>> | ConverterName} converter
   */
  constructor(response, converter) {
    this.#response = /** @type {Source | PromiseLike<Source> | (() => Source | PromiseLike<Source>)} */ (settling(response));
    // For a converter given by name, the source must resolve to an input of the built-in converter.
    const either = isConverter(converter) ? converter : new ResponseConverter(/** @type {ConverterName} */ (converter ?? null));
    this.#converter = /** @type {Converter<Awaited<Source>>} */ (either);
  }

  /** @returns {Promise<Message>} */
  async invoke() {
    return this.#converter.convertResponse(await this.#load());
  }

  /**
   * @param {ConverterConfig} [config]
   * @param {string} [nodeName]
   * @param {Record<string, unknown>} [meta]
   * @returns {AsyncGenerator<Message, void, undefined>}
   */
  stream(config, nodeName, meta) {
    /** @type {Reading} */
    const reading = { source: this.#response, cancelled: deferred(), isCancelled: false };
    const cancel = () => {
      reading.isCancelled = true;
      reading.cancelled.resolve();
      closeSource(reading.source, reading.messages); // a function hasn't requested anything before the first read
    };
    return cancellingAtOnce(this.#read(reading, config, nodeName, meta), cancel);
  }

  /**
   * @param {Reading} reading
   * @param {ConverterConfig} [config]
   * @param {string} [nodeName]
   * @param {Record<string, unknown>} [meta]
   * @returns {AsyncGenerator<Message, void, undefined>}
   */
  async *#read(reading, config, nodeName, meta) {
    const loading = this.#load();
    reading.source = loading;
    const loaded = await Promise.race([loading.then((response) => ({ response })), reading.cancelled.promise]);
    if (!loaded || reading.isCancelled) return;
    const response = /** @type {Awaited<Source>} */ (loaded.response);
    const messages = this.#converter.convertStreamingResponse(config ?? {}, nodeName, response, meta);
    reading.messages = /** @type {PieceIterator} */ (/** @type {unknown} */ (messages));
    yield* messages;
  }

  /**
   * Loads the response, calling the function that requests it. Unless a custom converter reads the response, a failed
   * request is thrown as a connection error, and the converter's signal ends the waiting.
   */
  async #load() {
    const response = this.#response;
    const signal = signalOf(this.#converter);
    let loading = /** @type {Source | PromiseLike<Source>} */ (typeof response === "function" ? undefined : response);
    const load = async () => {
      signal?.throwIfAborted();
      if (typeof response === "function") loading = /** @type {() => Source | PromiseLike<Source>} */ (response)();
      return await awaitInput(loading, signal);
    };
    try {
      return await (this.#converter instanceof ResponseConverter ? transferred(load(), signal) : load());
    } catch (error) {
      if (signal?.aborted) closeSource(loading); // it may still arrive
      throw error;
    }
  }
}
