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

/** `Uint8Array<ArrayBuffer>`, or `Uint8Array` for TypeScript before 5.7, which knows no type argument of it. */
type OwnBytes = ReturnType<typeof Uint8Array.of>;

/** An interface that responses can be written in. */
export type WireApi = "openai-chat" | "openai-responses" | "anthropic-messages";

/** Options for writing a response. */
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
   * The names of the custom tools in a request to OpenAI Responses, such as `["apply_patch"]` of Codex, that you
   * translated to functions with one argument for the provider. Calls to these functions become `custom_tool_call`
   * items, with the argument as the input. Only used when writing `openai-responses` from another interface.
   */
  customTools?: readonly string[];
}

/** Options of {@link StreamEncoder}. */
export interface EncoderOptions extends StreamAccumulatorOptions, EncodeOptions {
  /**
   * The deltas that a client has missed, such as `catchUp()` of an accumulator. Each part becomes one start and one
   * delta, which the next call returns. The encoder then reads deltas, one per {@link StreamEncoder.push}, instead of
   * chunks or bytes. Pass an empty list if there are none yet.
   */
  resume?: Iterable<RequestDelta>;
}

/** A response in another interface. */
export interface EncodedBody {
  /** The body, as servers of that interface send it. */
  body: object;
  /** Warnings about content that the interface can't represent, one per kind. */
  lost: Warning[];
}

/** Options of {@link translateStream}. */
export interface TranslateOptions extends StreamSourceOptions, EncodeOptions {
  /** The interface to write. */
  to: WireApi;
  /**
   * The deltas that a client has missed, such as `catchUp()` of an accumulator. The source must then be the following
   * deltas, as `streamDeltas` returns them.
   */
  resume?: Iterable<RequestDelta>;
}

/** A stream in another interface. */
export interface TranslatedStream {
  /** The bytes of the server-sent events. A failure becomes the interface's own error event, so reading never fails. */
  stream: ReadableStream<OwnBytes>;
  /**
   * Resolves with the result once the stream has been read or cancelled, and rejects as `collect` does. You need not handle
   * it.
   */
  result: Promise<StreamResult>;
  /** Warnings about content that the interface can't represent, one per kind. Empty until the stream has ended. */
  lost: Warning[];
}

/** The response that {@link translateResponse} has read, or the error. */
export interface TranslationEnd {
  /** The response, as `decode` returns it. Missing if the request failed. */
  response?: AnnotatedLlmResponse;
  /** The result of the stream, if the response was one. */
  result?: StreamResult;
  /** The error, if the request or the response failed, or the stream broke. */
  error?: unknown;
  /** Warnings about content that the interface can't represent, one per kind. */
  lost: Warning[];
}

/** Options of {@link translateResponse}. */
export interface TranslateResponseOptions extends StreamAccumulatorOptions, EncodeOptions {
  /** The interface to write. */
  to: WireApi;
  /** Stops reading. The promise rejects with the signal's reason; a stream that has begun ends with an error event. */
  signal?: AbortSignal;
  /**
   * Called once, when everything has been read or the translation has failed: for example to record the usage. An error
   * that it throws is ignored, so that the client gets its response.
   */
  onEnd?: (end: TranslationEnd) => void;
}

/**
 * Writes a complete response as the body of another interface.
 *
 * @param response - the result of `decode` or of a stream. A failed response becomes an error
 * body, unless it came from the same interface, which reports the failure itself
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
 * Turns a stream of any provider into the bytes of another interface, push by push. Each push returns the resulting
 * events at once; it returns no bytes if its input doesn't complete an event. There are no timers: call
 * {@link heartbeat} if the source is silent.
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
   * Reads bytes of server-sent events or JSON lines, and returns the resulting events. Chunks may split anywhere.
   * @throws `RespoolError` `invalid-chunk` for anything but bytes, `stream-finished` after the end
   */
  pushBytes(bytes: Bytes): OwnBytes;
  /**
   * Reads one parsed chunk or event, or a delta if the encoder was created with `resume`, and returns the resulting
   * events.
   * @throws `RespoolError` `invalid-chunk` for anything but an object, `stream-finished` after the end
   */
  push(chunk: object): OwnBytes;
  /** Ends the input and returns the last events: an error event if the stream is truncated. */
  finish(): OwnBytes;
  /** Ends the stream early and returns an error event with the reason. */
  abort(reason?: unknown): OwnBytes;
  /** Ends the stream and returns an error event with the details of a `ProviderError`, for example its HTTP status. */
  fail(error: unknown): OwnBytes;
  /** Returns an event that clients ignore, to keep the connection open while the source is silent. */
  heartbeat(): OwnBytes;
  /**
   * Returns the state of the stream as bytes, from which {@link restore} continues in another process: the following
   * bytes, `lost` and `result` are the same as without saving. The state doesn't contain the bytes already written. See
   * `docs/resume.md`.
   *
   * @throws `DecodeError` `codec-error` if the codec that reads the stream can't be saved
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
  save(): OwnBytes;
  /**
   * Continues a stream that was {@link save | saved}. Register its codecs first.
   *
   * @param saved - the bytes that `save` returned
   * @param options - the saved options apply; any that are set here must be equal to them
   * @throws `RespoolError` `invalid-state` for anything but a saved `StreamEncoder` of this version, also for the state of a
   * `StreamAccumulator`; `invalid-option` for an option that differs from the saved one
   * @throws `DecodeError` `codec-error` if the codec that reads the stream isn't registered, or rejects its state
   */
  static restore(saved: Bytes, options?: StreamAccumulatorOptions & EncodeOptions): StreamEncoder;
  /**
   * Whether nothing more will be written because the source has reported an error or exceeded a limit, or because the
   * stream was ended. Stop reading then.
   */
  readonly isOver: boolean;
  /** Whether the source has marked the end of its stream. Nothing new follows: see `StreamAccumulator`. */
  readonly isDone: boolean;
  /** Warnings so far about content that the interface can't represent, one per kind. */
  readonly lost: Warning[];
  /** The result, once the stream has ended. Its error has the HTTP status and the seconds to wait of one given to `fail`. */
  readonly result: StreamResult | undefined;
  /** Frees the memory at once. Calling it again does nothing. */
  free(): void;
  /** Same as {@link free}, for `using`. */
  [Symbol.dispose](): void;
}

/**
 * Reads a source of any provider and writes it in another interface, as fast as the stream is read. Cancelling the
 * stream closes the source.
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
 * Turns the response of any provider, complete or streamed, into a response of another interface, with its status,
 * headers and body. A failed request, or a page that isn't a model's response, becomes an error of that interface.
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
