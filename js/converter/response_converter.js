import { decode, detectApi } from "../../pkg/wasm/respool.js";
import { StreamAccumulator } from "../accumulator.js";
import { arrived } from "../abort.js";
import { openAnswer } from "../answer_source.js";
import { isRegistered } from "../codecs.js";
import { checked } from "../checked.js";
import { DecodeError } from "../errors.js";
import { describe } from "../input.js";
import { copyOptions, readSignal, refuse } from "../options.js";
import { apiOf } from "../response.js";
import { PieceReader, isBytes, isSource } from "../source.js";
import { checkResult, streamDeltas } from "../streams.js";
import { defined, newMessageId, partialMessage, wholeMessage } from "./message.js";

const readThread = checked((config) => config?.threadId ?? config?.thread_id, "the configuration");

const readMeta = checked((meta) => ({ ...meta }), "the metadata");

/** The interfaces whose answers have a message. */
const APIS = ["auto", "openai-chat", "openai-responses", "anthropic-messages"];

export class ResponseConverter {
  static get name() {
    return "ResponseConverter";
  }

  #api;
  #options;

  constructor(api = "auto", options) {
    this.#api = api === "litellm" ? "openai-chat" : api;
    if (!APIS.includes(this.#api) && !isRegistered(api)) {
      const name = typeof api === "string" ? api : describe(api);
      const message = `Unsupported converter: ${name}; pass ${APIS.join(", ")}, litellm, the name of a registered codec, or a converter`;
      refuse(message);
    }
    this.#options = { ...copyOptions(options), api: this.#api };
  }

  async convertResponse(response) {
    const { body, retry, stream } = await openAnswer(response, readSignal(this.#options));
    if (stream) return this.#lastOf(stream);
    try {
      const whole = wholeMessage(this.#readBody(body), newMessageId(), {});
      return isBytes(body) || typeof body === "string" ? whole : { ...whole, raw: body };
    } catch (error) {
      // The page with which a server fails says more by its status.
      if (retry && error?.code === "invalid-json") await this.#lastOf(retry);
      throw error;
    }
  }

  async #lastOf(stream) {
    let last;
    for await (const message of this.convertStreamingResponse({}, undefined, stream)) last = message;
    return last;
  }

  async *convertStreamingResponse(config, nodeName, response, meta) {
    const own = readMeta(meta);
    const source = await arrived(response);
    const messageId = newMessageId();
    const provider = this.#api === "auto" ? undefined : this.#api;
    const metadata = defined({ provider, nodeName, threadId: readThread(config) });
    const deltas = streamDeltas(isSource(source) ? source : [source], this.#options);
    for await (const delta of deltas) {
      const partial = partialMessage(delta, messageId, { ...metadata, ...own });
      if (partial) yield partial;
    }
    checkResult(deltas.result);
    yield wholeMessage(deltas.result, messageId, metadata, own);
  }

  /** What a body says that came as a whole. Throws what is wrong with one that says nothing. */
  #readBody(body) {
    const found = detectApi(body);
    if (this.#api !== "auto" && found !== undefined && found !== this.#api) {
      throw new DecodeError(
        "unknown-response",
        `the response is one of ${found}, not of ${this.#api}: convert it by "${found}" or "auto"`,
      );
    }
    const { signal, ...options } = this.#options;
    const accumulator = new StreamAccumulator(options);
    try {
      if (typeof body === "string" || (typeof body === "object" && body !== null)) new PieceReader(accumulator).read(body);
      const result = accumulator.finish();
      const isRead = apiOf(result.response) !== undefined && (found !== undefined || result.ending === "complete");
      if (result.error || !isRead) decode(body);
      checkResult(result);
      return result;
    } finally {
      accumulator.free();
    }
  }
}
