import type {
  AnnotatedLlmResponse,
  Api,
  Delta,
  ProcessOptions,
  SseEvent,
  StreamAccumulatorOptions,
  StreamResult,
  ToolCall,
  Usage,
} from "../pkg/wasm/respool.js";

export { extractToolCalls } from "./text.js";
export type { ReasoningTags, TextFormat, TextToolCalls } from "./text.js";

export type {
  AnnotatedLlmResponse,
  Api,
  ApiSpecific,
  Choice,
  ChoiceDetails,
  ContentPart,
  Delta,
  Ending,
  Extraction,
  Failure,
  FailureCode,
  FinishReason,
  Limits,
  LoopDetectorOptions,
  MessageContent,
  ProcessOptions,
  RejectReason,
  RejectedToolCall,
  ResponseToolCall,
  SseEvent,
  StreamAccumulatorOptions,
  StreamResult,
  ToolCall,
  ToolCallStatus,
  Usage,
  Warning,
  WarningCode,
} from "../pkg/wasm/respool.js";

export { LoopDetector } from "./loop_detector.js";
export * from "./converter/converter.js";
export * from "./outputs/outputs.js";
export * from "./tracing/tracing.js";

/** What is known about the request that an answer belongs to. It breaks a tie between shapes, no more. */
export interface Agent {
  model?: {
    /** The model that was asked for: traces tell it. */
    id?: string;
    /** For example `"openai"` or `"anthropic"`. */
    provider?: string;
    /** `"chat"`, `"responses"`, `"embedding"` or `"image"`. */
    apiType?: string;
  };
  /** Anything that is not empty says that the text is expected to be JSON. */
  outputs?: unknown;
}

/** Bytes, in any of the forms in which JavaScript has them. */
export type Bytes = ArrayBuffer | ArrayBufferView;

/** JSON that was parsed from a text, with the text beside it under {@link RAW_JSON}. */
export type StructuredResult =
  | ({ readonly [RAW_JSON]?: string } & (Record<string, unknown> | unknown[]))
  | string
  | number
  | boolean
  | null;

/** What {@link process} gives. */
export type ProcessResult =
  | string
  | ToolCall[]
  | StructuredResult
  | number[]
  | number[][]
  | Float32Array
  | Float32Array[]
  | Float64Array
  | Float64Array[]
  | string[];

/** Under this symbol a structured result (an object or array) keeps the JSON text that it was parsed from. */
export const RAW_JSON: unique symbol;

/**
 * The one value that an answer is about: its tool calls, else its text, else the refusal; of an embeddings
 * answer its vectors, of an images answer its images (one by itself, several as a list).
 *
 * With `agent.outputs`, text that is JSON comes back parsed.
 *
 * @param agent - what is known about the request; `{}` if nothing is
 * @param response - the parsed body, its JSON text, or its bytes
 * @throws {@link ProviderError} if the provider reported an error instead of an answer
 * @throws {@link DecodeError} `unknown-response`, `invalid-json`, `empty-response`
 * @throws {@link LimitError} `limit-exceeded`
 *
 * @example
 * ```ts
 * import { process } from "respool";
 *
 * const body = { choices: [{ message: { content: "Hello" }, finish_reason: "stop" }] };
 * console.log(process({}, body)); // → Hello
 * ```
 */
export function process(agent: Agent, response: unknown, options?: ProcessOptions): ProcessResult;

/** Options of {@link processAsync}. */
export interface ProcessAsyncOptions extends ProcessOptions {
  /** Ends the reading from outside: the promise rejects with the signal's reason, and the source is closed. */
  signal?: AbortSignal;
}

/**
 * The same for an answer that is still on its way, whole or streamed: a fetch `Response`, a `ReadableStream`, an async
 * or sync iterable of chunk objects, strings or bytes; also what {@link process} takes, and a promise of any of them.
 * Whether it is a body or a stream is seen from how it begins. What a stream comes to is what `process` gives for the
 * whole answer.
 *
 * @throws {@link ProviderError}, {@link DecodeError} and {@link LimitError} as {@link process}
 * @throws {@link StreamError} `stream-broken`, `stream-truncated`, `http-error`, `provider-error`, `limit-exceeded`; what
 * had come of the stream is in its `partial`
 * @throws {@link RespoolError} `invalid-option`, `invalid-chunk`
 *
 * @example
 * ```ts
 * import { processAsync } from "respool";
 *
 * const response = fetch("https://api.openai.com/v1/chat/completions", { method: "POST" });
 * console.log(await processAsync({}, response)); // → The ferry leaves at 9:35.
 * ```
 */
export function processAsync(agent: Agent, source: unknown, options?: ProcessAsyncOptions): Promise<ProcessResult>;

/**
 * A chat, Responses or Anthropic answer in one form. Nothing of the body is lost: what has no field of its
 * own is in `apiSpecific` and `extra`.
 *
 * @param response - the parsed body, its JSON text, or its bytes
 * @throws {@link ProviderError} for an error body
 * @throws {@link DecodeError} `unknown-response`, `invalid-json`
 *
 * @example
 * ```ts
 * import { decode } from "respool";
 *
 * const { message, finishReason } = decode({
 *   type: "message",
 *   content: [{ type: "text", text: "Hello" }],
 *   stop_reason: "end_turn",
 * });
 * console.log(message, finishReason); // → Hello complete
 * ```
 */
export function decode(response: unknown): AnnotatedLlmResponse;

/**
 * The interface that a body comes from: exactly one matches, or `undefined`. Never throws, never guesses. A
 * registered codec answers its name.
 */
export function detectApi(response: unknown): Api | (string & {}) | undefined;

/** One thing that a codec read. `part` orders parts, `index` tool calls; `choice` is 0 where there is one. */
export type CodecUpdate =
  | { type: "id"; id: string }
  | { type: "model"; model: string }
  | { type: "text" | "refusal"; text: string; part?: number; choice?: number }
  | { type: "reasoning"; text?: string; signature?: string; encrypted?: string; part?: number; choice?: number }
  | {
      type: "tool-call";
      index?: number;
      id?: string;
      name?: string;
      /** A piece of JSON text, or an object. */
      arguments?: string | object;
      done?: boolean;
      choice?: number;
    }
  | { type: "annotation"; annotation: unknown; part?: number; choice?: number }
  | { type: "other"; raw: unknown; part?: number; choice?: number }
  | ({ type: "usage" } & Partial<Omit<Usage, "raw">> & Record<string, unknown>)
  | { type: "finish"; finishReason: string; rawFinishReason?: string; choice?: number }
  | { type: "error"; message: string; providerType?: string; providerCode?: string }
  | { type: "warning"; message: string }
  | { type: "extra"; name: string; value: unknown }
  | { type: "data"; data: unknown }
  | { type: "done" };

/** An interface of your own. */
export interface Codec {
  /** Its name, as it will be in `apiSpecific.apiName` and as {@link detectApi} answers it. */
  name: string;
  /** Whether this is a whole body, or an event of a stream, of this interface. It goes before those built in. */
  detect(value: unknown): boolean;
  /** What a whole body says. */
  decode(body: any): CodecUpdate | CodecUpdate[];
  /** Called for each stream: gives the function that says what an event says. Without it `decode` does. */
  stream?(): (event: any) => CodecUpdate | CodecUpdate[] | undefined;
}

/**
 * Teaches all functions and accumulators an interface of your own. Gives the function that undoes it.
 *
 * @throws {@link RespoolError} `invalid-option`
 *
 * @example
 * ```ts
 * import { decode, registerCodec } from "respool";
 *
 * const unregister = registerCodec({
 *   name: "parrot",
 *   detect: (value) => typeof value === "object" && value !== null && "squawk" in value,
 *   decode: ({ squawk }) => [
 *     { type: "text", text: squawk },
 *     { type: "finish", finishReason: "complete" },
 *   ],
 * });
 * console.log(decode({ squawk: "Hello" }).message); // → Hello
 * unregister();
 * ```
 */
export function registerCodec(codec: Codec): () => void;

/** Whether the model wants tools to be run. */
export function hasToolCalls(response: AnnotatedLlmResponse): boolean;

/** What the model said: the string, or the first text part. */
export function responseText(response: AnnotatedLlmResponse): string | undefined;

/** Whether the answer is whole: its finish reason is `complete` and nothing else. */
export function isComplete(response: AnnotatedLlmResponse): boolean;

/**
 * Winds a stream of any supported provider back into one result. Nothing that a provider sends makes it
 * throw: broken events become warnings, errors become deltas, and everything else survives.
 *
 * @example
 * ```ts
 * import { StreamAccumulator } from "respool";
 *
 * const stream = new StreamAccumulator();
 * stream.push({ choices: [{ delta: { content: "Hel" } }] }); // [{ type: "text", text: "Hel" }]
 * stream.push({ choices: [{ delta: { content: "lo" }, finish_reason: "stop" }] });
 * const { text, ending } = stream.finish();
 * console.log(text, ending); // → Hello complete
 * stream.free();
 * ```
 */
export class StreamAccumulator {
  /** @throws {@link RespoolError} `invalid-option` */
  constructor(options?: StreamAccumulatorOptions);
  /**
   * Reads one parsed chunk or event, and gives what it added.
   * @throws {@link RespoolError} `invalid-chunk` for anything but an object, `stream-finished` after the end
   */
  push(chunk: object): Delta[];
  /**
   * Reads bytes of server-sent events or JSON lines, cut anywhere, and gives what they added.
   * @throws {@link RespoolError} `invalid-chunk` for anything but bytes, `stream-finished` after the end
   */
  pushBytes(bytes: Bytes): Delta[];
  /** The input is over. Deltas that this brought are given by {@link takeDeltas}. */
  finish(): StreamResult;
  /** The stream was ended from outside; what arrived is kept. The reason becomes `error.message`. */
  abort(reason?: unknown): StreamResult;
  /**
   * What is known so far, with ending `"open"`. Asking after each delta costs linear work in all: long texts are handed
   * over once, in pieces. The parsed arguments of calls that are whole (`response.toolCalls`) are the same object in
   * each snapshot; do not change them.
   */
  snapshot(): StreamResult;
  /** The deltas that {@link finish} brought: those of an event whose last line end was missing. */
  takeDeltas(): Delta[];
  /** Gives the memory back at once. Calling it again does nothing. */
  free(): void;
  [Symbol.dispose](): void;
}

/** Which JSON text: that of the tool call of this `index`, or the text of the answer. */
export type JsonIndex = number | "text";

/**
 * JSON values that are there while their text still arrives: the arguments of tool calls and, with
 * `agent.outputs`, the text. A value is one JavaScript object from its beginning to its end, and grows in place; what a delta
 * costs depends on the delta, not on the value. Members are plain data, also one named `__proto__`.
 *
 * Give it the deltas of a stream with the option `partialJson`.
 *
 * @example
 * ```ts
 * import { PartialJson, StreamAccumulator } from "respool";
 *
 * const stream = new StreamAccumulator({ partialJson: true });
 * const live = new PartialJson();
 * const call = (fragment: string) => ({ choices: [{ delta: { tool_calls: [{ index: 0, id: "a", function: { name: "tide", arguments: fragment } }] } }] });
 * for (const fragment of ['{"port":"Bo', 'dø","days":[1', "2,3"]) {
 *   for (const delta of stream.push(call(fragment))) live.apply(delta);
 *   console.log(live.get(0));
 * }
 * // → { port: 'Bo' }
 * // → { port: 'Bodø', days: [] }
 * // → { port: 'Bodø', days: [ 12 ] }
 * stream.free();
 * ```
 */
export class PartialJson {
  constructor();
  /** Takes in a delta. Answers whether the delta is of type `json` and fits; all others are ignored. */
  apply(delta: Delta): boolean;
  /** The value so far; `undefined` before anything is known. It is not a copy, and goes on growing. */
  get(index: JsonIndex, choice?: number): unknown;
  /** Whether the value is complete. */
  isDone(index: JsonIndex, choice?: number): boolean;
}

/** What {@link parsePartialJson} gives. */
export interface PartialJsonResult {
  /** What is known of the value; `undefined` if nothing is. */
  value: unknown;
  /** Whether the text is JSON, the beginning of it, or neither. */
  state: "complete" | "partial" | "invalid";
}

/**
 * What is known of a JSON value by the beginning of its text. A number at the end counts only where it is the whole
 * text, since digits may follow; a key only if something is known of its value. Of a text that is no JSON the value is
 * what stands before the error.
 *
 * For a text that grows do not call this again and again: see {@link PartialJson}.
 *
 * @throws {@link RespoolError} `invalid-option` for anything but a string
 *
 * @example
 * ```ts
 * import { parsePartialJson } from "respool";
 *
 * const { value, state } = parsePartialJson('{"port":"Bodø","days":[1,2,"Thu');
 * console.log(value, state); // → { port: 'Bodø', days: [ 1, 2, 'Thu' ] } partial
 * ```
 */
export function parsePartialJson(text: string): PartialJsonResult;

/**
 * The framing of server-sent events alone, as WHATWG defines it, cut anywhere.
 *
 * @example
 * ```ts
 * import { SseDecoder } from "respool";
 *
 * const decoder = new SseDecoder();
 * const [event] = decoder.push(new TextEncoder().encode("event: ping\ndata: {}\n\n"));
 * console.log(event?.event, event?.data); // → ping {}
 * ```
 */
export class SseDecoder {
  constructor();
  /** The events that these bytes completed. */
  push(bytes: Bytes): SseEvent[];
  /** The event whose blank line is missing at the end of the input, if there is one. */
  finish(): SseEvent[];
  /** Gives the memory back at once. Calling it again does nothing. */
  free(): void;
  [Symbol.dispose](): void;
}

/** A piece of a stream: a parsed chunk, text, or bytes. */
export type StreamPiece = object | string | Bytes;

/** What a stream can be read from. */
export type StreamSource =
  | Response
  | ReadableStream<StreamPiece>
  | AsyncIterable<StreamPiece>
  | Iterable<StreamPiece>
  | PromiseLike<Response | ReadableStream<StreamPiece> | AsyncIterable<StreamPiece> | Iterable<StreamPiece>>;

/** Options of the functions that read a source. */
export interface StreamSourceOptions extends StreamAccumulatorOptions {
  /** Ends the stream from outside: the function rejects with the signal's reason, and the source is closed. */
  signal?: AbortSignal;
}

/** The deltas of a stream, and its result once it has ended in whatever way. */
export interface DeltaStream extends AsyncGenerator<Delta, void, undefined> {
  readonly result: StreamResult | undefined;
}

/**
 * The deltas of a source as they come. Leaving the loop closes the source.
 *
 * @throws {@link StreamError} if the transport breaks, or the server answers with an error page; what had come
 * is in its `partial`
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
 * The text of a stream as it comes, then its tool calls.
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
 * The same as a transform stream: `response.body.pipeThrough(new StreamDeltas())`.
 */
export class StreamDeltas extends TransformStream<StreamPiece, Delta> {
  constructor(options?: StreamAccumulatorOptions);
  /** The result, once the stream has ended. */
  readonly result: StreamResult | undefined;
}

/** What all errors have in common. */
export class RespoolError extends Error {
  constructor(code: string, message: string, options?: { cause?: unknown });
  /** The stable code, in kebab-case. */
  readonly code: string;
  /** Whether a value is such an error, also one of another copy of this package. */
  static isInstance<T extends abstract new (...args: never) => unknown>(this: T, value: unknown): value is InstanceType<T>;
}

/** A body could not be read: `invalid-json`, `unknown-response` or `empty-response`. */
export class DecodeError extends RespoolError {}

/** The provider reported an error: `provider-error`. */
export class ProviderError extends RespoolError {
  /** The provider's type of the error, for example `"overloaded_error"`. */
  readonly providerType?: string;
  /** The provider's code or status, for example `"rate_limit_exceeded"`. */
  readonly providerCode?: string;
  /** The error as the provider sent it, where it came in a stream. */
  readonly raw?: unknown;
}

/** The model refused: `refusal`. */
export class RefusalError extends RespoolError {
  /** What the model had said when this was thrown. */
  readonly refusal: string;
  /** Trying again will give the same. */
  readonly outcome: "determinate";
  /** Everything that had come. */
  readonly partial: StreamResult;
}

/** A stream failed: `stream-broken`, `stream-truncated`, `http-error`, `provider-error` or `limit-exceeded`. */
export class StreamError extends RespoolError {
  /** Whether the provider said that it failed, or nobody knows what became of it. */
  readonly outcome: "determinate" | "indeterminate";
  /** Everything that had come. */
  readonly partial: StreamResult;
}

/**
 * What a model wrote could not be parsed as it should: `invalid-json`, `not-an-object`, `truncated-json`, or
 * `invalid-output` where it does not fit a schema.
 */
export class OutputParseError extends RespoolError {
  /** What the validator had to say. */
  readonly issues?: readonly OutputIssue[];
  /** What was to be parsed. */
  readonly text?: unknown;
  /** Whose arguments they are. */
  readonly toolCallId?: string;
  readonly toolName?: string;
}

/** One thing in which a value does not fit a schema. */
export interface OutputIssue {
  /** Where in the value; empty for all of it. */
  path: PropertyKey[];
  message: string;
}

/** A limit was exceeded: `limit-exceeded`. */
export class LimitError extends RespoolError {}

export * from "./runner/runner.js";
