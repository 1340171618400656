import type {
  AnnotatedLlmResponse,
  Bytes,
  RequestDelta,
  StreamAccumulatorOptions,
  StreamResult,
  StreamSource,
  StreamSourceOptions,
  Warning,
} from "respool";

/** An interface that responses can be written in. */
export type WireApi = "openai-chat" | "openai-responses" | "anthropic-messages";

/** How a response is written. */
export interface EncodeOptions {
  /**
   * Whether a stream of chat completions ends with a chunk for the usage, as clients request it with
   * `stream_options.include_usage`. The other interfaces always report the usage. Default `false`.
   */
  includeUsage?: boolean;
  /** The model to name. Default: the model that responded. */
  model?: string;
  /** The id of the response. Default: the provider's, or a generated one. */
  id?: string;
  /**
   * The input tokens in Anthropic's `message_start`, which comes before the provider has counted them. `message_delta`
   * has the true numbers. Default 0.
   */
  inputTokens?: number;
  /** Whether reasoning is written. Default `"keep"`. */
  reasoning?: "keep" | "drop";
  /**
   * Whether reasoning that Anthropic hasn't signed becomes a `thinking` block. Clients that send it back to Anthropic
   * need `"drop"`; in a stream, reasoning then waits for its signature. Default `"keep"`.
   */
  unsignedThinking?: "keep" | "drop";
  /**
   * The custom tools of a request to OpenAI Responses, such as `["apply_patch"]` of Codex, which was translated to one whose
   * tools are functions with one argument. Calls of these functions become `custom_tool_call` items, with the argument as
   * the input. Only for Responses out of another interface.
   */
  customTools?: readonly string[];
}

/** Options of {@link StreamEncoder}. */
export interface EncoderOptions extends StreamAccumulatorOptions, EncodeOptions {
  /**
   * What a client has missed, such as `catchUp()` of an accumulator: each part becomes one start and one delta, in what the
   * next call returns. The encoder then reads deltas, one per {@link StreamEncoder.push}, in place of chunks or bytes. Pass
   * an empty list if there are none yet.
   */
  resume?: Iterable<RequestDelta>;
}

/** A response, written as another interface. */
export interface EncodedBody {
  /** The body as that interface sends it. */
  body: object;
  /** What the interface has no place for, each kind once. */
  lost: Warning[];
}

/** Options of {@link translateStream}. */
export interface TranslateOptions extends StreamSourceOptions, EncodeOptions {
  /** The interface to write. */
  to: WireApi;
  /**
   * What a client has missed, such as `catchUp()` of an accumulator. The source then has the deltas that follow, as
   * `streamDeltas` returns them.
   */
  resume?: Iterable<RequestDelta>;
}

/** A stream, written as another interface. */
export interface TranslatedStream {
  /** The bytes of the server-sent events. A failure becomes the interface's own error event, so reading never fails. */
  stream: ReadableStream<Uint8Array<ArrayBuffer>>;
  /**
   * Resolves with the result once the stream has been read or cancelled, and rejects as `collect` does. You need not handle
   * it.
   */
  result: Promise<StreamResult>;
  /** What the interface has no place for, each kind once. Empty until the stream has ended. */
  lost: Warning[];
}

/** What {@link translateResponse} has read. */
export interface TranslationEnd {
  /** The response, as `decode` returns it. Missing if the request failed. */
  response?: AnnotatedLlmResponse;
  /** The result of the stream, if the response was one. */
  result?: StreamResult;
  /** The error, if the request or the response failed, or the stream broke. */
  error?: unknown;
  /** What the interface has no place for, each kind once. */
  lost: Warning[];
}

/** Options of {@link translateResponse}. */
export interface TranslateResponseOptions extends StreamAccumulatorOptions, EncodeOptions {
  /** The interface to write. */
  to: WireApi;
  /** Stops reading. The promise rejects with the signal's reason; a stream that has begun ends with an error event. */
  signal?: AbortSignal;
  /**
   * Called once, when everything has been read, or has failed: for example to record the usage. An error that it throws
   * is ignored, so that the client gets its response.
   */
  onEnd?: (end: TranslationEnd) => void;
}

/**
 * Writes a complete response as the body of another interface.
 *
 * @param response - what `decode` returns, or the result of a stream. A response that failed becomes an error body
 * @throws `RespoolError` `invalid-option`
 *
 * @example
 * ```ts
 * import { decode } from "respool";
 * import { encode } from "respool/encode";
 *
 * const choice = { message: { content: "At 9:35." }, finish_reason: "stop" };
 * const response = decode({ choices: [choice], usage: { prompt_tokens: 3, completion_tokens: 4 } });
 * const { body, lost } = encode(response, "anthropic-messages");
 * const { content, stop_reason } = body as { content: { text: string }[]; stop_reason: string };
 * console.log(content[0]?.text, stop_reason, lost.length); // → At 9:35. end_turn 0
 * ```
 */
export declare function encode(response: AnnotatedLlmResponse | StreamResult, api: WireApi, options?: EncodeOptions): EncodedBody;

/**
 * Turns a stream of any provider into the bytes of another interface, push by push. Each push returns what it decides, at
 * once; without a whole event it returns no bytes. There are no timers: call {@link heartbeat} if the source is silent.
 *
 * @example
 * ```ts
 * import { StreamEncoder } from "respool/encode";
 *
 * const encoder = new StreamEncoder("anthropic-messages");
 * const pieces = [
 *   encoder.push({ choices: [{ delta: { content: "Hi" }, finish_reason: "stop" }] }),
 *   encoder.finish(),
 * ];
 * const text = pieces.map((bytes) => new TextDecoder().decode(bytes)).join("");
 * console.log(text.match(/^event: .*$/gm)?.join(" "));
 * // → event: message_start event: content_block_start event: content_block_delta event: content_block_stop event: message_delta event: message_stop
 * console.log(encoder.result?.text); // → Hi
 * encoder.free();
 * ```
 */
export declare class StreamEncoder {
  /** @throws `RespoolError` `invalid-option` */
  constructor(api: WireApi, options?: EncoderOptions);
  /** The interface that is written. */
  readonly api: WireApi;
  /**
   * Reads bytes of server-sent events or JSON lines, and returns the events that they decide. Chunks may split anywhere.
   * @throws `RespoolError` `invalid-chunk` for anything but bytes, `stream-finished` after the end
   */
  pushBytes(bytes: Bytes): Uint8Array<ArrayBuffer>;
  /**
   * Reads one parsed chunk or event, or a delta if the encoder was made with `resume`, and returns the events that it
   * decides.
   * @throws `RespoolError` `invalid-chunk` for anything but an object, `stream-finished` after the end
   */
  push(chunk: object): Uint8Array<ArrayBuffer>;
  /** Ends the input and returns the last events: an error event if the stream is truncated. */
  finish(): Uint8Array<ArrayBuffer>;
  /** Ends the stream early and returns an error event with the reason. */
  abort(reason?: unknown): Uint8Array<ArrayBuffer>;
  /** Ends the stream and returns an error event with what a `ProviderError` says, for example of an HTTP status. */
  fail(error: unknown): Uint8Array<ArrayBuffer>;
  /** Returns an event that clients ignore, to keep the connection open while the source is silent. */
  heartbeat(): Uint8Array<ArrayBuffer>;
  /**
   * Everything that is known of the stream, as bytes from which {@link restore} goes on in another process: the bytes that
   * follow, `lost` and `result` are the same as without. What was written isn't in them. See `docs/resume.md`.
   *
   * @throws `DecodeError` `codec-error` if a codec reads the stream that can't be saved
   *
   * @example
   * ```ts
   * import { StreamEncoder } from "respool/encode";
   *
   * const before = new StreamEncoder("anthropic-messages");
   * const written = [before.push({ choices: [{ delta: { content: "The fer" } }] })];
   * const saved = before.save(); // a Uint8Array, for a database or a queue
   * before.free();
   *
   * const after = StreamEncoder.restore(saved);
   * written.push(after.push({ choices: [{ delta: { content: "ry." }, finish_reason: "stop" }] }), after.finish());
   * const text = written.map((bytes) => new TextDecoder().decode(bytes)).join("");
   * console.log(text.match(/"text":"[^"]+"/g)?.join(" ")); // → "text":"The fer" "text":"ry."
   * after.free();
   * ```
   */
  save(): Uint8Array<ArrayBuffer>;
  /**
   * Goes on with a stream that was {@link save | saved}. Register its codecs before.
   *
   * @param saved - the bytes that `save` returned
   * @param options - the options are saved as well. Those that are set are compared with them.
   * @throws `RespoolError` `invalid-state` for anything but a saved `StreamEncoder` of this version, also for the state of a
   * `StreamAccumulator`; `invalid-option` for an option that isn't what the stream was saved with
   * @throws `DecodeError` `codec-error` if the codec isn't registered that reads the stream, or refuses its state
   */
  static restore(saved: Bytes, options?: StreamAccumulatorOptions & EncodeOptions): StreamEncoder;
  /**
   * Whether nothing more will be written because the source has reported an error or exceeded a limit, or because the
   * stream was ended. Stop reading then.
   */
  readonly isOver: boolean;
  /** What the interface has no place for so far, each kind once. */
  readonly lost: Warning[];
  /** The result, once the stream has ended. */
  readonly result: StreamResult | undefined;
  /** Frees the memory at once. Calling it again does nothing. */
  free(): void;
  /** Same as {@link free}, for `using`. */
  [Symbol.dispose](): void;
}

/**
 * Reads a source of any provider and writes it as another interface, at the speed at which the stream is read. Cancelling
 * the stream closes the source.
 *
 * @throws `RespoolError` `invalid-option`
 *
 * @example
 * ```ts
 * import { translateStream } from "respool/encode";
 *
 * const response = fetch("https://api.openai.com/v1/chat/completions", { method: "POST" });
 * const { stream, result } = translateStream(response, { to: "anthropic-messages" });
 * const text = await new Response(stream).text();
 * console.log(text.includes("event: content_block_delta"), (await result).text); // → true The ferry leaves at 9:35.
 * ```
 */
export declare function translateStream(source: StreamSource, options: TranslateOptions): TranslatedStream;

/**
 * Turns the response of any provider, complete or streamed, into a response of another interface: its status, headers and
 * body. A request that failed, or a page that isn't a response of a model, becomes an error of that interface.
 *
 * @throws `RespoolError` `invalid-option`, or `invalid-source` for anything but a `Response`
 *
 * @example
 * ```ts
 * import { translateResponse } from "respool/encode";
 *
 * const response = fetch("https://api.openai.com/v1/chat/completions", { method: "POST" });
 * const translated = await translateResponse(response, { to: "openai-responses" });
 * console.log(translated.status, translated.headers.get("content-type")); // → 200 text/event-stream; charset=utf-8
 * ```
 */
export declare function translateResponse(
  response: Response | PromiseLike<Response>,
  options: TranslateResponseOptions,
): Promise<Response>;
