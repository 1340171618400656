import { decode, detectApi } from "../../pkg/wasm/respool.js";
import { StreamAccumulator } from "../accumulator.js";
import { isRegistered } from "../codecs.js";
import { DecodeError, RespoolError } from "../errors.js";
import { describe } from "../input.js";
import { apiOf } from "../response.js";
import { PieceReader, isBytes, isSource } from "../source.js";
import { checkEnd, streamDeltas } from "../streams.js";
import { defined, newMessageId, partialMessage, wholeMessage } from "./message.js";

/** The interfaces whose answers have a message. */
const APIS = ["auto", "openai-chat", "openai-responses", "anthropic-messages"];

export class ResponseConverter {
  #api;
  #options;

  constructor(api = "auto", options = {}) {
    this.#api = api === "litellm" ? "openai-chat" : api;
    if (!APIS.includes(this.#api) && !isRegistered(api)) {
      const name = typeof api === "string" ? api : describe(api);
      const message = `Unsupported converter: ${name}; pass ${APIS.join(", ")}, litellm, the name of a registered codec, or a converter`;
      throw new RespoolError("invalid-option", message);
    }
    this.#options = { ...options, api: this.#api };
  }

  async convertResponse(response) {
    const body = await bodyOf(response);
    if (!isSource(body)) {
      const whole = wholeMessage(this.#readBody(body), newMessageId(), {});
      return isBytes(body) || typeof body === "string" ? whole : { ...whole, raw: body };
    }
    let last;
    for await (const message of this.convertStreamingResponse({}, undefined, body)) last = message;
    return last;
  }

  async *convertStreamingResponse(config, nodeName, response, meta) {
    const source = await response;
    const messageId = newMessageId();
    const provider = this.#api === "auto" ? undefined : this.#api;
    const metadata = defined({ provider, nodeName, threadId: config?.threadId ?? config?.thread_id });
    const deltas = streamDeltas(isSource(source) ? source : [source], this.#options);
    for await (const delta of deltas) {
      const partial = partialMessage(delta, messageId, { ...metadata, ...meta });
      if (partial) yield partial;
    }
    checkEnd(deltas.result);
    yield wholeMessage(deltas.result, messageId, metadata, meta);
  }

  /** What a body says that came as a whole. Throws what is wrong with one that says nothing. */
  #readBody(body) {
    const found = detectApi(body);
    const isAny = this.#api === "auto";
    if (!isAny && found !== undefined && found !== this.#api) {
      throw new DecodeError("unknown-response", `the response is one of ${found}, not of ${this.#api}: convert it by "${found}" or "auto"`);
    }
    const { signal, ...options } = this.#options;
    const accumulator = new StreamAccumulator(options);
    try {
      if (typeof body === "string" || (typeof body === "object" && body !== null)) new PieceReader(accumulator).read(body);
      const result = accumulator.finish();
      const isRead = apiOf(result.response) !== undefined && (isAny || found !== undefined || result.ending === "complete");
      if (result.error || !isRead) decode(body);
      checkEnd(result);
      return result;
    } finally {
      accumulator.free();
    }
  }
}

/** A fetch `Response` that has JSON is a body; one that reports an error, or streams, is a source. */
async function bodyOf(response) {
  const value = await response;
  const isJson = value?.ok === true && typeof value.arrayBuffer === "function" && /\bjson\b/.test(value.headers?.get("content-type"));
  return isJson ? value.arrayBuffer() : value;
}
