import "./platform.js";
import type { Delta, StreamAccumulatorOptions, StreamResult, ToolCall } from "../../pkg/wasm/respool.js";
import type { Agent, Bytes } from "./api.js";

/** A piece of a stream: a parsed chunk, text, or bytes. */
export type StreamPiece = object | string | Bytes;

/** A source of a stream. */
export type StreamSource =
  | Response
  | ReadableStream<StreamPiece>
  | AsyncIterable<StreamPiece>
  | Iterable<StreamPiece>
  | PromiseLike<Response | ReadableStream<StreamPiece> | AsyncIterable<StreamPiece> | Iterable<StreamPiece>>;

/** Options of the functions that read a source. */
export interface StreamSourceOptions extends StreamAccumulatorOptions {
  /** Stops reading: the function rejects with the signal's reason, and the source is closed. */
  signal?: AbortSignal;
}

/** The deltas of a stream, and its result once it has ended. */
export interface DeltaStream extends AsyncGenerator<Delta, void, undefined> {
  /** The result, however the stream ended; `undefined` before. */
  readonly result: StreamResult | undefined;
}

/**
 * Reads a source and yields its deltas as they arrive. Leaving the loop closes the source.
 *
 * @throws {@link StreamError} if the transport breaks, or the server returns an error page; its `partial`
 * has everything that was received
 * @throws {@link RespoolError} `invalid-source`
 *
 * @example
 * ```ts
 * import { streamDeltas } from "respool";
 *
 * const deltas = streamDeltas([{ choices: [{ delta: { content: "Hi" }, finish_reason: "stop" }] }]);
 * for await (const delta of deltas) if (delta.type === "text") console.log(delta.text); // → Hi
 * console.log(deltas.result?.ending); // → complete
 * ```
 */
export function streamDeltas(source: StreamSource, options?: StreamSourceOptions): DeltaStream;

/**
 * Yields the text of a stream as it arrives, then its tool calls.
 *
 * @throws {@link RefusalError} as soon as the model refuses
 * @throws {@link StreamError} with `outcome` `"determinate"` if the provider reports an error,
 * `"indeterminate"` if the transport breaks or the stream ends in the middle of a tool call
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
