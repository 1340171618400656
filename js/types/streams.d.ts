import "./platform.js";
import type { Delta, StreamAccumulatorOptions, StreamResult, ToolCall } from "../../pkg/wasm/respool.js";
import type { Agent, Bytes } from "./api.js";

/** A piece of a stream: a parsed chunk, text, or bytes. */
export type StreamPiece = object | string | Bytes;

/** An answer of the AWS SDK that has a stream. */
interface AwsAnswer {
  /** What the SDK knows about the request. */
  $metadata: object;
  /** The stream of `ConverseStream`. */
  stream?: AsyncIterable<object> | undefined;
  /** The stream of `InvokeModelWithResponseStream`. */
  body?: AsyncIterable<object> | undefined;
}

/** A source of a stream that has been opened. A string isn't one: pass `[text]`. */
type OpenSource =
  | Response
  | ReadableStream<StreamPiece>
  | Blob
  | AwsAnswer
  | AsyncIterable<StreamPiece>
  | (object & Iterable<StreamPiece>);

/** A source of a stream. Pass `[text]` for text, `[bytes]` for bytes, and `[body]` for a parsed body. */
export type StreamSource = OpenSource | PromiseLike<OpenSource>;

/** Options of the functions that read a source. */
export interface StreamSourceOptions extends StreamAccumulatorOptions {
  /** Stops reading: the function rejects with the signal's reason, and the source is closed. */
  signal?: AbortSignal;
  /**
   * Whether an error that the stream reports is thrown after its delta. Default `true`. Otherwise it is only a delta and
   * the result's `error`, and `processStream` throws it once everything is read. An HTTP status that isn't a success and
   * a lost connection are always thrown.
   */
  throwOnError?: boolean;
}

/** The deltas of a stream, and its result once it has ended. Nothing is read until you loop over them. */
export interface DeltaStream extends AsyncGenerator<Delta, void, undefined> {
  /** The result, however the stream ended; `undefined` before. */
  readonly result: StreamResult | undefined;
  /**
   * Resolves with the result once a loop has read the stream to its end, or left it. Only the loop throws. Awaiting
   * this promise doesn't read the stream, so without a loop it never settles: {@link collect} reads and returns the
   * result.
   */
  readonly finished: Promise<StreamResult>;
}

/**
 * Reads a source and yields its deltas as they arrive. Leaving the loop closes the source.
 *
 * @throws {@link ProviderError} before the first delta for an HTTP status that isn't a success; after the error's delta if
 * the stream reports one
 * @throws {@link DecodeError} `unknown-response` at the end if nothing in the stream could be read
 * @throws {@link StreamError} if the connection is lost; `partial` has everything that was received
 * @throws {@link RespoolError} `invalid-source`; `invalid-option` at the call
 *
 * @example
 * ```ts
 * import { streamDeltas } from "respool";
 *
 * const deltas = streamDeltas([{ choices: [{ delta: { content: "Hi" }, finish_reason: "stop" }] }]);
 * for await (const delta of deltas) if (delta.type === "text") console.log(delta.text); // → Hi
 * const { ending } = await deltas.finished;
 * console.log(ending); // → complete
 * ```
 */
export function streamDeltas(source: StreamSource, options?: StreamSourceOptions): DeltaStream;

/**
 * Reads a source to its end and returns the result. A complete response works, too: as a `Response`, or, if its body is
 * parsed already, as `[body]`. {@link decode} reads such a body without a promise.
 *
 * @throws as {@link streamDeltas}; with `throwOnError: false`, an error that the stream reports is the result's `error`
 *
 * @example
 * ```ts
 * import { collect } from "respool";
 *
 * const response = fetch("https://api.openai.com/v1/chat/completions", { method: "POST" });
 * const { text, usage, ending } = await collect(response);
 * console.log(text, usage?.totalTokens, ending); // → The ferry leaves at 9:35. 15 complete
 * ```
 */
export function collect(source: StreamSource, options?: StreamSourceOptions): Promise<StreamResult>;

/** A response that is read while it passes, as {@link tap} returns it. */
export interface TappedResponse {
  /** The response, with the same status, headers and bytes. */
  response: Response;
  /**
   * Resolves with the result once the body has been read or cancelled, and rejects as {@link collect} does. You need not
   * handle it.
   */
  result: Promise<StreamResult>;
}

/**
 * Reads a response while it passes, for example through a proxy that records usage. The bytes pass unchanged, as
 * fast as they are read; nothing is buffered. If the reader leaves, `result` has the ending `aborted`.
 *
 * @throws {@link RespoolError} `invalid-source` if the body has already been read, `invalid-option`
 *
 * @example
 * ```ts
 * import { tap } from "respool";
 *
 * const { response, result } = tap(await fetch("https://api.openai.com/v1/chat/completions", { method: "POST" }));
 * console.log((await response.text()).includes("ferry")); // → true
 * console.log((await result).text); // → The ferry leaves at 9:35.
 * ```
 */
export function tap(response: Response, options?: StreamSourceOptions): TappedResponse;

/**
 * Yields the text of a stream as it arrives, then its tool calls.
 *
 * @throws {@link RefusalError} as soon as the model refuses
 * @throws as {@link streamDeltas}, and {@link StreamError} `stream-truncated` if the stream ends in the middle of a tool
 * call
 *
 * @example
 * ```ts
 * import { processStream } from "respool";
 *
 * for await (const item of processStream({}, [{ choices: [{ delta: { content: "Hi" } }] }])) {
 *   if (typeof item === "string") console.log(item); // → Hi
 *   else console.log(item.name, item.arguments);
 * }
 * ```
 */
export function processStream(
  agent: Agent,
  source: StreamSource,
  options?: StreamSourceOptions,
): AsyncGenerator<string | ToolCall, void, undefined>;

/**
 * {@link streamDeltas} as a transform stream.
 *
 * @example
 * ```ts
 * import { StreamDeltas } from "respool";
 *
 * const response = await fetch("https://api.openai.com/v1/chat/completions", { method: "POST" });
 * const deltas = new StreamDeltas();
 * for await (const delta of response.body!.pipeThrough(deltas)) if (delta.type === "text") console.log(delta.text);
 * // → The ferry
 * // →  leaves at 9:35.
 * console.log(deltas.result?.ending); // → complete
 * ```
 */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: a class that extends TransformStream has no types without the DOM
export class StreamDeltas {
  constructor(options?: StreamAccumulatorOptions);
  /** The result, once the stream has ended. */
  readonly result: StreamResult | undefined;
}

export interface StreamDeltas extends TransformStream<StreamPiece, Delta> {}
