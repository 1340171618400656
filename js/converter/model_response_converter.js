/** @import { Converter, ConverterConfig, ConverterName, ConvertibleResponse, Message } from "../types/api.js" */

import { awaitInput, settling } from "../abort.js";
import { transferred } from "../answer_source.js";
import { checked } from "../checked.js";
import { closeSource } from "../source.js";
import { leavingUnread } from "../streams.js";
import { ResponseConverter } from "./response_converter.js";

const isConverter = checked((/** @type {Partial<Converter<never>> | string | undefined} */ value) => {
  const converter = typeof value === "object" ? value : undefined;
  return typeof converter?.convertResponse === "function" && typeof converter.convertStreamingResponse === "function";
}, "The converter");

/** @template [Source=ConvertibleResponse] */
export class ModelResponseConverter {
  static get name() {
    return "ModelResponseConverter";
  }

  #response;
  /** @type {Converter<Awaited<Source>>} */
  #converter;

  /**
   * @param {Source | (() => Source | PromiseLike<Source>)} response
   * @param {Converter<Awaited<Source>> | ConverterName} converter
   */
  constructor(response, converter) {
    this.#response = /** @type {Source | (() => Source | PromiseLike<Source>)} */ (settling(response));
    // Named by a string, the source has to resolve to what the built-in converter reads.
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
    const state = { isStarted: false };
    // A function hasn't requested anything then.
    return leavingUnread(this.#messages(state, config, nodeName, meta), state, () => void closeSource(this.#response));
  }

  /**
   * @param {{ isStarted: boolean }} state
   * @param {ConverterConfig} [config]
   * @param {string} [nodeName]
   * @param {Record<string, unknown>} [meta]
   * @returns {AsyncGenerator<Message, void, undefined>}
   */
  async *#messages(state, config, nodeName, meta) {
    state.isStarted = true;
    yield* this.#converter.convertStreamingResponse(config ?? {}, nodeName, await this.#load(), meta);
  }

  /**
   * The response, or the result of the function that requests it. A failed request is an error of the connection, unless
   * a converter of the user's own reads it.
   */
  async #load() {
    const response = this.#response;
    const loading = typeof response === "function" ? /** @type {() => Source | PromiseLike<Source>} */ (response)() : response;
    return await (this.#converter instanceof ResponseConverter ? transferred(awaitInput(loading)) : awaitInput(loading));
  }
}
